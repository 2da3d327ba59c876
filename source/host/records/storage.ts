import path from 'node:path';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { claimDataFolder } from './data-folder.ts';
import { checkPages, checkRecords, isDamaged } from './damage.ts';
import { createPrivateDatabase } from './private-file.ts';
import { migrations } from './migrations.ts';
import { setAsideRecords } from './set-aside.ts';
import { adoptLog, RecordsReserve } from './reserve.ts';
import { StartFailure, unusableDataFolder } from '../start-failure.ts';

/** SQLite's result code for a database that another process has locked. */
const busy = 5;

/** Free bytes of a database, more than those in use, that a start returns to the file system. */
const maxFreeBytes = 64 * 1024 * 1024;

/**
 * The host's records: one SQLite database in the data folder. Its lock keeps a second host off the
 * folder; the operating system releases the lock however the process ends.
 */
export class Storage {
  readonly #database: DatabaseSync;
  /** Undefined during the migrations. */
  readonly #reserve: RecordsReserve | undefined;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#migrate();
    this.#reserve = RecordsReserve.open(database, file);
  }

  /**
   * Opens the data folder, creating it if necessary. Throws a {@link StartFailure}, and for damaged
   * records a `DamagedRecords` after it has moved them aside.
   */
  static open(dataDir: string): Storage {
    claimDataFolder(dataDir);
    const file = path.join(dataDir, 'host.db');
    let database: DatabaseSync | undefined;
    try {
      checkRecords(dataDir);
      createPrivateDatabase(file);
      adoptLog(file);
      database = new DatabaseSync(file, { timeout: 0 });
      database.exec('pragma locking_mode = exclusive');
      // The first access acquires the lock, which exclusive mode then keeps.
      database.exec('begin exclusive; commit');
      checkPages(database);
      // Full sync: answered changes survive a power failure, and file generations rely on them.
      database.exec('pragma journal_mode = wal; pragma synchronous = full');
      return new Storage(database, file);
    } catch (error) {
      // Before the close, which removes the log and releases the lock.
      const damaged = isDamaged(error) ? setAsideRecords(dataDir, error) : undefined;
      if (database?.isOpen === true) database.close();
      if (damaged !== undefined) throw damaged;
      if (isBusy(error)) {
        throw new StartFailure(
          'locked',
          `Another host runs on ${dataDir}.`,
          'Use that host, or name another folder with --data.',
        );
      }
      if (error instanceof StartFailure) throw error;
      throw unusableDataFolder(dataDir, error);
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
    this.#reserve?.limitGrowth();
    this.#database.exec('begin immediate');
    try {
      const result = work();
      this.#database.exec('commit');
      this.#reserve?.settle();
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

  deleteMeta(key: string): void {
    this.prepare('delete from meta where key = ?').run(key);
  }

  /** Gives disk space to work that frees more of it, on a full disk. */
  lendReserve(): void {
    this.#reserve?.lend();
  }

  /** Drops the log lines that an older version stored here, and frees their disk space. */
  dropOldLines(): void {
    // A new database has the empty table of the first version.
    const hadLines = this.prepare('select 1 from old_log_lines limit 1').get() !== undefined;
    this.transaction(() => {
      this.#database.exec('drop table old_log_lines; drop table old_log_ends');
    });
    if (hadLines) this.#vacuum();
  }

  /** Copies the database to a new file, in steps between which it can be used. */
  async copyTo(file: string): Promise<void> {
    createPrivateDatabase(file);
    // SQLite copies through the connection that holds the lock, so the lock stays as it is.
    await backup(this.#database, file);
  }

  /** Checkpoints the write-ahead log into the database file and releases the lock. */
  close(): void {
    if (this.#database.isOpen) this.#reserve?.close();
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
