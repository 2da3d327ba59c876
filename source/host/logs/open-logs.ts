import path from 'node:path';
import type { HostClock } from '../clock.ts';
import type { HostLimits } from '../server/limits.ts';
import { unusableData } from '../start-failure.ts';
import type { Storage } from '../records/storage.ts';
import { HostLogs } from './logs.ts';
import { moveOldLines } from './old-lines.ts';
import { LogWriter } from './writer.ts';

export interface OpenLogsOptions {
  readonly dataDir: string;
  readonly storage: Storage;
  readonly clock: HostClock;
  readonly limits: HostLimits;
  readonly onFailure: (error: unknown) => void;
}

/** Opens the logs of a data folder, which `storage` has locked. Throws a `StartFailure`. */
export async function openLogs(options: OpenLogsOptions): Promise<HostLogs> {
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
    return new HostLogs({ writer, clock, backlogBytes: limits.streamBacklogBytes });
  } catch (error) {
    throw unusableData(dataDir, error);
  }
}
