import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a connection carries: the log stream, from its handshake on, or requests and their answers. */
export type Carried = 'stream' | 'requests';

/** A network between a client and a service that breaks when it is told to. */
export interface CuttingProxy {
  /** The base URL, as seen through the proxy. */
  readonly baseUrl: string;
  /** WebSockets that have been asked for so far. */
  upgrades(): number;
  /** Settles when another one is asked for. */
  nextUpgrade(): Promise<void>;
  /** Breaks all connections, in the middle of whatever they carry, and forgets `cutAfter`. */
  cut(): void;
  /**
   * Breaks all connections when such a one has brought so many bytes more, and no sooner;
   * `fresh`: only connections that are made from now on count. Settles then.
   */
  cutAfter(carried: Carried, bytes: number, fresh?: boolean): Promise<void>;
  /** Nothing more passes over the connections that there are, and neither end is told. */
  silence(): void;
  /** Breaks all connections and refuses new ones, until `back`. */
  away(): Promise<void>;
  back(): Promise<void>;
  /** From now on there is another service behind it. */
  lead(baseUrl: string): void;
  close(): Promise<void>;
}

/** A cut that waits for bytes. */
interface Fuse {
  readonly carried: Carried;
  /** Only connections with at least this number count. */
  readonly from: number;
  left: number;
  readonly burnt: () => void;
}

export async function startCuttingProxy(baseUrl: string): Promise<CuttingProxy> {
  let target = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const silences = new Set<() => void>();
  let upgrades = 0;
  let upgrade = Promise.withResolvers<void>();
  let connections = 0;
  let fuse: Fuse | undefined;

  const cut = (): void => {
    fuse = undefined;
    for (const socket of sockets) socket.destroy();
  };

  /** Whether a chunk passes whole; else as much of it as may still pass does, and then all ends. */
  const passes = (chunk: Buffer, carried: Carried, connection: number, to: Socket): boolean => {
    if (fuse?.carried !== carried || connection < fuse.from) return true;
    fuse.left -= chunk.length;
    if (fuse.left > 0) return true;
    const { burnt, left } = fuse;
    fuse = undefined;
    to.end(chunk.subarray(0, chunk.length + left), () => {
      cut();
      burnt();
    });
    return false;
  };

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const connection = (connections += 1);
    let carried: Carried = 'requests';
    let silent = false;
    const silence = (): void => {
      silent = true;
      near.pause();
      far.pause();
    };
    silences.add(silence);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        silences.delete(silence);
        near.destroy();
        far.destroy();
      });
      socket.on('error', () => socket.destroy());
    }
    const carry = (from: Socket, to: Socket): void => {
      from.on('data', (chunk: Buffer) => {
        if (from === far && !passes(chunk, carried, connection, near)) far.pause();
        else if (!to.write(chunk)) from.pause();
      });
      to.on('drain', () => {
        if (!silent) from.resume();
      });
      from.on('end', () => to.end());
    };
    near.once('data', (head: Buffer) => {
      if (!/^upgrade: websocket/im.test(head.toString('latin1'))) return;
      carried = 'stream';
      upgrades += 1;
      upgrade.resolve();
      upgrade = Promise.withResolvers();
    });
    carry(near, far);
    carry(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const away = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname}`,
    upgrades: () => upgrades,
    nextUpgrade: () => upgrade.promise,
    cut,
    cutAfter(carried, bytes, fresh = false) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const from = fresh ? connections + 1 : 0;
      fuse = { carried, from, left: Math.max(1, bytes), burnt: () => resolve(undefined) };
      return promise;
    },
    silence() {
      for (const silence of silences) silence();
    },
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
