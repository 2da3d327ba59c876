/** The free space of file systems, and the errors of full ones. */
import { statfsSync } from 'node:fs';
import { hasErrorCode } from './files/missing.ts';

/** SQLite's result code for a full disk. */
const sqliteFull = 13;

/** Returns true for an error of a full file system, of a used-up quota, or of SQLite on either. */
export function isDiskFull(error: unknown): boolean {
  if (hasErrorCode(error, 'ENOSPC', 'EDQUOT')) return true;
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteFull;
}

/** Returns the bytes that users may still write to the file system of a folder. */
export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
