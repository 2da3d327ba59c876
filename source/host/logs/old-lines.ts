import type { Storage } from '../records/storage.ts';
import type { LogRun } from './run.ts';
import type { LogWriter } from './writer.ts';

/** Lines moved together. */
const slice = 2_000;

/**
 * Moves the log lines that an older version kept among the host's records. They leave these when
 * all of them are in the log's own database and on the disk; what an end in between leaves in both
 * is not written twice. Throws when the disk does not take them.
 */
export async function moveOldLines(storage: Storage, writer: LogWriter): Promise<void> {
  const isThere = storage.prepare(`select 1 from sqlite_schema where name = 'old_log_lines'`).get();
  if (isThere === undefined) return;
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
      .all(deployment, after, slice);
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
