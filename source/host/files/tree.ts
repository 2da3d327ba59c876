import { conflict, notFound } from '../refusal.ts';
import { confinedSegments } from './confine.ts';
import { list } from './listing.ts';
import { OpenTreeFile } from './opened-file.ts';
import { type ArrivedFile, folderAt, place } from './placing.ts';
import { type StagedFile, toRecord } from './staged-file.ts';
import { goDown, FolderPath } from './way.ts';

/** A file that is in the tree. */
interface Found extends AsyncDisposable {
  readonly way: FolderPath;
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * The staging tree of one service: what the API reads and writes. Folders exist as parents of
 * files only. Callers see to it that one change happens at a time. Nothing is done through a link:
 * ours has none, but a service may reach the tree by itself, at any moment.
 */
export class FileTree {
  readonly #root: string;

  /** The path of the root has no link in it. */
  constructor(root: string) {
    this.#root = root;
  }

  /** All files, by path, some at a time. */
  list(): AsyncGenerator<readonly StagedFile[]> {
    return list(this.#root);
  }

  /** A file, opened for reading. The caller closes it. Throws a 404 for none. */
  open(file: string): OpenTreeFile {
    const opened = OpenTreeFile.open(this.#root, confinedSegments(file));
    if (opened === undefined) throw notFound(`file ${file}`);
    return opened;
  }

  /** Puts complete files in their places, over those that are there; all of them or none. */
  async place(
    files: readonly ArrivedFile[],
    onTakeBack?: () => Promise<void>,
  ): Promise<readonly StagedFile[]> {
    return await place(this.#root, files, onTakeBack);
  }

  /** Moves a file to where nothing is. */
  async rename(oldPath: string, newPath: string): Promise<StagedFile> {
    await using from = await this.#find(oldPath, 'oldPath');
    if (from.isFolder) throw conflict(`${oldPath} is a folder.`);
    const segments = confinedSegments(newPath, 'newPath');
    const folder = segments.slice(0, -1);
    const name = segments.at(-1) ?? '';
    await using to = folderAt(folder, await goDown(this.#root, folder, { make: true }));
    try {
      const there = await to.end.look(name);
      const isFree =
        there === undefined || (there.isDirectory() && (await to.end.removeHollow(name)));
      if (!isFree) throw conflict(`${newPath} exists already.`);
      await from.way.end.hand(from.name, to.end, name);
    } catch (error) {
      await to.prune();
      throw error;
    }
    await to.end.sync();
    await from.way.end.sync();
    await from.way.prune();
    const stats = await to.end.look(name);
    if (stats === undefined) throw notFound(`file ${newPath}`);
    return toRecord(newPath, stats);
  }

  /** Removes a file, or a folder in which nothing is. */
  async remove(file: string): Promise<void> {
    await using found = await this.#find(file, 'path');
    const folder = found.way.end;
    if (!found.isFolder) await folder.remove(found.name);
    else if (!(await folder.removeFolder(found.name))) {
      throw conflict(`${file} is a folder with something in it.`);
    }
    await folder.sync();
    await found.way.prune();
  }

  /** Throws a 404 where there is neither a plain file nor a folder. */
  async #find(file: string, field: string): Promise<Found> {
    const segments = confinedSegments(file, field);
    const way = await goDown(this.#root, segments.slice(0, -1));
    if (!(way instanceof FolderPath)) throw notFound(`file ${file}`);
    const name = segments.at(-1) ?? '';
    const stats = await way.end.look(name);
    const isFolder = stats?.isDirectory() === true;
    if (!isFolder && stats?.isFile() !== true) {
      await way[Symbol.asyncDispose]();
      throw notFound(`file ${file}`);
    }
    return { way, name, isFolder, [Symbol.asyncDispose]: () => way[Symbol.asyncDispose]() };
  }
}
