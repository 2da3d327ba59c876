import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Tables that every version of the host has had. */
const tables = ['meta', 'wallets', 'tokens', 'grants', 'deployments', 'runs'];

/** Files that hosts and consoles of earlier versions made before the first table. */
const firstFiles = new Set([
  'host.db',
  'host.db-journal',
  'host.db-shm',
  'host.db-wal',
  'host.log',
  'start-failure.json',
]);

/** The first migration is at the start of a write-ahead log that was never checkpointed. */
const logStartBytes = 1024 * 1024;

const notADatabase = 26;

/** Returns true for names of files that a host leaves when it is killed before its first table. */
export function isHalfMade(names: readonly string[]): boolean {
  return names.every((name) => firstFiles.has(name));
}

/**
 * Returns whether `host.db` in a folder is a host's: `empty` has no table yet. Writes nothing: the
 * database is opened as immutable, and a write-ahead log beside it is read as bytes.
 */
export function recordsIn(folder: string): 'ours' | 'empty' | 'foreign' {
  const names = tableNames(path.join(folder, 'host.db'));
  if (names === undefined) return 'foreign';
  if (names.length > 0) return tables.every((name) => names.includes(name)) ? 'ours' : 'foreign';
  // A host that was killed early has its tables in the log only.
  const start = startOf(path.join(folder, 'host.db-wal'));
  return tables.every((name) => start.includes(`CREATE TABLE ${name} (`)) ? 'ours' : 'empty';
}

/** Undefined for a file that is no SQLite database. Throws what the system says. */
function tableNames(file: string): readonly string[] | undefined {
  // Loaded only here: a marked folder is recognised without it.
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

function startOf(file: string): Buffer {
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
