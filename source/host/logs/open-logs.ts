import path from 'node:path';
import type { Clock } from '../clock.ts';
import type { Limits } from '../server/limits.ts';
import { unusableData } from '../start-failure.ts';
import type { Storage } from '../records/storage.ts';
import { Logs } from './logs.ts';
import { moveOldLines } from './old-lines.ts';
import { LogWriter } from './writer.ts';

export interface LogsOptions {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly onFailure: (error: unknown) => void;
}

/** The logs of a data folder, which `storage` holds for this host. Throws a `StartFailure`. */
export async function openLogs(options: LogsOptions): Promise<Logs> {
  const { dataDir, storage, clock, limits, onFailure } = options;
  try {
    const file = path.join(dataDir, 'logs.db');
    const newest = Number(
      storage.prepare(`select seq from sqlite_sequence where name = 'deployments'`).get()?.[
        'seq'
      ] ?? 0,
    );
    const bytesKept = limits.logBytes;
    const writer = await LogWriter.open({ file, bytesKept, newest, onFailure });
    try {
      await moveOldLines(storage, writer);
    } catch (error) {
      await writer.close();
      throw error;
    }
    return new Logs({ writer, clock, backlogBytes: limits.streamBacklogBytes });
  } catch (error) {
    throw unusableData(dataDir, error);
  }
}
