import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { severalAtOnce } from './disk.ts';
import { type EntryName, Folder } from './folder.ts';
import { hasCode } from './missing.ts';

/** A process that goes on writing into a tree can fill it as fast as it is emptied. */
const mostPasses = 100;

/** Codes of the system for an entry that vanished or has become something else. */
const changed = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST'];

/**
 * Removes what is at a name in a folder: a file, a link, or a folder with all in it. No link is
 * followed, whatever other processes do to the tree meanwhile, and names may be any bytes. At most
 * a few folders are open at a time, however deep the tree is: those further down are moved up to its
 * root first. Throws what the system says where something cannot be removed.
 */
export async function removeTree(parent: Folder, name: EntryName): Promise<void> {
  let failure: unknown;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    try {
      const root = await enter(parent, name);
      if (root === undefined) return;
      if (root === null) {
        await parent.remove(name);
        return;
      }
      await using top = root;
      await new Emptying(top).run();
      await parent.removeEmpty(name);
      return;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
      if (!hasCode(error, ...changed)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Removes all that is in the folder at the root of a tree. */
class Emptying {
  readonly #top: Folder;
  /** Names of folders in the root that are to be emptied. */
  readonly #folders: EntryName[] = [];

  constructor(top: Folder) {
    this.#top = top;
  }

  async run(): Promise<void> {
    await this.#empty(this.#top);
    for (let name = this.#folders.pop(); name !== undefined; name = this.#folders.pop()) {
      await ignoring(changed, this.#removeFolder(name));
    }
  }

  async #removeFolder(name: EntryName): Promise<void> {
    const folder = await enter(this.#top, name);
    if (folder === undefined) return;
    if (folder === null) {
      await this.#top.remove(name);
      return;
    }
    try {
      await this.#empty(folder);
    } finally {
      await folder.close();
    }
    await this.#top.removeEmpty(name);
  }

  async #empty(folder: Folder): Promise<void> {
    await severalAtOnce(await folder.names(), (entry) => this.#remove(folder, entry));
  }

  async #remove(folder: Folder, entry: Dirent<Buffer>): Promise<void> {
    const { name } = entry;
    if (!entry.isDirectory()) await ignoring(changed, folder.remove(name));
    else if (folder === this.#top) this.#folders.push(name);
    else await ignoring(changed, this.#moveUp(folder, name));
  }

  async #moveUp(folder: Folder, name: EntryName): Promise<void> {
    const free = randomUUID();
    try {
      await folder.hand(name, this.#top, free);
    } catch (error) {
      if (hasCode(error, 'EXDEV')) {
        // Layers of an overlay file system do not move folders.
        await removeTree(folder, name);
        return;
      }
      if (!hasCode(error, 'EACCES')) throw error;
      // To be moved, a folder must be writable itself.
      await folder.unlock(name);
      await folder.hand(name, this.#top, free);
    }
    this.#folders.push(free);
  }
}

/** Opens a folder in another one like {@link Folder.enter}, also where its mode forbids that. */
async function enter(parent: Folder, name: EntryName): Promise<Folder | null | undefined> {
  try {
    const folder = await parent.enter(name);
    if (!(folder instanceof Folder) || (await folder.isUnlocked())) return folder;
    await folder.close();
  } catch (error) {
    if (!hasCode(error, 'EACCES')) throw error;
  }
  await parent.unlock(name);
  return await parent.enter(name);
}

async function ignoring(codes: readonly string[], work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!hasCode(error, ...codes)) throw error;
  }
}
