import type { Client } from '../../client/client.ts';
import type { Result } from '../../client/http/errors.ts';
import {
  isRequestablePath,
  type OperationName,
  operations,
  type RouteParameters,
  routePath,
} from '../../contract/routes.ts';
import type { History, Outcome, Write } from '../history/history.ts';

/** What people call what a write acts on, at that moment. */
interface Names {
  readonly deployment: (id: string) => string;
  /** Whom a grant lets spend; undefined when it is not listed. */
  readonly grantee: (id: string) => string | undefined;
}

/** The client, with each write that it sends noted in the history. Reads pass as they are. */
export function recordingClient(client: Client, history: History, names: Names): Client {
  const { deployments, files, grants } = client;
  const named = names.deployment;
  const place = (id: string, service: string) => `${named(id)}/${service}`;

  async function recorded<T>(
    write: Write,
    send: () => Promise<Result<T>>,
    more: (result: Result<T>) => Partial<Write> = () => ({}),
  ): Promise<Result<T>> {
    const settle = history.sending(write);
    try {
      const result = await send();
      settle(outcomeOf(result), more(result));
      return result;
    } catch (error) {
      settle({ kind: 'unknown', sentence: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  return {
    ...client,
    deployments: {
      ...deployments,
      create: (sdl) =>
        recorded(
          writeOf('createDeployment', 'a new deployment', {}, bytesOf(sdl)),
          () => deployments.create(sdl),
          (result) => {
            if (!result.ok) return {};
            const { id, name = '' } = result.value.value;
            return { subject: name.trim() === '' ? id : `${name} ${id}` };
          },
        ),
      close: (id) =>
        recorded(writeOf('closeDeployment', named(id), { id }), () => deployments.close(id)),
      restart: (id) =>
        recorded(writeOf('restartDeployment', named(id), { id }), () => deployments.restart(id)),
    },
    files: {
      ...files,
      update: (id, name, path, content) =>
        recorded(
          writeOf('updateFile', `${place(id, name)} ${path}`, { id, name, path }, bytesOf(content)),
          () => files.update(id, name, path, content),
        ),
      rename: (id, name, oldPath, newPath) =>
        recorded(
          writeOf('renameFile', `${place(id, name)} ${oldPath} to ${newPath}`, { id, name }),
          () => files.rename(id, name, oldPath, newPath),
        ),
      delete: (id, name, path) =>
        recorded(writeOf('deleteFile', `${place(id, name)} ${path}`, { id, name, path }), () =>
          files.delete(id, name, path),
        ),
      upload(id, name, parts, options) {
        const [first] = parts;
        const what = parts.length === 1 ? (first?.path ?? '') : `${parts.length} files`;
        let size = 0;
        const onProgress = (sent: number): void => {
          size = sent;
          options?.onProgress?.(sent);
        };
        return recorded(
          writeOf('uploadFiles', `${place(id, name)} ${what}`, { id, name }),
          () => files.upload(id, name, parts, { ...options, onProgress }),
          () => ({ size }),
        );
      },
    },
    grants: {
      ...grants,
      create: (request) =>
        recorded(
          writeOf(
            'createGrant',
            `${request.grantee}, limit ${request.limit}, until ${request.expires_at}`,
          ),
          () => grants.create(request),
        ),
      revoke: (id) =>
        recorded(writeOf('revokeGrant', grantText(id, names.grantee(id)), { id }), () =>
          grants.revoke(id),
        ),
    },
  };
}

function writeOf(
  operation: OperationName,
  subject: string,
  parameters: RouteParameters = {},
  size?: number,
): Write {
  const { title, method, path } = operations[operation];
  // What no URL can address is not sent: then the route says what it would have been.
  const isAddressable = Object.values(parameters).every((value) => isRequestablePath(value));
  const target = isAddressable ? routePath(operation, parameters) : path;
  return { operation: title, subject, request: `${method} ${target}`, size };
}

function outcomeOf(result: Result<unknown>): Outcome {
  if (result.ok) return { kind: 'done', status: result.status };
  const { status, code, sentence, errorMessage, unknownOutcome } = result.error;
  return {
    kind: unknownOutcome ? 'unknown' : 'failed',
    status,
    code,
    sentence,
    said: errorMessage,
  };
}

function grantText(id: string, grantee: string | undefined): string {
  return grantee === undefined ? id : `${id} to ${grantee}`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
