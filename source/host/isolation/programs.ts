import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Folders of the system's programs, which only an administrator can change. */
const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

/**
 * Returns the absolute path of a program; undefined when it isn't installed. The system's folders
 * come before those of `searchPath`: a variable that another person may have set must not decide
 * which program the host runs with its own rights.
 *
 * @param searchPath folders in the format of the variable PATH.
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
