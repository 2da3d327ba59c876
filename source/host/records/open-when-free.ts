import { setTimeout } from 'node:timers/promises';
import { ControlClient } from '../control/control-client.ts';
import { controlSocketPath } from '../control/control-path.ts';
import { StartFailure } from '../start-failure.ts';
import { DamagedRecords, damagedRecordsFailure } from './set-aside.ts';
import { Storage } from './storage.ts';

/** Exceeds the 10 s that a stopping host gives its services. */
const lockTimeoutMs = 15_000;

const pollMs = 100;

/**
 * Opens the storage of a data folder. Waits while the folder is locked by a host that does not
 * answer, since that host is stopping or starting. Throws a {@link StartFailure}, with the code
 * `locked` when a host is running on the folder, with `damaged-data` after moving damaged records aside.
 */
export async function openStorageWhenFree(dataDir: string): Promise<Storage> {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      return Storage.open(dataDir);
    } catch (error) {
      if (error instanceof DamagedRecords) throw beginAnew(dataDir, error);
      const isLocked = error instanceof StartFailure && error.code === 'locked';
      if (!isLocked || performance.now() > deadline) throw error;
      const client = await ControlClient.connect(controlSocketPath(dataDir));
      if (client !== undefined) {
        client.close();
        throw error;
      }
    }
    await setTimeout(pollMs);
  }
}

/**
 * Creates new records in place of damaged ones, with the identity of the host and the ids of its
 * runs as far as they were readable: the next start then ends the services that a killed host left.
 * Returns the failure of this start, so that nobody takes the host without deployments for theirs.
 */
export function beginAnew(dataDir: string, damaged: DamagedRecords): StartFailure {
  const { meta, runs } = damaged.salvage;
  try {
    const storage = Storage.open(dataDir);
    storage.transaction(() => {
      for (const [key, value] of meta) storage.writeMeta(key, value);
      const insert = storage.prepare('insert or ignore into runs (run) values (?)');
      for (const run of runs) insert.run(run);
    });
    storage.close();
  } catch {
    // The next start creates the records.
  }
  return damagedRecordsFailure(dataDir, damaged);
}
