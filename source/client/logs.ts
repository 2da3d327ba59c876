import { request } from './http/request.ts';
import type { LogsClient } from './client.ts';
import { decodeFrameAt, decodeLogs } from './decode/logs.ts';
import type { Http } from './http/http.ts';
import type { LogStreams } from './stream/log-stream.ts';

/** Creates the log operations: fetch over HTTP, stream over a WebSocket, and decode. */
export function createLogsClient(http: Http, streams: LogStreams): LogsClient {
  return {
    async fetch(id, { limit, offset, service, search }, signal) {
      const query = { limit, offset, service, search };
      const call = { operation: 'fetchLogs', parameters: { id }, query, signal } as const;
      const lines = await request(http, call, decodeLogs);
      return lines.ok ? { ok: true, value: { lines: lines.value } } : lines;
    },
    stream: (id, handlers) => streams.open(id, handlers),
    decode: decodeFrameAt,
  };
}
