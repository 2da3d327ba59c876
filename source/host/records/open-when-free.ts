import { setTimeout } from 'node:timers/promises';
import { ControlClient } from '../control/control-client.ts';
import { controlPath } from '../control/control-path.ts';
import { StartFailure } from '../start-failure.ts';
import { Storage } from './storage.ts';

/** A host that ends gives its services 10 s. */
const patienceMs = 15_000;

const pollMs = 100;

/**
 * Opens the data folder. While it is locked and nobody answers there, another host is just ending
 * or starting: that is waited out. Throws a {@link StartFailure}; `locked` when a host runs there.
 */
export async function openWhenFree(dataDir: string): Promise<Storage> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return Storage.open(dataDir);
    } catch (error) {
      const isLocked = error instanceof StartFailure && error.code === 'locked';
      if (!isLocked || performance.now() > deadline) throw error;
      const client = await ControlClient.connect(controlPath(dataDir));
      if (client !== undefined) {
        client.close();
        throw error;
      }
    }
    await setTimeout(pollMs);
  }
}
