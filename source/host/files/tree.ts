import { conflict, notFound } from '../refusal.ts';
import { parsePath } from './confine.ts';
import { listTree } from './listing.ts';
import { OpenTreeFile } from './opened-file.ts';
import { type ReceivedFile, requireFolderPath, placeFiles } from './placing.ts';
import { type StagedFile, toFileRecord } from './staged-file.ts';
import { openFolderPath, FolderPath } from './way.ts';

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
