import { request } from './http/request.ts';
import { isClosedState } from '../contract/deployments.ts';
import type { LogLine, LogQuery } from '../contract/logs.ts';
import { decodeDeployment } from './decode/deployments.ts';
import { decodeResource } from './decode/envelope.ts';
import type { DecodedRecord } from './decode/fields.ts';
import type { Result } from './http/errors.ts';
import { decodeFrameAt, decodeLogs, type LogFrame } from './decode/logs.ts';
import type { Http } from './http/http.ts';
import type { LogStream, LogStreamHandlers, LogStreams } from './stream/log-stream.ts';

export interface LogsClient {
  /** Fetches lines. The caller waits longer each time while the service limits requests. */
  fetch(id: string, query: LogQuery, signal?: AbortSignal): Promise<Result<LogPage>>;
  stream(id: string, handlers: LogStreamHandlers): LogStream;
  /**
   * Returns whether no more lines can come: the deployment is closed, or the service doesn't have it
   * any more. The end of a stream alone doesn't tell this.
   */
  isEnded(id: string): Promise<Result<boolean>>;
  /** Decodes the message in `bytes` from `start` to `end`. */
  decode(bytes: Uint8Array, start: number, end: number): LogFrame;
}

interface LogPage {
  readonly lines: readonly DecodedRecord<LogLine>[];
}

/** Creates the log operations: fetch over HTTP, stream over a WebSocket, and decode. */
export function createLogsClient(http: Http, streams: LogStreams): LogsClient {
  return {
    async fetch(id, { limit, offset, service, search }, signal) {
      const query = { limit, offset, service, search };
      const call = {
        operation: 'fetchLogs',
        parameters: { id },
        query,
        signal,
        isRepeated: true,
      } as const;
      const lines = await request(http, call, decodeLogs);
      return lines.ok ? { ok: true, value: { lines: lines.value } } : lines;
    },
    stream: (id, handlers) => streams.open(id, handlers),
    async isEnded(id) {
      const call = { operation: 'getDeployment', parameters: { id } } as const;
      const got = await request(http, call, (json) =>
        decodeResource(json, 'deployment', decodeDeployment),
      );
      if (got.ok) return { ok: true, value: isClosedState(got.value.value.state) };
      return got.error.code === 'not-found' ? { ok: true, value: true } : got;
    },
    decode: decodeFrameAt,
  };
}
