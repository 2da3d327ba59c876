import type { Storage } from '../records/storage.ts';
import type { LogRun } from './run.ts';
import type { LogWriter } from './writer.ts';

/** Lines per step. */
const sliceSize = 2_000;

/**
 * Moves the log lines of older versions from the host's records to the log's own database. Deletes
 * them from the records once all are on the disk; when the host ends before that, the next one
 * repeats the move without writing lines twice. Throws when the disk refuses them.
 */
export async function moveOldLines(storage: Storage, writer: LogWriter): Promise<void> {
  const oldTable = storage
    .prepare(`select 1 from sqlite_schema where name = 'old_log_lines'`)
    .get();
  if (oldTable === undefined) return;
  const ends = storage.prepare('select deployment, last from old_log_ends').all();
  for (const end of ends) await moveLog(Number(end['deployment']), storage, writer);
  await writer.finishMove(
    new Map(ends.map(({ deployment, last }) => [Number(deployment), Number(last)])),
  );
  storage.forgetOldLines();
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
    if (!(await writer.settled())) throw new Error('the disk is full');
  }
}
