import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** A service that does nothing but write log lines as fast as its reader takes them. */
export interface Flood {
  readonly baseUrl: string;
  readonly deployment: string;
  close(): Promise<void>;
}

const batch = 500;

/** Each stream gets `lines` lines of `length` characters, numbered from 1, and nothing after. */
export async function startFlood(lines: number, length: number): Promise<Flood> {
  const deployment = '00000000-0000-4000-8000-000000000000-1';
  const text = 'x'.repeat(length);
  /** Lines written so far: the log begins with the first reader of the stream. */
  let written = 0;
  const message = (id: number) => ({
    type: 'log',
    id,
    deploymentId: deployment,
    serviceName: 'web',
    timestamp: '2026-01-01T00:00:00.000Z',
    logLine: text,
    stream: 'stdout',
  });
  /** Newest first. */
  const page = (query: URLSearchParams) => {
    const newest = written - Number(query.get('offset') ?? 0);
    const count = Math.min(Number(query.get('limit') ?? 100), Math.max(0, newest));
    return Array.from({ length: count }, (_, index) => message(newest - index));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://flood');
    const body = url.pathname.endsWith('/logs')
      ? { logs: page(url.searchParams) }
      : { deployments: [{ id: deployment, services: ['web'] }] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  const streams = new WebSocketServer({ server, perMessageDeflate: false });
  streams.on('connection', (socket) => {
    let sent = 0;
    const more = (): void => {
      for (let index = 0; index < batch && sent < lines; index += 1) {
        sent += 1;
        written = Math.max(written, sent);
        const last = index === batch - 1 && sent < lines;
        socket.send(JSON.stringify(message(sent)), last ? () => setImmediate(more) : () => {});
      }
    };
    more();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    deployment,
    async close() {
      for (const socket of streams.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
