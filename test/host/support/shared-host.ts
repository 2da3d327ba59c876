import { afterAll, beforeAll } from 'vitest';
import type { HostOptions } from '../../../source/host/server/serve.ts';
import { callerOf, type TemporaryHost, temporaryHost } from './temporary-host.ts';

/**
 * A host that all tests of a file, or of a `describe`, share: it starts before the first of them and
 * is removed after the last. Its callers can be made at once, and call once it runs.
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
