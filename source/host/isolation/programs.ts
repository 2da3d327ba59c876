import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Folders of the system's own programs, where only an administrator installs any. */
const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

/**
 * Returns the absolute path of a program of the system, undefined where it isn't installed. The
 * system's folders come before those of `searchPath`: what the host runs with its own rights must
 * not depend on a variable that somebody else may have set.
 *
 * @param searchPath folders separated by colons, as in the variable PATH.
 */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  const others = (searchPath ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  return [...systemFolders, ...others]
    .map((folder) => path.join(folder, name))
    .find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
