import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartFailure } from './start-failure.ts';

/** Taken unless another one is asked for or it is taken already. */
const usualPort = 7420;

/** Requests in flight and streams get this long to end when the host does. */
const farewellMs = 1000;

export interface Listening {
  readonly baseUrl: string;
  /** Lets requests and streams end by themselves for a moment, then makes them. */
  close(): Promise<void>;
}

/**
 * Listens on loopback: on this port, 0 for a free one; without one, on the usual port, or a free
 * one when that is taken. Throws a {@link StartFailure} when the port cannot be had.
 */
export async function listen(app: FastifyInstance, port: number | undefined): Promise<Listening> {
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
    return { baseUrl: await bind(app, port), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function bind(app: FastifyInstance, port: number | undefined): Promise<string> {
  const host = '127.0.0.1';
  try {
    return await app.listen({ host, port: port ?? usualPort });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    if (port === undefined) return await app.listen({ host, port: 0 });
    const why = code === 'EACCES' ? 'may not be listened on by this user' : 'is taken';
    throw new StartFailure('port-taken', `Port ${port} ${why}.`, 'Name another one with --port.');
  }
}
