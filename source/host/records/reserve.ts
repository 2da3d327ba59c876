import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDiskFull, leastMinFreeBytes, readFreeBytes } from '../disk-space.ts';

/** Free pages below which the reserve is filled, and to which it is filled. */
const freePages = { least: 256, filled: 384 } as const;

/** Free pages without which a host does not start; enough for some hundred closes. */
const indispensablePages = 32;

/** Free bytes of the file system, beside the margin, from which the database may grow freely. */
const ampleBytes = 1024 * 1024 * 1024;

/** Free bytes of the file system below which a part of the log is lent. */
const lendingBytes = 1024 * 1024;

/** Bytes of the write-ahead log; SQLite begins it again from its start after each checkpoint. */
const logBytes = 4 * 1024 * 1024;

/** Bytes of the log while the rest is lent. */
const lentLogBytes = logBytes / 2;

/** Pages of the log after which SQLite checkpoints: far less than {@link logBytes}. */
const checkpointPages = 256;

/** Most pages of a database (SQLite, "pragma max_page_count"). */
const mostPages = 0xff_ff_ff_fe;

/** Pages that the growth itself may use: a table's root and lists of free pages. */
const growthPages = 16;

/** Bytes of the header of a write-ahead log (SQLite, "WAL-mode File Format"). */
const logHeaderBytes = 32;

/** Bytes that are written at once. */
const chunk = Buffer.alloc(256 * 1024);

/**
 * The disk space that the records keep for themselves, so that the record of a close can be written
 * on a full disk: free pages inside the database, and a write-ahead log that never becomes smaller.
 * A commit writes to the log, and a checkpoint copies its pages to the database; neither then needs
 * a block that the file system has not given yet. File systems that never overwrite a block in
 * place, such as Btrfs, need a little space for each write nevertheless.
 */
export class RecordsReserve {
  readonly #database: DatabaseSync;
  readonly #file: string;
  /**
   * The database file. Stays open until the database is closed: closing a file releases all locks
   * that this process has on it (POSIX, fcntl).
   */
  readonly #descriptor: number;
  /** Pages that the file system has given to the database file. */
  #allocatedPages = 0;
  #isLent = false;
  /** Pages to which the database may grow. */
  #cappedAt = 0;
  readonly #pragmas = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
    this.#descriptor = openSync(file, 'r+');
    database.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
  }

  /**
   * Fills the reserve of a database that is locked and migrated. Throws the error of the system or of
   * SQLite, and closes the database, on a disk without space for most of the reserve.
   */
  static open(database: DatabaseSync, file: string): RecordsReserve {
    const reserve = new RecordsReserve(database, file);
    try {
      reserve.#fill();
      return reserve;
    } catch (error) {
      reserve.close();
      throw error;
    }
  }

  /**
   * Decides how far the next write may grow the database. Pages behind the end of its file could not
   * leave the log on a full disk, which then could not begin again.
   */
  limitGrowth(): void {
    const spare = this.#spareBytes();
    if (spare >= ampleBytes) {
      this.#cap(mostPages);
      return;
    }
    // Half of the space, as services may take the other half before the write.
    const growth = Math.max(0, spare) / 2 / this.#readPragma('page_size');
    this.#cap(this.#pages + Math.floor(growth));
  }

  /** Fills the reserve after a write, where the file system has space for more than that. */
  settle(): void {
    try {
      if (this.#spareBytes() <= 0) return;
      if (this.#isLent) this.#extendLog();
      if (this.#pages > this.#allocatedPages) this.#checkpoint();
      if (this.#freePages < freePages.least) this.#grow(freePages.filled);
    } catch {
      // The reserve stays smaller until the next write.
    }
  }

  /**
   * Gives half of the log back to a full file system, until {@link settle} finds space again. For
   * work that frees space and needs a little of it first.
   */
  lend(): void {
    try {
      if (readFreeBytes(path.dirname(this.#file)) >= lendingBytes) return;
      // No page is read from a log that begins again, so its end can go.
      const result = this.#database.prepare('pragma wal_checkpoint(restart)').get();
      if (result?.['busy'] !== 0) return;
      truncateSync(this.#log, lentLogBytes);
      this.#isLent = true;
    } catch {
      // The work goes on without it.
    }
  }

  /**
   * Closes the database and leaves the log's file for the next host: SQLite would remove it, and its
   * space would be gone. All is done before the close, which releases the lock.
   */
  close(): void {
    try {
      this.#checkpoint();
      emptyLog(this.#log);
      renameSync(this.#log, keptLog(this.#file));
    } catch {
      // The log has content, or is missing: SQLite copies what it can and decides what to do.
    }
    this.#database.close();
    closeSync(this.#descriptor);
  }

  #fill(): void {
    rmSync(keptLog(this.#file), { force: true });
    try {
      this.#extendLog();
    } catch (error) {
      // The host before has lent the rest.
      if (!isDiskFull(error) || statSync(this.#log).size < lentLogBytes) throw error;
      this.#isLent = true;
    }
    this.#checkpoint();
    try {
      if (this.#freePages < freePages.least) this.#grow(freePages.filled);
    } catch (error) {
      if (!isDiskFull(error) || this.#freePages < indispensablePages) throw error;
    }
    this.limitGrowth();
  }

  get #log(): string {
    return `${this.#file}-wal`;
  }

  get #pages(): number {
    return this.#readPragma('page_count');
  }

  get #freePages(): number {
    return this.#readPragma('freelist_count');
  }

  #readPragma(name: 'freelist_count' | 'page_count' | 'page_size'): number {
    let statement = this.#pragmas.get(name);
    if (statement === undefined) {
      statement = this.#database.prepare(`pragma ${name}`);
      this.#pragmas.set(name, statement);
    }
    return Number(statement.get()?.[name] ?? 0);
  }

  #spareBytes(): number {
    return readFreeBytes(path.dirname(this.#file)) - leastMinFreeBytes;
  }

  /** Copies the log to the database. Throws when the disk has no space for its pages. */
  #checkpoint(): void {
    const result = this.#database.prepare('pragma wal_checkpoint(full)').get();
    if (result?.['busy'] !== 0) throw new Error('the write-ahead log is in use');
    this.#allocatedPages = this.#pages;
  }

  #cap(pages: number): void {
    if (pages === this.#cappedAt) return;
    this.#database.exec(`pragma max_page_count = ${pages}`);
    this.#cappedAt = pages;
  }

  /** Extends the log by zeros, which SQLite takes for unused: no frame has such a salt. */
  #extendLog(): void {
    const descriptor = openSync(this.#log, 'r+');
    try {
      const { size } = fstatSync(descriptor);
      if (size < logBytes) allocate(descriptor, size, logBytes);
      this.#isLent = false;
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Grows the database until it has this number of free pages. The file grows first: a full disk then
   * refuses it before anything is committed.
   */
  #grow(target: number): void {
    this.#checkpoint();
    const pageBytes = this.#readPragma('page_size');
    const pages = this.#pages;
    const end = pages + Math.max(0, target - this.#freePages) + growthPages;
    allocate(this.#descriptor, pages * pageBytes, end * pageBytes);
    this.#cap(end);
    try {
      this.#database.exec('begin immediate');
      this.#database.exec('create table reserve (content blob)');
      this.#database.exec(`insert into reserve values (zeroblob(${target * (pageBytes - 4)}))`);
      // Pages that are freed by the transaction that adds them are not written to the log.
      this.#database.exec('drop table reserve; commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
    // The checkpoint also cuts off what the growth did not need.
    this.#checkpoint();
  }
}

/** Returns the path of the log that a host left; it has space, but no content. */
function keptLog(file: string): string {
  return `${file}-kept`;
}

/**
 * Makes the log that the last host left the log of a database that is about to be opened. May be
 * called without the lock: it replaces no log, and of two starts only one succeeds.
 */
export function adoptLog(file: string): void {
  try {
    linkSync(keptLog(file), `${file}-wal`);
    rmSync(keptLog(file));
  } catch {
    // There is none, or a log with content, or no support for links: a new one gets its space later.
  }
}

/** Writes zeros to a part of a file behind its end, or restores its size and throws. */
function allocate(descriptor: number, from: number, to: number): void {
  const { size } = fstatSync(descriptor);
  try {
    for (let at = from; at < to; ) {
      at += writeSync(descriptor, chunk, 0, Math.min(chunk.length, to - at), at);
    }
    fsyncSync(descriptor);
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
}

/** Invalidates the header of a log, all frames of which were copied, and limits its size. */
function emptyLog(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    writeSync(descriptor, chunk, 0, logHeaderBytes, 0);
    if (fstatSync(descriptor).size > logBytes) ftruncateSync(descriptor, logBytes);
    // Not synced: after a power failure, the frames of a log with its header repeat the database.
  } finally {
    closeSync(descriptor);
  }
}
