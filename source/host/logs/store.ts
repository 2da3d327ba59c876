import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { createPrivateDatabase } from '../records/private-file.ts';
import type { LogCursor, LogRun, StoredCursor } from './run.ts';

/** Approximate size of a run beside its text: row, key and index entry. */
const rowBytes = 100;

/** Value of `pragma auto_vacuum` where free pages are removed in steps. */
const incrementalVacuum = 2;

/** Size to which SQLite truncates the write-ahead log. */
const walBytes = 16 * 1024 * 1024;

/** The end and the size of a deployment's log. */
export interface LogEnd {
  /** Id of the last line that the log ever had. */
  readonly lastId: number;
  /** Stored bytes. */
  readonly bytes: number;
}

/** The database of all log lines. Written lines survive a kill of the process. */
export class LogStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #ends: Map<number, LogEnd>;

  /** Throws errors of the system and of SQLite. */
  constructor(file: string) {
    createPrivateDatabase(file);
    this.#database = new DatabaseSync(file);
    // Exclusive mode needs no shared-memory file, so the database opens even on a full disk. Any read
    // before it would create that file.
    this.#database.exec('pragma locking_mode = exclusive');
    // Setting the mode again would write.
    if (this.#readPragma('auto_vacuum') !== incrementalVacuum) {
      this.#database.exec('pragma auto_vacuum = incremental');
    }
    this.#database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma journal_size_limit = ${walBytes};
    `);
    this.#migrate();
    const rows = this.prepare('select deployment, last, bytes from log_ends').all();
    this.#ends = new Map(
      rows.map(({ deployment, last, bytes }) => [
        Number(deployment),
        { lastId: Number(last), bytes: Number(bytes) },
      ]),
    );
  }

  /** Ends of the logs by the deployment's number. */
  get ends(): ReadonlyMap<number, LogEnd> {
    return this.#ends;
  }

  /** Returns the places in the sources whose lines are stored, by source. */
  readCursors(): ReadonlyMap<string, StoredCursor> {
    const rows = this.prepare('select * from log_cursors').all();
    return new Map(
      rows.map(({ source, deployment, at, service, instance }) => [
        String(source),
        {
          deployment: Number(deployment),
          at: String(at),
          service: service === null ? undefined : String(service),
          instance: instance === null ? undefined : Number(instance),
        },
      ]),
    );
  }

  /** Forgets how far sources were read, which will never be read again. */
  removeCursors(sources: readonly string[]): void {
    this.transaction(() => {
      const remove = this.prepare('delete from log_cursors where source = ?');
      for (const source of sources) remove.run(source);
    });
  }

  /** Stored bytes of all logs. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#ends.values()) sum += bytes;
    return sum;
  }

  /** Stores all runs, or throws and stores none. Skips runs that are stored already. */
  append(runs: readonly LogRun[]): void {
    const insert = this.prepare('insert into log_runs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const ends = new Map<number, LogEnd>();
    this.transaction(() => {
      for (const run of runs) {
        const {
          deployment,
          first,
          count,
          service,
          stream,
          instance = null,
          at,
          text,
          cursor,
        } = run;
        const partial = run.partial === true ? 1 : 0;
        const end = ends.get(deployment) ?? this.#ends.get(deployment) ?? { lastId: 0, bytes: 0 };
        if (first <= end.lastId) continue;
        const length = Buffer.byteLength(text);
        const bytes = length + rowBytes;
        // LIKE ignores case only for ASCII, and stops at a NUL.
        const plain = length === text.length && !text.includes('\0') ? 1 : 0;
        insert.run(
          deployment,
          first,
          count,
          service,
          stream,
          instance,
          at,
          bytes,
          plain,
          text,
          partial,
        );
        ends.set(deployment, { lastId: first + count - 1, bytes: end.bytes + bytes });
        if (cursor !== undefined) this.#writeCursor(run, cursor);
      }
      for (const [deployment, end] of ends) this.#writeEnd(deployment, end);
    });
    for (const [deployment, end] of ends) this.#ends.set(deployment, end);
  }

  /** Raises the last ids of logs to these, so that new lines continue after them. */
  continueAfter(lasts: ReadonlyMap<number, number>): void {
    for (const [deployment, last] of lasts) {
      const end = this.#ends.get(deployment) ?? { lastId: 0, bytes: 0 };
      if (last <= end.lastId) continue;
      this.#writeEnd(deployment, { ...end, lastId: last });
      this.#ends.set(deployment, { ...end, lastId: last });
    }
  }

  /** Lets the ids of logs go on at `first`, where that is higher than the next one. */
  beginEpoch(deployments: readonly number[], first: number): void {
    const ends = new Map<number, LogEnd>();
    this.transaction(() => {
      for (const deployment of deployments) {
        const end = this.#ends.get(deployment) ?? { lastId: 0, bytes: 0 };
        if (end.lastId >= first - 1) continue;
        this.prepare('insert into log_epochs values (?, ?, ?)').run(deployment, first, end.lastId);
        ends.set(deployment, { ...end, lastId: first - 1 });
      }
      for (const [deployment, end] of ends) this.#writeEnd(deployment, end);
    });
    for (const [deployment, end] of ends) this.#ends.set(deployment, end);
  }

  /** Returns the id of the line that has `offset` newer lines; 0 or less when there is none. */
  idAtOffset(deployment: number, offset: number): number {
    let id = (this.#ends.get(deployment)?.lastId ?? 0) - offset;
    const epochs = this.prepare(
      'select first, last from log_epochs where deployment = ? order by first desc',
    ).all(deployment);
    for (const { first, last } of epochs) {
      if (id < Number(first)) id -= Number(first) - 1 - Number(last);
    }
    return id;
  }

  /** Removes the logs of all deployments with a higher number, which new ones will reuse. */
  removeLogsAfter(deployment: number): void {
    const obsolete = [...this.#ends.keys()].filter((number) => number > deployment);
    if (obsolete.length === 0) return;
    this.transaction(() => {
      this.prepare('delete from log_runs where deployment > ?').run(deployment);
      this.prepare('delete from log_ends where deployment > ?').run(deployment);
      this.prepare('delete from log_epochs where deployment > ?').run(deployment);
      this.prepare('delete from log_cursors where deployment > ?').run(deployment);
    });
    for (const number of obsolete) this.#ends.delete(number);
  }

  /** Removes the runs up to the one that begins with `first`; `bytes` is their stored size. */
  removeThrough(deployment: number, first: number, bytes: number): void {
    const end = this.#ends.get(deployment);
    if (end === undefined) return;
    const remaining = { ...end, bytes: end.bytes - bytes };
    this.transaction(() => {
      this.prepare('delete from log_runs where deployment = ? and first <= ?').run(
        deployment,
        first,
      );
      this.#writeEnd(deployment, remaining);
    });
    this.#ends.set(deployment, remaining);
  }

  /** Forgets a log without runs, so that its ids begin again. */
  removeEnd(deployment: number): void {
    this.transaction(() => {
      this.prepare('delete from log_ends where deployment = ?').run(deployment);
      this.prepare('delete from log_epochs where deployment = ?').run(deployment);
      this.prepare('delete from log_cursors where deployment = ?').run(deployment);
    });
    this.#ends.delete(deployment);
  }

  /** Frees at most `most` pages beyond `kept` free ones. Returns false when there is none. */
  shrink(most: number, kept: number): boolean {
    const free = this.#readPragma('freelist_count');
    if (free <= kept) return false;
    this.#database.exec(`pragma incremental_vacuum(${Math.min(most, free - kept)})`);
    return true;
  }

  get pageBytes(): number {
    return this.#readPragma('page_size');
  }

  /** Number of pages in use. */
  get usedPages(): number {
    return this.#readPragma('page_count') - this.#readPragma('freelist_count');
  }

  /** Syncs all writes to the disk, so that they survive a power failure. */
  sync(): void {
    this.#database.exec('pragma wal_checkpoint(truncate)');
  }

  /** Copies the database to a new file, in steps between which it can be used. */
  async copyTo(file: string): Promise<void> {
    createPrivateDatabase(file);
    await backup(this.#database, file);
  }

  /** Returns a cached prepared statement. Read all its rows before it runs again. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` in a transaction. */
  transaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      // SQLite may have rolled back already, as on a full disk.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #writeCursor({ deployment, service, instance }: LogRun, { source, at }: LogCursor) {
    this.prepare(
      `insert or replace into log_cursors (source, deployment, at, service, instance)
       values (?, ?, ?, ?, ?)`,
    ).run(source, deployment, at, service, instance ?? null);
  }

  #writeEnd(deployment: number, { lastId, bytes }: LogEnd) {
    this.prepare('insert or replace into log_ends values (?, ?, ?)').run(deployment, lastId, bytes);
  }

  #readPragma(
    name: 'auto_vacuum' | 'freelist_count' | 'page_count' | 'page_size' | 'user_version',
  ): number {
    return Number(this.prepare(`pragma ${name}`).get()?.[name] ?? 0);
  }

  #migrate() {
    const version = this.#readPragma('user_version');
    if (version > logMigrations.length) throw new Error('its log was written by a newer version');
    for (const [index, sql] of logMigrations.entries()) {
      if (index < version) continue;
      this.transaction(() => {
        this.#database.exec(`${sql}; pragma user_version = ${index + 1}`);
      });
    }
  }
}

/** Migrations of the logs' schema, of which none ever changes; `user_version` is the number of those that have run. */
const logMigrations = [
  `
  create table log_runs (
    deployment integer not null,
    first integer not null,
    count integer not null,
    service text not null,
    stream text not null,
    instance integer,
    at integer not null,
    bytes integer not null,
    plain integer not null,
    text text not null,
    primary key (deployment, first)
  ) strict;

  create table log_ends (
    deployment integer primary key,
    last integer not null,
    bytes integer not null
  ) strict;
  `,
  // The first id of an epoch, and the last one before it; between them is the only hole.
  `
  create table log_epochs (
    deployment integer not null,
    first integer not null,
    last integer not null,
    primary key (deployment, first)
  ) strict;
  `,
  `alter table log_runs add column partial integer not null default 0`,
  `
  create table log_cursors (
    source text primary key,
    deployment integer not null,
    at text not null
  ) strict, without rowid;
  create index log_cursors_by_deployment on log_cursors (deployment);
  `,
  // The service and instance of the source; unknown for cursors from before.
  `
  alter table log_cursors add column service text;
  alter table log_cursors add column instance integer;
  `,
];
