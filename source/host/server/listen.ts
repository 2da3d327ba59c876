import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { HostService } from '../service.ts';
import { StartFailure } from '../start-failure.ts';
import type { ServerAddress } from './access.ts';
import type { Exposure } from './exposure.ts';
import { buildServer } from './server.ts';

/** The port used when none is given; on loopback a free port replaces it when it is in use. */
const defaultPort = 7420;

/** Milliseconds for running requests and streams to end when the host stops. */
const closeGraceMs = 1000;

export interface Listener {
  readonly baseUrl: string;
  /** Waits briefly for requests and streams to end, then closes their connections. */
  close(): Promise<void>;
}

/** The addresses on which a host listens. */
export interface ListenAddresses {
  /** Loopback address; 127.0.0.1 by default. */
  readonly address?: string | undefined;
  /** Loopback port, 0 for a free one; when absent, the default port or a free one. */
  readonly port?: number | undefined;
  /** Address for other machines, besides loopback. */
  readonly exposure?: Exposure | undefined;
  /** Accepted host names, besides the host's addresses and localhost. */
  readonly names?: readonly string[] | undefined;
}

/**
 * Listens on loopback, for the consoles of this machine, and on the exposed address if there is
 * one. Resolves with both in this order. Throws a `StartFailure` when an address is unavailable.
 */
export async function startListeners(
  service: HostService,
  { address = '127.0.0.1', port, exposure, names = [] }: ListenAddresses,
): Promise<readonly [Listener, ...Listener[]]> {
  const hostNames = new Set(names.map((name) => name.toLowerCase()));
  // Bind the exposed address first: a wildcard address can't share a port that loopback holds.
  const exposed = exposure === undefined ? [] : [await expose(service, exposure, hostNames)];
  try {
    const app = await buildServer(service, { scheme: 'http', isLoopback: true, names: hostNames });
    return [await listen(app, { scheme: 'http', address, port, flag: '--port' }), ...exposed];
  } catch (error) {
    for (const listening of exposed) await listening.close();
    throw error;
  }
}

async function expose(
  service: HostService,
  { address, port = defaultPort, tls }: Exposure,
  names: ServerAddress['names'],
): Promise<Listener> {
  const scheme = tls === undefined ? 'http' : 'https';
  const app = await buildServer(service, { scheme, isLoopback: false, names }, tls);
  return await listen(app, { scheme, address, port, flag: '--listen' });
}

interface ListenOptions {
  readonly scheme: 'http' | 'https';
  /** IP address to bind. */
  readonly address: string;
  /** Port, 0 for a free one; when undefined, the default port or a free one if it is in use. */
  readonly port: number | undefined;
  /** The flag with which a person sets another port. */
  readonly flag: '--port' | '--listen';
}

/** Starts listening. Throws a {@link StartFailure} when the address or its port is unavailable. */
async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listener> {
  // Includes upgraded sockets, which the server no longer tracks.
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
    });
  });
  const close = async () => {
    const timeout = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, closeGraceMs);
    await app.close();
    clearTimeout(timeout);
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
    await app.listen({ host: address, port: port ?? defaultPort });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRNOTAVAIL') {
      throw new StartFailure(
        'no-address',
        `${address} is not an address of this machine.`,
        'Name one of its addresses with --listen.',
      );
    }
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    if (port === undefined) {
      await app.listen({ host: address, port: 0 });
      return;
    }
    const reason = code === 'EACCES' ? 'is reserved for privileged users' : 'is already in use';
    throw new StartFailure('port-taken', `Port ${port} ${reason}.`, `Name another with ${flag}.`);
  }
}
