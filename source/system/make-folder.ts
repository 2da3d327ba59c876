/** Makes folders with their parents; `recursive` of Node's mkdir never returns below /proc. */
import fs from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and its missing parents. Resolves with the first folder that it made; with undefined
 * where all were there. Rejects with the error of mkdir.
 * @param mode permissions of each folder that it makes.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<string | undefined> {
  const failure = await failureOf(folder, mode);
  if (failure === undefined) return folder;
  if (await isFolder(folder)) return undefined;
  const parent = path.dirname(folder);
  if (!isMissing(failure) || parent === folder) throw failure;
  const first = await makeFolder(parent, mode);
  // Once more and no loop: in /proc it fails although the parent is there.
  const again = await failureOf(folder, mode);
  if (again === undefined) return first ?? folder;
  if (await isFolder(folder)) return first;
  throw again;
}

/** Makes folders like {@link makeFolder}, for moments in which nothing can be awaited. */
export function makeFolderSync(folder: string, mode = 0o777): string | undefined {
  const failure = failureOfSync(folder, mode);
  if (failure === undefined) return folder;
  if (isFolderSync(folder)) return undefined;
  const parent = path.dirname(folder);
  if (!isMissing(failure) || parent === folder) throw failure;
  const first = makeFolderSync(parent, mode);
  const again = failureOfSync(folder, mode);
  if (again === undefined) return first ?? folder;
  if (isFolderSync(folder)) return first;
  throw again;
}

/** Makes one folder. Resolves with the error of mkdir; undefined where it was made. */
async function failureOf(folder: string, mode: number): Promise<unknown> {
  // Loaded here: the start needs none of it.
  return fs.promises.mkdir(folder, { mode }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function failureOfSync(folder: string, mode: number): unknown {
  try {
    fs.mkdirSync(folder, { mode });
    return undefined;
  } catch (error) {
    return error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function isFolder(folder: string): Promise<boolean> {
  return fs.promises.stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isFolderSync(folder: string): boolean {
  try {
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
