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

/** Current names of the subjects of writes. */
interface Names {
  readonly deployment: (id: string) => string;
  /** Returns the grantee of a grant; undefined when the grant is not listed. */
  readonly grantee: (id: string) => string | undefined;
}

/** Returns a client that records each write in the history. Reads are not recorded. */
export function recordingClient(client: Client, history: History, names: Names): Client {
  const { deployments, files, grants } = client;
  const nameOf = names.deployment;
  const place = (id: string, service: string) => `${nameOf(id)}/${service}`;

  async function recordWrite<T>(
    write: Write,
    send: () => Promise<Result<T>>,
    detailsOf: (result: Result<T>) => Partial<Write> = () => ({}),
  ): Promise<Result<T>> {
    const settle = history.sending(write);
    try {
      const result = await send();
      settle(outcomeOf(result), detailsOf(result));
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
        recordWrite(
          describeWrite('createDeployment', 'a new deployment', {}, bytesOf(sdl)),
          () => deployments.create(sdl),
          (result) => {
            if (!result.ok) return {};
            const { id, name = '' } = result.value.value;
            return { subject: name.trim() === '' ? id : `${name} ${id}` };
          },
        ),
      close: (id) =>
        recordWrite(describeWrite('closeDeployment', nameOf(id), { id }), () =>
          deployments.close(id),
        ),
      restart: (id) =>
        recordWrite(describeWrite('restartDeployment', nameOf(id), { id }), () =>
          deployments.restart(id),
        ),
    },
    files: {
      ...files,
      update: (id, name, path, content) =>
        recordWrite(
          describeWrite(
            'updateFile',
            `${place(id, name)} ${path}`,
            { id, name, path },
            bytesOf(content),
          ),
          () => files.update(id, name, path, content),
        ),
      rename: (id, name, oldPath, newPath) =>
        recordWrite(
          describeWrite('renameFile', `${place(id, name)} ${oldPath} to ${newPath}`, { id, name }),
          () => files.rename(id, name, oldPath, newPath),
        ),
      delete: (id, name, path) =>
        recordWrite(
          describeWrite('deleteFile', `${place(id, name)} ${path}`, { id, name, path }),
          () => files.delete(id, name, path),
        ),
      upload(id, name, parts, options) {
        const [first] = parts;
        const subject = parts.length === 1 ? (first?.path ?? '') : `${parts.length} files`;
        let size = 0;
        const onProgress = (sent: number): void => {
          size = sent;
          options?.onProgress?.(sent);
        };
        return recordWrite(
          describeWrite('uploadFiles', `${place(id, name)} ${subject}`, { id, name }),
          () => files.upload(id, name, parts, { ...options, onProgress }),
          () => ({ size }),
        );
      },
    },
    grants: {
      ...grants,
      create: (request) =>
        recordWrite(
          describeWrite(
            'createGrant',
            `${request.grantee}, limit ${request.limit}, until ${request.expires_at}`,
          ),
          () => grants.create(request),
        ),
      revoke: (id) =>
        recordWrite(describeWrite('revokeGrant', grantText(id, names.grantee(id)), { id }), () =>
          grants.revoke(id),
        ),
    },
  };
}

function describeWrite(
  operation: OperationName,
  subject: string,
  parameters: RouteParameters = {},
  size?: number,
): Write {
  const { title, method, path } = operations[operation];
  // A path that no URL can address is never sent; the history shows its route instead.
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
