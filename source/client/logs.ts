import { request } from './http/request.ts';
import type { LogLine, LogQuery } from '../contract/logs.ts';
import type { DecodedRecord } from './decode/fields.ts';
import type { Result } from './http/errors.ts';
import { decodeFrameAt, decodeLogs, type LogFrame } from './decode/logs.ts';
import type { Http } from './http/http.ts';
import type { LogStream, LogStreamHandlers, LogStreams } from './stream/log-stream.ts';

export interface LogsClient {
  /** Fetches lines. The caller waits longer each time while the service limits requests. */
  fetch(id: string, query: LogQuery, signal?: AbortSignal): Promise<Result<LogPage>>;
  stream(id: string, handlers: LogStreamHandlers): LogStream;
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
    decode: decodeFrameAt,
  };
}
