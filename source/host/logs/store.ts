import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createPrivateDatabase } from '../records/private-file.ts';
import type { LogRun } from './run.ts';

/** Each entry brings the schema one version further; `user_version` counts those that were run. */
const migrations = [
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
];

/** What a run takes beside its text, roughly: row, key and place in the index. */
const rowBytes = 100;

/** The write-ahead log is cut back to this after it was longer. */
const walBytes = 16 * 1024 * 1024;

/** Where the log of a deployment ends. */
export interface LogEnd {
  /** Id of the last line that it ever had. */
  readonly last: number;
  /** What is stored of it. */
  readonly bytes: number;
}

/** The database of all log lines. What it has written outlives the process, however that ends. */
export class LogStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #ends: Map<number, LogEnd>;

  /** Throws what the system or SQLite says. */
  constructor(file: string) {
    createPrivateDatabase(file);
    this.#database = new DatabaseSync(file);
    // Nobody else reads it: without a file that is shared it opens on a full disk, too.
    this.#database.exec(`
      pragma auto_vacuum = incremental;
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma journal_size_limit = ${walBytes};
    `);
    this.#migrate();
    const rows = this.prepare('select deployment, last, bytes from log_ends').all();
    this.#ends = new Map(
      rows.map(({ deployment, last, bytes }) => [
        Number(deployment),
        { last: Number(last), bytes: Number(bytes) },
      ]),
    );
  }

  /** By number of the deployment. */
  get ends(): ReadonlyMap<number, LogEnd> {
    return this.#ends;
  }

  /** Keeps all runs, or throws and keeps none. Runs that it has already stay as they are. */
  append(runs: readonly LogRun[]): void {
    const insert = this.prepare('insert into log_runs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const ends = new Map<number, LogEnd>();
    this.transaction(() => {
      for (const run of runs) {
        const { deployment, first, count, service, stream, instance = null, at, text } = run;
        const end = ends.get(deployment) ?? this.#ends.get(deployment) ?? { last: 0, bytes: 0 };
        if (first <= end.last) continue;
        const length = Buffer.byteLength(text);
        const bytes = length + rowBytes;
        // SQLite's LIKE knows the case of ASCII only and ends at a NUL.
        const plain = length === text.length && !text.includes('\0') ? 1 : 0;
        insert.run(deployment, first, count, service, stream, instance, at, bytes, plain, text);
        ends.set(deployment, { last: first + count - 1, bytes: end.bytes + bytes });
      }
      for (const [deployment, end] of ends) this.#writeEnd(deployment, end);
    });
    for (const [deployment, end] of ends) this.#ends.set(deployment, end);
  }

  /** Continues logs that have no lines here behind these ids. */
  continueAfter(lasts: ReadonlyMap<number, number>): void {
    for (const [deployment, last] of lasts) {
      const end = this.#ends.get(deployment) ?? { last: 0, bytes: 0 };
      if (last <= end.last) continue;
      this.#writeEnd(deployment, { ...end, last });
      this.#ends.set(deployment, { ...end, last });
    }
  }

  /** Removes the logs of all deployments with a higher number: others will have these numbers. */
  forgetAfter(deployment: number): void {
    const foreign = [...this.#ends.keys()].filter((number) => number > deployment);
    if (foreign.length === 0) return;
    this.transaction(() => {
      this.prepare('delete from log_runs where deployment > ?').run(deployment);
      this.prepare('delete from log_ends where deployment > ?').run(deployment);
    });
    for (const number of foreign) this.#ends.delete(number);
  }

  /** Removes runs up to the one that begins with `first`, which take `bytes`. */
  removeThrough(deployment: number, first: number, bytes: number): void {
    const end = this.#ends.get(deployment);
    if (end === undefined) return;
    const left = { ...end, bytes: end.bytes - bytes };
    this.transaction(() => {
      this.prepare('delete from log_runs where deployment = ? and first <= ?').run(
        deployment,
        first,
      );
      this.#writeEnd(deployment, left);
    });
    this.#ends.set(deployment, left);
  }

  /** Gives pages back to the system: at most so many, and only of those more than `kept`. */
  shrink(most: number, kept: number): boolean {
    const free = Number(this.prepare('pragma freelist_count').get()?.['freelist_count']);
    if (free <= kept) return false;
    this.#database.exec(`pragma incremental_vacuum(${Math.min(most, free - kept)})`);
    return true;
  }

  get pageBytes(): number {
    return Number(this.prepare('pragma page_size').get()?.['page_size']);
  }

  /** Puts everything on the disk itself, so that it outlives the machine, too. */
  sync(): void {
    this.#database.exec('pragma wal_checkpoint(truncate)');
  }

  /** The statement of this text, prepared once. Its rows are to be read before it runs again. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` so that all of its writes happen or none does. */
  transaction(work: () => void): void {
    this.#database.exec('begin immediate');
    try {
      work();
      this.#database.exec('commit');
    } catch (error) {
      // A full disk may have rolled it back already.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #writeEnd(deployment: number, { last, bytes }: LogEnd) {
    this.prepare('insert or replace into log_ends values (?, ?, ?)').run(deployment, last, bytes);
  }

  #migrate() {
    const version = Number(this.prepare('pragma user_version').get()?.['user_version'] ?? 0);
    if (version > migrations.length) throw new Error('its log is of a newer version');
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      this.transaction(() => {
        this.#database.exec(`${sql}; pragma user_version = ${index + 1}`);
      });
    }
  }
}
