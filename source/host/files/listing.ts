import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { maxSegments } from './confine.ts';
import { entryPath } from './entry-path.ts';
import { hasErrorCode } from './missing.ts';
import { type StagedFile, toFileRecord } from './staged-file.ts';
import { openFolderPath, FolderPath } from './way.ts';

/** Files per batch. */
const batchSize = 512;

/**
 * Time of synchronous work before other requests get a turn. A synchronous `lstat` is much faster
 * than one in Node's thread pool, but blocks other requests.
 */
const sliceMs = 4;

/** Largest size of a folder, in bytes, that is read synchronously. */
const smallFolderBytes = 16 * 1024;

/** An open folder; see {@link entryPath}. */
interface OpenFolder {
  readonly descriptor: number;
  readonly path: string;
}

/**
 * Yields all files of a tree in batches, sorted by path. Memory holds one batch and the names in
 * the folders on the current path.
 */
export async function* listTree(root: string): AsyncGenerator<readonly StagedFile[]> {
  // Throws when the root is not a folder.
  const rootPath = await openFolderPath(root, []);
  if (!(rootPath instanceof FolderPath)) return;
  await rootPath[Symbol.asyncDispose]();
  const top = openSubfolder(root);
  if (top === undefined) return;
  yield* listFolder(top, { prefix: '', depth: 0 }, new Slice());
}

async function* listFolder(
  folder: OpenFolder,
  { prefix, depth }: { readonly prefix: string; readonly depth: number },
  slice: Slice,
): AsyncGenerator<readonly StagedFile[]> {
  try {
    let records: StagedFile[] = [];
    for (const name of sortedNames(await readEntries(folder))) {
      if (slice.isOver) await slice.pause();
      if (!name.endsWith('/')) {
        const stats = lstatSync(entryPath(folder, name), { throwIfNoEntry: false });
        if (stats?.isFile() === true) records.push(toFileRecord(prefix + name, stats));
        if (records.length < batchSize) continue;
      }
      if (records.length > 0) yield records;
      records = [];
      // Each level stays open, and no operation accepts a deeper path.
      if (!name.endsWith('/') || depth + 1 >= maxSegments) continue;
      const subfolder = openSubfolder(entryPath(folder, name.slice(0, -1)));
      // The entry may have been removed or replaced since its parent was read.
      if (subfolder !== undefined)
        yield* listFolder(subfolder, { prefix: prefix + name, depth: depth + 1 }, slice);
    }
    if (records.length > 0) yield records;
  } finally {
    closeSync(folder.descriptor);
  }
}

/** Divides synchronous work into slices, and lets other work run between them. */
class Slice {
  #end = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + sliceMs;
  }
}

function openSubfolder(folder: string): OpenFolder | undefined {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    return { descriptor: openSync(folder, flags), path: folder };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}

async function readEntries(folder: OpenFolder): Promise<readonly Dirent[]> {
  const ownPath = entryPath(folder, '.');
  return fstatSync(folder.descriptor).size <= smallFolderBytes
    ? readdirSync(ownPath, { withFileTypes: true })
    : await readdir(ownPath, { withFileTypes: true });
}

/**
 * Returns the names of files, and of folders with a trailing slash, in the order of whole paths.
 */
function sortedNames(entries: readonly Dirent[]): readonly string[] {
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.isFile()) names.push(entry.name);
    else if (entry.isDirectory()) names.push(`${entry.name}/`);
  }
  return names.sort();
}
