/** Finds the local file in which a file of a service is saved. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { describeLocalError } from '../../client/local-reason.ts';
import { parseLocalName } from '../../store/transfers/local-name.ts';
import { CommandFailure, failureProblem, usageProblem } from '../command-problem.ts';

/** A local file that can be written. */
export interface LocalTarget {
  /** Absolute path, behind symbolic links. */
  readonly file: string;
  /** True where there is a file already. */
  readonly isTaken: boolean;
}

/**
 * Returns the local file for a file of a service. Rejects with a {@link CommandFailure} where it can't
 * be written.
 * @param given path as typed, of a file or of a folder; undefined for the current folder.
 */
export async function findLocalTarget(
  remotePath: string,
  given: string | undefined,
  { cwd, platform = process.platform }: { readonly cwd: string; readonly platform?: string },
): Promise<LocalTarget> {
  const chosen = path.resolve(cwd, given ?? '.');
  const isFolder = given === undefined || given.endsWith('/') || (await isLocalFolder(chosen));
  if (!isFolder) return localTarget(chosen);
  const name = remotePath.slice(remotePath.lastIndexOf('/') + 1);
  const parsed = parseLocalName(name, { windows: platform === 'win32', caseless: false });
  if (!parsed.ok) {
    const sentence = `${remotePath} can't be saved under its own name: ${parsed.reason}.`;
    throw new CommandFailure(usageProblem(sentence, 'Give the name of a local file.'));
  }
  return localTarget(path.join(chosen, ...parsed.segments));
}

async function localTarget(given: string): Promise<LocalTarget> {
  try {
    const file = await realpath(given);
    const found = await stat(file);
    if (found.isFile()) return { file, isTaken: true };
    throw found.isDirectory()
      ? unwritable(given, 'it is a folder')
      : unwritable(given, 'it is not a regular file', '-: stdout.');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { file: given, isTaken: false };
    throw unwritable(given, describeLocalError(error));
  }
}

function unwritable(file: string, reason: string, next = ''): CommandFailure {
  return new CommandFailure(failureProblem(`Can't write ${file}: ${reason}.`, next, 'local'));
}

async function isLocalFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
