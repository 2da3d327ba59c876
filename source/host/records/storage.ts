import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { claimDataFolder } from './data-folder.ts';
import { createPrivateDatabase } from './private-file.ts';
import { StartFailure, unusableDataFolder } from '../start-failure.ts';

/** SQLite's result code for a database that another process has locked. */
const busy = 5;

/** Schema migrations in order; `user_version` is the number of migrations already applied. */
const migrations = [
  `
  create table meta (key text primary key, value text not null) strict;

  create table wallets (address text primary key, balance text not null) strict;

  create table tokens (
    hash text primary key,
    wallet text not null,
    created_at integer not null
  ) strict;

  create table grants (
    number integer primary key,
    id text not null unique,
    grantor text not null,
    grantee text not null,
    spend_limit text not null,
    spent text not null,
    expires_at integer not null,
    created_at integer not null,
    revoked_at integer
  ) strict;
  create index grants_by_grantee on grants (grantee, expires_at);
  create index grants_by_grantor on grants (grantor);

  create table deployments (
    number integer primary key autoincrement,
    id text not null unique,
    name text not null,
    owner text not null,
    sdl text not null,
    services text not null,
    phase text not null,
    generation integer not null,
    price text not null,
    carry text not null,
    owed text not null,
    paid text not null,
    last_log integer not null,
    created_at integer not null,
    restarted_at integer,
    closed_at integer
  ) strict;
  create index deployments_by_owner on deployments (owner);

  create table runs (run text primary key) strict;

  create table log_lines (
    deployment integer not null,
    id integer not null,
    service text not null,
    stream text not null,
    at integer not null,
    line text not null,
    primary key (deployment, id)
  ) strict, without rowid;
  create index log_lines_by_service on log_lines (deployment, service, id);
  `,
  `
  alter table deployments add column warnings text not null default '[]';
  `,
  // Log lines move to their own database, which imports these tables when it is opened.
  `
  drop index log_lines_by_service;
  alter table log_lines rename to old_log_lines;
  create table old_log_ends as
    select number as deployment, last_log as last from deployments where last_log > 0;
  alter table deployments drop column last_log;
  `,
  `
  create table service_users (deployment text primary key, number integer not null unique) strict;
  `,
  // Usage from before this version is in the accounts of the deployments only.
  `
  create table charged_runs (
    number integer primary key,
    run text not null unique,
    deployment text not null,
    service text not null,
    instance integer not null,
    price text not null,
    began_at integer not null,
    ran_ms integer not null,
    seen_at integer not null,
    seen_monotonic integer not null,
    boot text not null,
    is_over integer not null
  ) strict;
  create index charged_runs_unended on charged_runs (number) where is_over = 0;

  alter table deployments add column run_usage text not null default '0';
  `,
];

/**
 * The host's records: one SQLite database in the data folder. Its lock keeps a second host off the
 * folder; the operating system releases the lock however the process ends.
 */
export class Storage {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens the data folder, creating it if necessary. Throws a {@link StartFailure}. */
  static open(dataDir: string): Storage {
    claimDataFolder(dataDir);
    const file = path.join(dataDir, 'host.db');
    let database: DatabaseSync | undefined;
    try {
      createPrivateDatabase(file);
      database = new DatabaseSync(file, { timeout: 0 });
      database.exec('pragma locking_mode = exclusive');
      // The first access acquires the lock, which exclusive mode then keeps.
      database.exec('begin exclusive; commit');
      // Full sync: answered changes survive a power failure, and file generations rely on them.
      database.exec('pragma journal_mode = wal; pragma synchronous = full');
      const storage = new Storage(database);
      storage.#migrate();
      return storage;
    } catch (error) {
      database?.close();
      if (isBusy(error)) {
        throw new StartFailure(
          'locked',
          `Another host runs on ${dataDir}.`,
          'Use that host, or name another folder with --data.',
        );
      }
      throw error instanceof StartFailure ? error : unusableDataFolder(dataDir, error);
    }
  }

  /** Returns a cached prepared statement. Read its rows before running the statement again. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` in a transaction, or in the open one when nested. */
  transaction<T>(work: () => T): T {
    if (this.#database.isTransaction) return work();
    this.#database.exec('begin immediate');
    try {
      const result = work();
      this.#database.exec('commit');
      return result;
    } catch (error) {
      // A full disk may have rolled the transaction back already.
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  readMeta(key: string): string | undefined {
    const row = this.prepare('select value from meta where key = ?').get(key);
    return row === undefined ? undefined : String(row['value']);
  }

  writeMeta(key: string, value: string): void {
    this.prepare('insert or replace into meta (key, value) values (?, ?)').run(key, value);
  }

  /** Drops the log lines that an older version stored here, and frees their disk space. */
  dropOldLines(): void {
    this.transaction(() => {
      this.#database.exec('drop table old_log_lines; drop table old_log_ends');
    });
    try {
      this.#database.exec('vacuum');
    } catch {
      // Without free space for the vacuum, the file keeps its size.
    }
  }

  /** Checkpoints the write-ahead log into the database file and releases the lock. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #migrate() {
    const version = Number(this.prepare('pragma user_version').get()?.['user_version'] ?? 0);
    if (version > migrations.length) {
      throw new StartFailure(
        'newer-data',
        'The data folder was written by a newer version.',
        'Update this program, or name another folder with --data.',
      );
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      this.transaction(() => {
        this.#database.exec(sql);
        this.#database.exec(`pragma user_version = ${index + 1}`);
      });
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
