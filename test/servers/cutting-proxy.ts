import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Content of a connection: the log stream with its handshake, or requests and answers. */
export type Carried = 'stream' | 'requests';

/** A proxy between a client and a service that breaks connections on demand. */
export interface CuttingProxy {
  /** Base URL of the service through the proxy. */
  readonly baseUrl: string;
  /** Returns the number of requested WebSockets so far. */
  upgrades(): number;
  /** Resolves when the next WebSocket is requested. */
  nextUpgrade(): Promise<void>;
  /** Resolves once no requested WebSocket waits for the service's answer. */
  answered(): Promise<void>;
  /** Breaks all connections at once and cancels `cutAfter`. */
  cut(): void;
  /**
   * Breaks all connections after `bytes` more bytes from connections of this kind, then resolves.
   * With `fresh`, only new connections count.
   */
  cutAfter(carried: Carried, bytes: number, fresh?: boolean): Promise<void>;
  /** Stops all traffic of the open connections without closing them. */
  silence(): void;
  /** Breaks all connections and refuses new ones, until `back`. */
  away(): Promise<void>;
  back(): Promise<void>;
  /** Forwards new connections to another service. */
  lead(baseUrl: string): void;
  close(): Promise<void>;
}

/** A cut after a number of bytes. */
interface Fuse {
  readonly carried: Carried;
  /** Number of the first connection that counts. */
  readonly from: number;
  left: number;
  readonly onCut: () => void;
}

export async function startCuttingProxy(baseUrl: string): Promise<CuttingProxy> {
  let target = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const silences = new Set<() => void>();
  let upgrades = 0;
  let upgrade = Promise.withResolvers<void>();
  let answer = Promise.withResolvers<void>();
  answer.resolve();
  /** Number of the connection with the WebSocket requested last, until the service answers. */
  let unanswered: number | undefined;
  let connections = 0;
  let fuse: Fuse | undefined;

  const cut = (): void => {
    fuse = undefined;
    for (const socket of sockets) socket.destroy();
  };

  /** Returns true when a chunk passes completely; otherwise sends its allowed part and cuts. */
  const passes = (chunk: Buffer, carried: Carried, connection: number, to: Socket): boolean => {
    if (fuse?.carried !== carried || connection < fuse.from) return true;
    fuse.left -= chunk.length;
    if (fuse.left > 0) return true;
    const { onCut, left } = fuse;
    fuse = undefined;
    to.end(chunk.subarray(0, chunk.length + left), () => {
      cut();
      onCut();
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
      if (unanswered === undefined) answer = Promise.withResolvers();
      unanswered = connection;
    });
    far.once('data', () => {
      if (connection !== unanswered) return;
      unanswered = undefined;
      answer.resolve();
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
    answered: () => answer.promise,
    cut,
    cutAfter(carried, bytes, fresh = false) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const from = fresh ? connections + 1 : 0;
      fuse = { carried, from, left: Math.max(1, bytes), onCut: () => resolve(undefined) };
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
