import { type DamagedRecords, damagedRecordsFailure } from './set-aside.ts';
import { Storage } from './storage.ts';
import type { StartFailure } from '../start-failure.ts';

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
