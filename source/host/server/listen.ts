import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartFailure } from '../start-failure.ts';

/** Taken unless another one is asked for or, on loopback, it is taken already. */
export const usualPort = 7420;

/** Requests in flight and streams get this long to end when the host does. */
const farewellMs = 1000;

export interface Listening {
  readonly baseUrl: string;
  /** Lets requests and streams end by themselves for a moment, then makes them. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly scheme: 'http' | 'https';
  /** An IP address. */
  readonly address: string;
  /** 0 for a free one; without one the usual port, or a free one when that is taken. */
  readonly port: number | undefined;
  /** The flag by which a person names another port. */
  readonly flag: '--port' | '--listen';
}

/** Listens. Throws a {@link StartFailure} when the address or its port cannot be had. */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listening> {
  // Upgraded sockets too, which the server itself no longer counts among its own.
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
    });
  });
  const close = async () => {
    const impatience = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, farewellMs);
    await app.close();
    clearTimeout(impatience);
  };
  try {
    await bind(app, options);
    const { scheme, address } = options;
    const bound = app.server.address();
    const port = typeof bound === 'object' ? bound?.port : undefined;
    const host = address.includes(':') ? `[${address}]` : address;
    return { baseUrl: `${scheme}://${host}:${port}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function bind(app: FastifyInstance, { address, port, flag }: ListenOptions): Promise<void> {
  try {
    await app.listen({ host: address, port: port ?? usualPort });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRNOTAVAIL') {
      throw new StartFailure(
        'no-address',
        `${address} is no address of this machine.`,
        'Name one of its own with --listen.',
      );
    }
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    if (port === undefined) {
      await app.listen({ host: address, port: 0 });
      return;
    }
    const why = code === 'EACCES' ? 'may not be listened on by this user' : 'is taken';
    throw new StartFailure('port-taken', `Port ${port} ${why}.`, `Name another one with ${flag}.`);
  }
}
