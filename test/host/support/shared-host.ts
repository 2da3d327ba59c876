import { afterAll, beforeAll } from 'vitest';
import type { HostOptions } from '../../../source/host/server/serve.ts';
import { callerOf, type TemporaryHost, temporaryHost } from './temporary-host.ts';

/**
 * Returns a host that all tests of a file or `describe` share: it starts before the first test and
 * is removed after the last. Callers can be created before the host runs.
 */
export function sharedHost(options?: Partial<HostOptions>): Omit<TemporaryHost, 'remove'> {
  let started: TemporaryHost | undefined;
  const service = () => {
    if (started === undefined) throw new Error('The host starts with the first test.');
    return started;
  };
  beforeAll(async () => {
    started = await temporaryHost(options);
  });
  afterAll(() => started?.remove());
  return {
    get dataDir() {
      return service().dataDir;
    },
    get host() {
      return service().host;
    },
    as: (wallet) => callerOf(wallet, () => service().host),
    again: (more) => service().again(more),
  };
}
