import { lstat } from 'node:fs/promises';
import { conflict } from '../refusal.ts';
import { createFolder } from './disk.ts';
import { Folder } from './folder.ts';

/**
 * The open folders from the root of a tree to one of its folders. The caller must dispose of them.
 */
export class FolderPath {
  readonly #folders: readonly Folder[];
  readonly #names: readonly string[];

  constructor(folders: readonly Folder[], names: readonly string[]) {
    this.#folders = folders;
    this.#names = names;
  }

  /** The last folder of the path. */
  get end(): Folder {
    const end = this.#folders.at(-1);
    if (end === undefined) throw new RangeError('a path without folders');
    return end;
  }

  /** Removes empty folders from the end upwards; never the root. */
  async prune(): Promise<void> {
    for (const [index, name] of [...this.#names.entries()].reverse()) {
      if ((await this.#folders[index]?.removeFolder(name)) !== true) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of this.#folders) await folder.close();
  }
}

/** An entry that is not a folder, at the place of a folder of a path. */
export interface Obstacle {
  /** Segments down to the entry. */
  readonly at: readonly string[];
  readonly isFile: boolean;
}

/**
 * Opens the folders of a path, without following links. Resolves with undefined when a folder is
 * missing, unless `make` creates it. Throws a 409 when the root itself is not a folder.
 */
export async function openFolderPath(
  root: string,
  segments: readonly string[],
  { make = false } = {},
): Promise<FolderPath | Obstacle | undefined> {
  if (make) await createFolder(root);
  const top = await Folder.open(root);
  if (top === undefined) return undefined;
  if (top === null) {
    // Throws when the host can't access its own folders.
    await lstat(root);
    throw conflict("The service's folder is no longer a folder.");
  }
  const folders = [top];
  const path = new FolderPath(folders, segments);
  let parent = top;
  try {
    for (const [index, name] of segments.entries()) {
      const folder = make ? await parent.create(name) : await parent.enter(name);
      if (folder === null) {
        const isFile = (await parent.stat(name))?.isFile() === true;
        await path[Symbol.asyncDispose]();
        return { at: segments.slice(0, index + 1), isFile };
      }
      if (folder === undefined) {
        await path[Symbol.asyncDispose]();
        return undefined;
      }
      folders.push(folder);
      parent = folder;
    }
  } catch (error) {
    await path[Symbol.asyncDispose]();
    throw error;
  }
  return path;
}
