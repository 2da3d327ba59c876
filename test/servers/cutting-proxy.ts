import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a client and a service that breaks when it is told to. */
export interface CuttingProxy {
  /** The base URL, as seen through the proxy. */
  readonly baseUrl: string;
  /** WebSockets that have been asked for so far. */
  upgrades(): number;
  /** Breaks all connections, in the middle of whatever they carry. */
  cut(): void;
  /** Breaks all connections and refuses new ones, until `back`. */
  away(): Promise<void>;
  back(): Promise<void>;
  /** From now on there is another service behind it. */
  lead(baseUrl: string): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(baseUrl: string): Promise<CuttingProxy> {
  let target = new URL(baseUrl);
  const sockets = new Set<Socket>();
  let upgrades = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
      socket.on('error', () => socket.destroy());
    }
    near.once('data', (head: Buffer) => {
      if (/^upgrade: websocket/im.test(head.toString('latin1'))) upgrades += 1;
    });
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const away = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname}`,
    upgrades: () => upgrades,
    cut,
    away,
    async back() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    lead(next) {
      target = new URL(next);
    },
    async close() {
      if (server.listening) await away();
    },
  };
}
