import type { ServerAddress } from './access.ts';
import type { Exposure } from './exposure.ts';
import { listen, type Listening, usualPort } from './listen.ts';
import { buildServer } from './server.ts';
import type { HostService } from '../service.ts';

/** Where a host listens. */
export interface Places {
  /** On loopback; 127.0.0.1 without one. */
  readonly address?: string | undefined;
  /** There; 0 for a free one. Without: the usual one, or a free one when that is taken. */
  readonly port?: number | undefined;
  /** Where it is reached from other machines, beside loopback. */
  readonly exposure?: Exposure | undefined;
  /** Names it answers to, beside its addresses and localhost. */
  readonly names?: readonly string[] | undefined;
}

/**
 * Listens on loopback, which the consoles of this machine use, and where others get to. Gives both
 * in this order. Throws a `StartFailure` when one of them cannot be had.
 */
export async function listenEverywhere(
  service: HostService,
  { address = '127.0.0.1', port, exposure, names = [] }: Places,
): Promise<readonly [Listening, ...Listening[]]> {
  const known = new Set(names.map((name) => name.toLowerCase()));
  // First, as all addresses of a port cannot be had once loopback has it.
  const exposed = exposure === undefined ? [] : [await expose(service, exposure, known)];
  try {
    const reach = { scheme: 'http', isLoopback: true, names: known } as const;
    const app = await buildServer(service, reach);
    return [await listen(app, { scheme: 'http', address, port, flag: '--port' }), ...exposed];
  } catch (error) {
    for (const listening of exposed) await listening.close();
    throw error;
  }
}

async function expose(
  service: HostService,
  { address, port = usualPort, tls }: Exposure,
  names: ServerAddress['names'],
): Promise<Listening> {
  const scheme = tls === undefined ? 'http' : 'https';
  const app = await buildServer(service, { scheme, isLoopback: false, names }, tls);
  return await listen(app, { scheme, address, port, flag: '--listen' });
}
