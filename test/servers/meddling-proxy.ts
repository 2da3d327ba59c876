import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as forward,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request that passes through the proxy. */
export interface Passing {
  readonly method: string;
  /** Encoded path without the query. */
  readonly path: string;
  /** The body as UTF-8; empty until all of it has arrived. */
  readonly body: string;
}

/** Treatment of a request: pass it, break the connection, or answer with a status. */
export type Meddling =
  | 'pass'
  | 'drop before the service has it'
  | 'drop when the service has answered'
  | { readonly status: number };

/** A proxy that records requests and may manipulate them. */
export interface MeddlingProxy {
  /** Base URL of the service through the proxy. */
  readonly baseUrl: string;
  /** All requests so far, in the order of their arrival. */
  readonly passed: readonly Passing[];
  /** Returns all requests except GETs. */
  writes(): readonly Passing[];
  /** Decides the treatment of each request; the service receives it after the promise resolves. */
  meddle: (passing: Passing) => Meddling | Promise<Meddling>;
  /** Called with the status when the service has answered, before the answer is forwarded. */
  answered: (passing: Passing, status: number) => void;
  /** Breaks all connections and refuses new ones, until `back`. */
  close(): Promise<void>;
  back(): Promise<void>;
}

/** Starts a proxy for the service at `baseUrl` on a free port. */
export async function startMeddlingProxy(baseUrl: string): Promise<MeddlingProxy> {
  const target = new URL(baseUrl);
  const to = { host: target.hostname, port: target.port };
  const passed: Passing[] = [];
  const sockets = new Set<Duplex>();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const passing = { method, path: url.split('?')[0] ?? '', body: '' };
    passed.push(passing);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    passing.body = Buffer.concat(chunks).toString();
    const meddling = await proxy.meddle(passing);
    if (meddling === 'drop before the service has it') return void request.socket.destroy();
    if (typeof meddling === 'object') return void response.writeHead(meddling.status).end();
    const onward = forward({ ...to, method, path: url, headers, agent: false });
    onward.end(Buffer.concat(chunks));
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    proxy.answered(passing, answer.statusCode ?? 502);
    if (meddling === 'drop when the service has answered') {
      answer.destroy();
      return void request.socket.destroy();
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, near: Duplex, head: Buffer) => {
    const far = connect(Number(to.port), to.host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    const { rawHeaders } = request;
    const lines = rawHeaders.flatMap((name, at) =>
      at % 2 ? [] : [`${name}: ${rawHeaders[at + 1]}`],
    );
    far.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    far.write(head);
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxy: MeddlingProxy = {
    baseUrl: `http://127.0.0.1:${port}${target.pathname.replace(/\/$/, '')}`,
    passed,
    writes: () => passed.filter(({ method }) => method !== 'GET'),
    meddle: () => 'pass',
    answered: () => {},
    async back() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return proxy;
}
