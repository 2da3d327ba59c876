/** Finds the local file in which a file of a service is saved. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { describeLocalError } from '../../client/local-reason.ts';
import { parseLocalName } from '../../store/transfers/local-name.ts';
import { type CommandProblem, failureProblem, usageProblem } from '../command-problem.ts';

/** The local file, or why it can't be written. */
export type LocalTarget =
  | {
      readonly ok: true;
      /** Absolute path, behind symbolic links. */
      readonly file: string;
      /** True where there is a file already. */
      readonly isTaken: boolean;
    }
  | { readonly ok: false; readonly problem: CommandProblem };

/**
 * Returns the local file for a file of a service.
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
    return {
      ok: false,
      problem: usageProblem(
        `${remotePath} can't be saved under its own name: ${parsed.reason}.`,
        'Give the name of a local file.',
      ),
    };
  }
  return localTarget(path.join(chosen, ...parsed.segments));
}

async function localTarget(given: string): Promise<LocalTarget> {
  try {
    const file = await realpath(given);
    const found = await stat(file);
    if (found.isFile()) return { ok: true, file, isTaken: true };
    const reason = found.isDirectory() ? 'it is a folder' : 'it is not a regular file';
    const next = found.isDirectory() ? '' : '-: stdout.';
    return {
      ok: false,
      problem: failureProblem(`Can't write ${given}: ${reason}.`, next, 'local'),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return { ok: true, file: given, isTaken: false };
    }
    const sentence = `Can't write ${given}: ${describeLocalError(error)}.`;
    return { ok: false, problem: failureProblem(sentence, '', 'local') };
  }
}

async function isLocalFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
