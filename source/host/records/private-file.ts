import { chmodSync, closeSync, openSync } from 'node:fs';
import { hasErrorCode } from '../files/missing.ts';

/**
 * Creates a database file that only its owner can read, before SQLite opens it: SQLite would make
 * it readable for others, and gives the files beside it the same mode. An existing file keeps its
 * content and gets the mode without being opened, since closing it would release the locks that
 * this process has on it.
 */
export function createPrivateDatabase(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    for (const name of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
      try {
        chmodSync(name, 0o600);
      } catch (failure) {
        if (!hasErrorCode(failure, 'ENOENT')) throw failure;
      }
    }
  }
}
