/** Recognizes damaged databases. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hasErrorCode } from '../files/missing.ts';

/** SQLite's result codes for a damaged database, and for a file that is not a database. */
const damageCodes = [11, 26];

/** SQLite's extended result codes have the primary one in their last byte. */
const primaryCode = 0xff;

/** Bytes of a database up to which all its pages are checked at each start, in about 100 ms. */
const maxCheckedBytes = 64 * 1024 * 1024;

/** The error of a damaged database, in SQLite's form. */
class DamagedDatabase extends Error {
  readonly errcode = damageCodes[0];
}

/** Returns true for SQLite's error about a damaged database. */
export function isDamaged(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error)) return false;
  return damageCodes.includes(Number(error.errcode) & primaryCode);
}

/**
 * Throws an error that {@link isDamaged} recognizes when a data folder has deployments and no
 * records, which SQLite would take for a new database.
 */
export function checkRecords(dataDir: string): void {
  const { size = 0 } = statSync(path.join(dataDir, 'host.db'), { throwIfNoEntry: false }) ?? {};
  if (size === 0 && hasDeployments(dataDir)) throw new DamagedDatabase('host.db has no content');
}

function hasDeployments(dataDir: string): boolean {
  try {
    return readdirSync(path.join(dataDir, 'deployments')).length > 0;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/**
 * Throws an error that {@link isDamaged} recognizes when a page of a small database is damaged. In a
 * larger one, the first read of such a page reports it.
 */
export function checkPages(database: DatabaseSync): void {
  const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name] ?? 0);
  if (read('page_count') * read('page_size') > maxCheckedBytes) return;
  const found = String(database.prepare('pragma quick_check(1)').get()?.['quick_check'] ?? 'ok');
  if (found !== 'ok') throw new DamagedDatabase(found.replaceAll(/\s+/g, ' '));
}
