/** A client that answers from an incident file, so that the console shows one like a service. */
import type { Client } from '../client/client.ts';
import { decodeDeployment } from '../client/decode/deployments.ts';
import type { DecodedRecord } from '../client/decode/fields.ts';
import { decodeFrameAt } from '../client/decode/logs.ts';
import type { ErrorCode, Result } from '../client/http/errors.ts';
import type { Deployment } from '../contract/deployments.ts';
import type { FileRecord } from '../contract/files.ts';
import { defaultLogLimit, type LogLine } from '../contract/logs.ts';
import { differenceFiles } from '../store/incident/difference-files.ts';
import type { Incident } from '../store/incident/incident.ts';
import { lazyPart } from '../system/lazy-part.ts';

const atomicFile = lazyPart(() => import('../disk/atomic-file.ts'));

/** Returns why nothing can be changed, in the words of every refusal. */
export const incidentRefusal = {
  sentence: 'An incident file is read-only.',
  next: 'Connect to the service to change something.',
} as const;

/**
 * Returns a client of an incident. Its clock stands still at the time of the file, so that ages are those of
 * then.
 * @param now returns ms since the epoch by the clock of this machine.
 */
export function createIncidentClient(incident: Incident, now: () => number): Client {
  const { header, lines } = incident;
  const id = header.deploymentId;
  const deployment = deploymentOf(incident);
  const isIt = (asked: string): boolean => asked === id;
  const refuse = (operation: string) => async (): Promise<Result<never>> =>
    failure('read-only', operation, incidentRefusal.sentence, incidentRefusal.next);
  const unknown = (operation: string): Result<never> =>
    failure('not-found', operation, 'The incident file holds no such deployment.');
  const madeAt = Date.parse(header.madeAt) + header.clockOffset;
  return {
    host: 'incident file',
    deployments: {
      list: async () => ({ ok: true, value: [deployment] }),
      get: async (asked) =>
        isIt(asked) ? { ok: true, value: deployment } : unknown('get deployment'),
      create: refuse('create deployment'),
      close: refuse('close deployment'),
      restart: refuse('restart deployment'),
    },
    files: filesOf(incident, refuse),
    logs: {
      async fetch(asked, { limit = defaultLogLimit, offset = 0, service, search }) {
        if (!isIt(asked)) return unknown('fetch logs');
        const found = selected(lines, service, search);
        const end = Math.max(0, found.length - offset);
        const page = found.slice(Math.max(0, end - limit), end).toReversed();
        return { ok: true, value: { lines: page.map((value) => ({ value, unknown: {} })) } };
      },
      stream(_, handlers) {
        let isClosed = false;
        queueMicrotask(() => {
          if (isClosed) return;
          handlers.onOpen();
          const ended = failure('ended', 'stream logs', 'The incident file ends here.');
          if (!ended.ok) handlers.onClose(ended.error);
        });
        return {
          pause() {},
          resume() {},
          close() {
            isClosed = true;
          },
        };
      },
      isEnded: async () => ({ ok: true, value: true }),
      decode: decodeFrameAt,
    },
    grants: {
      list: async () => failure('local', 'list grants', 'Grants are not part of an incident file.'),
      create: refuse('create grant'),
      revoke: refuse('revoke grant'),
    },
    clockOffset: () => madeAt - now(),
    lowDisk: () => undefined,
    close: async () => {},
  };
}

type Failure = Extract<Result<never>, { ok: false }>;

function failure(code: ErrorCode, operation: string, sentence: string, next = ''): Failure {
  return { ok: false, error: { code, operation, sentence, next, unknownOutcome: false } };
}

function deploymentOf({ header, deployment }: Incident): DecodedRecord<Deployment> {
  const { deploymentId: id, deploymentName: name } = header;
  const decoded = decodeDeployment({ ...deployment, id }, 'deployment');
  if (!decoded.ok) return { value: { id, name, services: [] }, unknown: {} };
  const { value, services = [], unknown } = decoded.value;
  return { value: { ...value, services }, unknown };
}

/** Returns the lines of a service that hold a text, whatever its case. */
function selected(
  lines: readonly LogLine[],
  service: string | undefined,
  search: string | undefined,
): readonly LogLine[] {
  if (service === undefined && search === undefined) return lines;
  const text = search?.toLowerCase() ?? '';
  return lines.filter(
    (line) =>
      (service === undefined || line.serviceName === service) &&
      line.logLine.toLowerCase().includes(text),
  );
}

function filesOf(
  incident: Incident,
  refuse: (operation: string) => () => Promise<Result<never>>,
): Client['files'] {
  const differences = differenceFiles(incident);
  const records = (service: string): readonly FileRecord[] => [
    ...incident.files.filter((file) => file.service === service),
    ...differences
      .filter((file) => file.service === service)
      .map(({ path, content, at }) => ({
        path,
        size: Buffer.byteLength(content),
        modifiedAt: new Date(at).toISOString(),
      })),
  ];
  const find = (service: string, path: string) =>
    differences.find((file) => file.service === service && file.path === path);
  const lacks = (path: string): Failure =>
    failure(
      'local',
      'get file content',
      `The incident file holds no content of ${path}.`,
      'Files that end in .diff show what changed.',
    );
  return {
    list: async (_, service) => ({
      ok: true,
      value: records(service).map((value) => ({ value, unknown: {} })),
    }),
    async get(_, service, path) {
      const file = find(service, path);
      if (file === undefined) return lacks(path);
      const { content: text } = file;
      return { ok: true, value: { path, bytes: Buffer.from(text), text, certainty: 'certain' } };
    },
    async save(_, service, path, toFile) {
      const file = find(service, path);
      if (file === undefined) return lacks(path);
      const { writeAtomically, whyNot } = await atomicFile();
      try {
        await writeAtomically(toFile, file.content);
      } catch (error) {
        return failure('local', 'get file content', `Can't write ${toFile}: ${whyNot(error)}.`);
      }
      return { ok: true, value: { size: Buffer.byteLength(file.content), certainty: 'certain' } };
    },
    update: refuse('update file'),
    rename: refuse('rename file'),
    delete: refuse('delete file'),
    upload: refuse('upload files'),
  };
}
