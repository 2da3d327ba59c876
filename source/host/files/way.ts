import { lstat } from 'node:fs/promises';
import { conflict } from '../refusal.ts';
import { makeFolder } from './disk.ts';
import { Folder } from './folder.ts';

/** The folders from the root of a tree to one of its own, each held open until the way is closed. */
export class FolderPath {
  readonly #folders: readonly Folder[];
  readonly #names: readonly string[];

  constructor(folders: readonly Folder[], names: readonly string[]) {
    this.#folders = folders;
    this.#names = names;
  }

  /** The folder it leads to. */
  get end(): Folder {
    const end = this.#folders.at(-1);
    if (end === undefined) throw new RangeError('a way without folders');
    return end;
  }

  /** Removes folders that hold nothing any more, from its end upwards; never the root. */
  async prune(): Promise<void> {
    for (const [index, name] of [...this.#names.entries()].reverse()) {
      if ((await this.#folders[index]?.removeFolder(name)) !== true) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of this.#folders) await folder.close();
  }
}

/** What stands where a folder is needed. */
export interface Obstacle {
  /** How far the way goes: the segments down to what is no folder. */
  readonly at: readonly string[];
  readonly isFile: boolean;
}

/**
 * Goes down from the root of a tree, through folders alone: a link could lead anywhere. Gives
 * undefined where one is missing; with `make` it is made. Throws a 409 when the root itself is no
 * folder.
 */
export async function goDown(
  root: string,
  segments: readonly string[],
  { make = false } = {},
): Promise<FolderPath | Obstacle | undefined> {
  if (make) await makeFolder(root);
  const top = await Folder.open(root);
  if (top === undefined) return undefined;
  if (top === null) {
    // Fails where it is the host's own folders that are not as they should be.
    await lstat(root);
    throw conflict('The folder of the service is none any more.');
  }
  const folders = [top];
  const way = new FolderPath(folders, segments);
  let over = top;
  try {
    for (const [index, name] of segments.entries()) {
      const folder = make ? await over.make(name) : await over.enter(name);
      if (folder === null) {
        const isFile = (await over.look(name))?.isFile() === true;
        await way[Symbol.asyncDispose]();
        return { at: segments.slice(0, index + 1), isFile };
      }
      if (folder === undefined) {
        await way[Symbol.asyncDispose]();
        return undefined;
      }
      folders.push(folder);
      over = folder;
    }
  } catch (error) {
    await way[Symbol.asyncDispose]();
    throw error;
  }
  return way;
}
