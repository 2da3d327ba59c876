import { conflict, notFound } from '../refusal.ts';
import { maxSegments, parsePath } from './confine.ts';
import { OpenTreeFile } from './opened-file.ts';
import { placeFiles, type ReceivedFile, requireFolderPath } from './placing.ts';
import { type StagedFile, toFileRecord } from './staged-file.ts';
import { FolderPath, openFolderPath } from './way.ts';
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
import { entryPath } from './entry-path.ts';
import { hasErrorCode } from './missing.ts';

/** An existing file or folder of the tree, with its open parents. */
interface TreeEntry extends AsyncDisposable {
  readonly parents: FolderPath;
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * The staging tree of one service, which the API reads and writes. Folders exist only as parents of
 * files. Callers must not make two changes at a time. No link is followed: the host creates none,
 * but a service may have access to the tree and change it at any moment.
 */
export class FileTree {
  readonly #root: string;

  /** @param root path of the tree, without links. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Yields all files in batches, sorted by path. */
  list(): AsyncGenerator<readonly StagedFile[]> {
    return listTree(this.#root);
  }

  /** Opens a file for reading. The caller must close it. Throws a 404 when it is missing. */
  open(file: string): OpenTreeFile {
    const opened = OpenTreeFile.open(this.#root, parsePath(file));
    if (opened === undefined) throw notFound(`file ${file}`);
    return opened;
  }

  /** Moves received files to their paths, and replaces existing ones; all of them or none. */
  async place(
    files: readonly ReceivedFile[],
    onRollback?: () => Promise<void>,
  ): Promise<readonly StagedFile[]> {
    return await placeFiles(this.#root, files, onRollback);
  }

  /** Moves a file to a path that does not exist. */
  async rename(oldPath: string, newPath: string): Promise<StagedFile> {
    await using from = await this.#find(oldPath, 'oldPath');
    if (from.isFolder) throw conflict(`${oldPath} is a folder.`);
    const segments = parsePath(newPath, 'newPath');
    const folder = segments.slice(0, -1);
    const name = segments.at(-1) ?? '';
    await using to = requireFolderPath(
      folder,
      await openFolderPath(this.#root, folder, { make: true }),
    );
    try {
      const existing = await to.end.stat(name);
      const isFree =
        existing === undefined || (existing.isDirectory() && (await to.end.removeEmptyTree(name)));
      if (!isFree) throw conflict(`${newPath} already exists.`);
      await from.parents.end.moveTo(from.name, to.end, name);
    } catch (error) {
      await to.prune();
      throw error;
    }
    await to.end.sync();
    await from.parents.end.sync();
    await from.parents.prune();
    const stats = await to.end.stat(name);
    if (stats === undefined) throw notFound(`file ${newPath}`);
    return toFileRecord(newPath, stats);
  }

  /** Removes a file or an empty folder. */
  async remove(file: string): Promise<void> {
    await using entry = await this.#find(file, 'path');
    const folder = entry.parents.end;
    if (!entry.isFolder) await folder.remove(entry.name);
    else if (!(await folder.removeFolder(entry.name))) {
      throw conflict(`${file} is a folder that is not empty.`);
    }
    await folder.sync();
    await entry.parents.prune();
  }

  /** Opens the parents of a plain file or folder. Throws a 404 for any other entry. */
  async #find(file: string, field: string): Promise<TreeEntry> {
    const segments = parsePath(file, field);
    const parents = await openFolderPath(this.#root, segments.slice(0, -1));
    if (!(parents instanceof FolderPath)) throw notFound(`file ${file}`);
    const name = segments.at(-1) ?? '';
    const stats = await parents.end.stat(name);
    const isFolder = stats?.isDirectory() === true;
    if (!isFolder && stats?.isFile() !== true) {
      await parents[Symbol.asyncDispose]();
      throw notFound(`file ${file}`);
    }
    return { parents, name, isFolder, [Symbol.asyncDispose]: () => parents[Symbol.asyncDispose]() };
  }
}

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
