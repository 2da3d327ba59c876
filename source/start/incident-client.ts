/** A client that answers from an incident file, so that the console shows one like a service. */
import { Readable } from 'node:stream';
import { type Client, clientOver } from '../client/client.ts';
import { nextTurn } from '../client/decode/long-list.ts';
import {
  createRequestTarget,
  createServiceError,
  type ErrorCode,
  type RequestName,
  type Result,
} from '../client/http/errors.ts';
import type { Http, HttpAnswer, RequestCall } from '../client/http/http.ts';
import { defaultLimits } from '../client/http/limits.ts';
import type { LogStreams } from '../client/stream/log-stream.ts';
import { defaultLogLimit, type LogLine } from '../contract/logs.ts';
import type { OperationName } from '../contract/routes.ts';
import type { Incident } from '../store/incident/incident.ts';
import { formatJsonLine } from '../store/log/format.ts';

/** Returns why nothing can be changed, in the words of every refusal. */
export const incidentRefusal = {
  sentence: 'An incident file is read-only.',
  next: 'Connect to the service to change something.',
} as const;

const host = 'incident file';

/**
 * Returns a client of an incident: requests are answered as a service with its content would, so that hostile
 * content is decoded like that of a service. Its clock stands still at the time of the file, so that ages are
 * those of then.
 * @param now returns ms since the epoch by the clock of this machine.
 */
export function createIncidentClient(incident: Incident, now: () => number): Client {
  const { madeAt, clockOffset } = incident.facts;
  const send: Http['send'] = async (call) => answer(incident, call);
  const http: Http = {
    host,
    limits: defaultLimits,
    workTurn: nextTurn,
    targetOf: (operation) => createRequestTarget(operation, host),
    send,
    async receive(call, take) {
      const sent = await send(call);
      if (!sent.ok) return sent;
      const { bytes, ...head } = sent.value;
      return take({ ...head, length: bytes.length, body: Readable.from([bytes]) });
    },
    fail: (error) => ({ ok: false, error }),
    observeDate() {},
    clockOffset: () => Date.parse(madeAt) + clockOffset - now(),
    lowDisk: () => undefined,
    close: async () => {},
  };
  const client = clientOver(http, endedStreams);
  const isEnded = async () => ({ ok: true, value: true }) as const;
  return { ...client, logs: { ...client.logs, isEnded } };
}

/** Streams that end at once, since no line can come. */
const endedStreams: LogStreams = {
  open(_, handlers) {
    let isClosed = false;
    queueMicrotask(() => {
      if (isClosed) return;
      handlers.onOpen();
      handlers.onClose(failure('streamLogs', 'ended', 'The incident file ends here.').error);
    });
    return {
      pause() {},
      resume() {},
      close() {
        isClosed = true;
      },
    };
  },
  close() {},
};

function failure(operation: RequestName, code: ErrorCode, sentence: string, next = '') {
  const error = createServiceError(createRequestTarget(operation, host), code, sentence, next);
  return { ok: false, error } as const;
}

/** Answers a request that reads, and refuses one that writes. */
function answer(
  { facts, diffs, lines }: Incident,
  { operation, parameters = {}, query = {} }: RequestCall,
): Result<HttpAnswer> {
  const { id = facts.deploymentId, name = '', path = '' } = parameters;
  const record = { name: facts.deploymentName, ...facts.deployment, id };
  const files = diffs
    .filter(({ service }) => service === name)
    .map((diff) => ({ path: `${diff.path}.diff`, text: diff.text }));
  const answers: Partial<Record<OperationName, () => Result<HttpAnswer>>> = {
    listDeployments: () => success(JSON.stringify([record])),
    getDeployment: () => success(JSON.stringify(record)),
    listFiles() {
      const shown = files.map((file) => ({ path: file.path, size: Buffer.byteLength(file.text) }));
      return success(JSON.stringify({ files: [...(facts.files[name] ?? []), ...shown] }));
    },
    getFile() {
      const found = files.find((file) => file.path === path);
      if (found !== undefined) return success(found.text, 'application/octet-stream');
      const sentence = `The incident file holds no content of ${path}.`;
      return failure(operation, 'local', sentence, 'Files that end in .diff show what changed.');
    },
    fetchLogs: () => success(`{"logs":[${pageOf(lines, query, id).join(',')}]}`),
    listGrants: () => failure(operation, 'local', 'Grants are not part of an incident file.'),
  };
  const reply = answers[operation];
  const { sentence, next } = incidentRefusal;
  if (reply === undefined) return failure(operation, 'read-only', sentence, next);
  if (id === facts.deploymentId) return reply();
  return failure(operation, 'not-found', 'The incident file holds no such deployment.');
}

function success(text: string, contentType = 'application/json'): Result<HttpAnswer> {
  const bytes = Buffer.from(text);
  return { ok: true, value: { status: 200, bytes, contentType, lastModified: undefined } };
}

/** Returns the lines of a page as JSON, newest first. */
function pageOf(
  lines: Incident['lines'],
  { limit, offset, service, search }: NonNullable<RequestCall['query']>,
  id: string,
): readonly string[] {
  const text = String(search ?? '').toLowerCase();
  const isFound = ({ serviceName, logLine }: LogLine): boolean =>
    (service === undefined || serviceName === service) && logLine.toLowerCase().includes(text);
  const found = service === undefined && text === '' ? lines : lines.filter(isFound);
  const end = Math.max(0, found.length - Number(offset ?? 0));
  const page = found.slice(Math.max(0, end - Number(limit ?? defaultLogLimit)), end);
  return page.toReversed().map((line) => formatJsonLine(line, id));
}
