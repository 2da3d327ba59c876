import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A request to an engine, as it went over the wire. */
export interface RecordedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  /** Names and values by turns. */
  readonly headers: readonly string[];
  /** Body of JSON; empty for others. */
  body: string;
}

/** A proxy before an engine that records each request. */
export interface RecordingProxy {
  /** Address for `DOCKER_HOST`. */
  readonly address: string;
  readonly requests: readonly RecordedRequest[];
  close(): void;
}

/** Starts a proxy before the engine at this address. */
export async function startRecordingProxy(engine: string): Promise<RecordingProxy> {
  const { hostname, port } = new URL(engine);
  const requests: RecordedRequest[] = [];
  const server = createServer((from, answer) => {
    const { method = '', url = '', rawHeaders } = from;
    const recorded = { method, url, headers: rawHeaders, body: '' };
    requests.push(recorded);
    if (from.headers['content-type'] === 'application/json') {
      from.on('data', (chunk: Buffer) => (recorded.body += chunk.toString('latin1')));
    }
    const to = request({ hostname, port, method, path: url, headers: rawHeaders }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
      answer.flushHeaders();
      pipeline(answered, answer, () => undefined);
    });
    to.on('error', () => answer.destroy());
    answer.on('close', () => to.destroy());
    pipeline(from, to, () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    address: `tcp://127.0.0.1:${own}`,
    requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
