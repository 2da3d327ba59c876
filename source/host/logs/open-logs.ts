import path from 'node:path';
import type { HostClock } from '../clock.ts';
import type { HostLimits } from '../server/limits.ts';
import { unusableDataFolder } from '../start-failure.ts';
import type { Storage } from '../records/storage.ts';
import { isDamaged } from '../records/damage.ts';
import { lostLogsKey, setAsideLogs } from '../records/set-aside.ts';
import { HostLogs } from './logs.ts';
import type { LogRun } from './run.ts';
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
    const writer = await LogWriter.open({
      file,
      limits: { maxLogBytes: limits.maxLogBytes, maxAllLogBytes: limits.maxAllLogBytes },
      newestDeployment: newest,
      onFailure,
    });
    try {
      await migrateOldLines(storage, writer);
      await continueLostLogs(storage, writer);
    } catch (error) {
      await writer.close();
      throw error;
    }
    return new HostLogs({ writer, clock, backlogBytes: limits.maxStreamBacklogBytes });
  } catch (error) {
    throw isDamaged(error)
      ? setAsideLogs(dataDir, storage, clock.now(), error)
      : unusableDataFolder(dataDir, error);
  }
}

/**
 * Lets the lines of all deployments continue after the loss of the log database. Their ids are then
 * those of the time in ms, which no log reached with a line for each id.
 */
async function continueLostLogs(storage: Storage, writer: LogWriter): Promise<void> {
  const lostAt = storage.readMeta(lostLogsKey);
  if (lostAt === undefined) return;
  const rows = storage.prepare('select number from deployments').all();
  await writer.finishMove(new Map(rows.map(({ number }) => [Number(number), Number(lostAt)])));
  storage.deleteMeta(lostLogsKey);
}

/** Lines per step. */
const sliceSize = 2_000;

/**
 * Moves the log lines of older versions from the host's records to the log's own database. Deletes
 * them from the records once all are on the disk; when the host ends before that, the next one
 * repeats the move without writing lines twice. Throws when the disk refuses them.
 */
async function migrateOldLines(storage: Storage, writer: LogWriter): Promise<void> {
  const oldTable = storage
    .prepare(`select 1 from sqlite_schema where name = 'old_log_lines'`)
    .get();
  if (oldTable === undefined) return;
  const ends = storage.prepare('select deployment, last from old_log_ends').all();
  for (const end of ends) await moveLog(Number(end['deployment']), storage, writer);
  await writer.finishMove(
    new Map(ends.map(({ deployment, last }) => [Number(deployment), Number(last)])),
  );
  storage.dropOldLines();
}

async function moveLog(deployment: number, storage: Storage, writer: LogWriter): Promise<void> {
  for (let after = 0; ; ) {
    const rows = storage
      .prepare(
        `select id, service, stream, at, line from old_log_lines
         where deployment = ? and id > ? order by id limit ?`,
      )
      .all(deployment, after, sliceSize);
    if (rows.length === 0) return;
    after = Number(rows.at(-1)?.['id']);
    const runs = rows.map(
      ({ id, service, stream, at, line }): LogRun => ({
        deployment,
        first: Number(id),
        count: 1,
        service: String(service),
        stream: String(stream),
        at: Number(at),
        text: String(line),
      }),
    );
    writer.append(runs, []);
    if (!(await writer.flush())) throw new Error('the disk is full');
  }
}
