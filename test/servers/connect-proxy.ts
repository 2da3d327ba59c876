import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy whose only upstream is one server, whatever name a request gives. */
export interface ConnectProxy {
  /** `HOST:PORT`. */
  readonly name: string;
  /** First line of each request, and its `Proxy-Authorization`. */
  readonly requests: readonly {
    readonly line: string;
    readonly authorization: string | undefined;
  }[];
  /** Status of the next answers; 0 closes the connection without one, 200 passes requests on. */
  status: number;
  /** Closes the open tunnels. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback that leads to `upstream`, an URL. */
export async function startConnectProxy(upstream: string): Promise<ConnectProxy> {
  const { hostname, port } = new URL(upstream);
  const requests: { line: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Duplex>();
  const record = ({ method, url, headers }: IncomingMessage): void => {
    requests.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'] });
  };
  const forward = (incoming: IncomingMessage, answer: ServerResponse): void => {
    record(incoming);
    if (proxy.status === 0) {
      incoming.socket.destroy();
      return;
    }
    if (proxy.status !== 200) {
      answer.writeHead(proxy.status).end();
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const passed = request({ hostname, port, method, path: pathname + search, headers });
    passed.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 0, response.rawHeaders);
      response.pipe(answer);
    });
    incoming.pipe(passed);
  };
  const tunnel = (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    record(incoming);
    socket.on('error', () => socket.destroy());
    if (proxy.status === 0) socket.destroy();
    else if (proxy.status !== 200) socket.end(`HTTP/1.1 ${proxy.status} No\r\n\r\n`);
    else {
      const target = connect(Number(port), hostname);
      target.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.on('close', () => target.destroy());
      target.once('connect', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.write(head);
        socket.pipe(target).pipe(socket);
      });
    }
  };
  const server = createServer(forward).on('connect', tunnel);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ConnectProxy = {
    name: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    status: 200,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      proxy.cut();
      await closed;
    },
  };
  return proxy;
}
