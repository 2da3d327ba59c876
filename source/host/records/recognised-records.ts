import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Tables that exist in every version of the host's database. */
const tables = ['meta', 'wallets', 'tokens', 'grants', 'deployments', 'runs'];

/** Files that hosts and consoles of earlier versions create before the first table. */
const firstFiles = new Set([
  'host.db',
  'host.db-journal',
  'host.db-shm',
  'host.db-wal',
  'host.log',
  'start-failure.json',
]);

/** Bytes of a write-ahead log that was never checkpointed that contain the first migration. */
const logStartBytes = 1024 * 1024;

/** SQLite's result code for a file that is not a database. */
const notADatabase = 26;

/** Returns true when only files exist that a host creates before its first table. */
export function isPartialFolder(names: readonly string[]): boolean {
  return names.every((name) => firstFiles.has(name));
}

/**
 * Identifies `host.db` in a folder: a host's database, one without tables (`empty`), or another
 * file. Writes nothing: the database is opened as immutable, and its write-ahead log read as bytes.
 */
export function identifyRecords(folder: string): 'ours' | 'empty' | 'foreign' {
  const names = readTableNames(path.join(folder, 'host.db'));
  if (names === undefined) return 'foreign';
  if (names.length > 0) return tables.every((name) => names.includes(name)) ? 'ours' : 'foreign';
  // After an early kill the tables exist in the write-ahead log only.
  const start = readStart(path.join(folder, 'host.db-wal'));
  return tables.every((name) => start.includes(`CREATE TABLE ${name} (`)) ? 'ours' : 'empty';
}

/** Returns undefined for a file that is not an SQLite database. Throws errors of the system. */
function readTableNames(file: string): readonly string[] | undefined {
  // Lazy, since a marked folder is recognised without SQLite.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const location = pathToFileURL(file);
  location.search = 'immutable=1';
  try {
    const database = new DatabaseSync(location, { readOnly: true });
    try {
      const rows = database.prepare(`select name from sqlite_schema where type = 'table'`).all();
      return rows.map((row) => String(row['name']));
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === notADatabase) {
      return undefined;
    }
    throw error;
  }
}

function readStart(file: string): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return Buffer.alloc(0);
    throw error;
  }
  try {
    const bytes = Buffer.alloc(logStartBytes);
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
