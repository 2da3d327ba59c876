import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { claimDataFolder } from './data-folder.ts';
import { createPrivateDatabase } from './private-file.ts';
import { StartFailure, unusableDataFolder } from '../start-failure.ts';

/** SQLite's result code for a database that another process has locked. */
const busy = 5;

/** Free bytes of a database, more than those in use, that a start returns to the file system. */
const maxFreeBytes = 64 * 1024 * 1024;

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
  // Definitions may be large, and SQLite reads a row's columns in order: lists would read them all.
  `
  create table definitions (
    deployment integer primary key,
    sdl text not null,
    services text not null
  ) strict;
  insert into definitions select number, sdl, services from deployments;

  alter table deployments add column counts text not null default '[]';
  update deployments set counts = (
    select json_group_array(
      json_object('name', value ->> 'name', 'count', ifnull(value ->> 'count', 1)) order by key
    ) from json_each(services)
  );
  alter table deployments drop column sdl;
  alter table deployments drop column services;

  drop index deployments_by_owner;
  create index open_deployments on deployments (number) where phase <> 'closed';
  create index closed_deployments on deployments (owner, closed_at, number)
    where phase = 'closed';
  `,
  `
  -- A table of its own: rows that shrink in place would leave their pages half empty.
  create table archived_definitions (
    deployment integer primary key,
    deflated_sdl blob not null
  ) strict;

  alter table deployments add column removal_began_at integer;
  alter table deployments add column is_removed integer not null default 0;
  create index kept_deployments on deployments (closed_at)
    where phase = 'closed' and is_removed = 0 and removal_began_at is null;
  create index begun_removals on deployments (closed_at)
    where phase = 'closed' and is_removed = 0 and removal_began_at is not null;
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
    this.#vacuum();
  }

  /** Checkpoints the write-ahead log into the database file and releases the lock. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #migrate() {
    const version = this.#readPragma('user_version');
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
    // A migration that moves much data leaves as much free space behind.
    const isMigrated = version > 0 && version < migrations.length;
    const [pages, free] = [this.#readPragma('page_count'), this.#readPragma('freelist_count')];
    const isMostlyFree = free * 2 > pages && free * this.#readPragma('page_size') > maxFreeBytes;
    if (isMostlyFree || (isMigrated && free * 4 > pages)) this.#vacuum();
  }

  #readPragma(name: 'user_version' | 'page_count' | 'freelist_count' | 'page_size'): number {
    return Number(this.prepare(`pragma ${name}`).get()?.[name] ?? 0);
  }

  /** Returns free disk space of the database to the file system. */
  #vacuum() {
    try {
      this.#database.exec('vacuum');
    } catch {
      // Without free space for the vacuum, the file keeps its size.
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
