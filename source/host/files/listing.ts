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
import { mostSegments } from './confine.ts';
import { entryPath } from './folder.ts';
import { hasCode } from './missing.ts';
import { type StagedFile, toRecord } from './staged-file.ts';
import { goDown, FolderPath } from './way.ts';

/** Files that are given together. */
const batch = 512;

/**
 * Work at a time: looking at a file takes much less time than handing it to another thread does,
 * but other requests wait meanwhile.
 */
const sliceMs = 4;

/** A folder of this size, which tells of how much is in it, is read at once. */
const smallFolder = 16 * 1024;

/** A folder that is held open; see {@link entryPath}. */
interface Open {
  readonly descriptor: number;
  readonly path: string;
}

/**
 * All files of a tree by path, some at a time: of a tree of any size no more is held than the names
 * in the folders that are being gone through.
 */
export async function* list(root: string): AsyncGenerator<readonly StagedFile[]> {
  // Refuses a root that is none any more.
  const way = await goDown(root, []);
  if (!(way instanceof FolderPath)) return;
  await way[Symbol.asyncDispose]();
  const top = openFolder(root);
  if (top === undefined) return;
  yield* listFolder(top, { prefix: '', depth: 0 }, new Slice());
}

async function* listFolder(
  folder: Open,
  { prefix, depth }: { readonly prefix: string; readonly depth: number },
  slice: Slice,
): AsyncGenerator<readonly StagedFile[]> {
  try {
    let records: StagedFile[] = [];
    for (const name of sortedNames(await entriesOf(folder))) {
      if (slice.isOver) await slice.next();
      if (!name.endsWith('/')) {
        const stats = lstatSync(entryPath(folder, name), { throwIfNoEntry: false });
        if (stats?.isFile() === true) records.push(toRecord(prefix + name, stats));
        if (records.length < batch) continue;
      }
      if (records.length > 0) yield records;
      records = [];
      // Deeper than a path of ours no operation gets, and each level is held open.
      if (!name.endsWith('/') || depth + 1 >= mostSegments) continue;
      const below = openFolder(entryPath(folder, name.slice(0, -1)));
      // It may have been removed since its parent was read, or become something else.
      if (below !== undefined)
        yield* listFolder(below, { prefix: prefix + name, depth: depth + 1 }, slice);
    }
    if (records.length > 0) yield records;
  } finally {
    closeSync(folder.descriptor);
  }
}

/** Whoever works in slices lets others work between them. */
class Slice {
  #end = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + sliceMs;
  }
}

function openFolder(way: string): Open | undefined {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  try {
    return { descriptor: openSync(way, flags), path: way };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}

async function entriesOf(folder: Open): Promise<readonly Dirent[]> {
  const way = entryPath(folder, '.');
  return fstatSync(folder.descriptor).size <= smallFolder
    ? readdirSync(way, { withFileTypes: true })
    : await readdir(way, { withFileTypes: true });
}

/** Names of files and, with a slash at their end, of folders, in the order of whole paths. */
function sortedNames(entries: readonly Dirent[]): readonly string[] {
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.isFile()) names.push(entry.name);
    else if (entry.isDirectory()) names.push(`${entry.name}/`);
  }
  return names.sort();
}
