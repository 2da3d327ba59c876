import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { forEachConcurrently } from './disk.ts';
import { type EntryName } from './entry-path.ts';
import { Folder } from './folder.ts';
import { hasErrorCode } from './missing.ts';
import { openFolderPath, FolderPath } from './way.ts';

/** Most attempts; a process can write into a tree as fast as it is emptied. */
const maxPasses = 100;

/** Error codes for an entry that was removed or replaced meanwhile. */
const interferenceCodes = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST'];

/**
 * Removes an entry of a folder: a file, a link, or a folder with its content. No link is followed,
 * even when other processes change the tree meanwhile, and names may be any bytes. Only a few
 * folders are open at a time, regardless of the depth: deeper folders are moved up to the root
 * first. Throws the system's error when an entry can't be removed.
 */
export async function removeTree(parent: Folder, name: EntryName): Promise<void> {
  let failure: unknown;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    try {
      const root = await enterUnlocked(parent, name);
      if (root === undefined) return;
      if (root === null) {
        await parent.remove(name);
        return;
      }
      await using top = root;
      await new TreeEmptier(top).run();
      await parent.removeEmpty(name);
      return;
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return;
      if (!hasErrorCode(error, ...interferenceCodes)) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Empties the root folder of a tree. */
class TreeEmptier {
  readonly #top: Folder;
  /** Names of folders in the root that are not empty yet. */
  readonly #folders: EntryName[] = [];

  constructor(top: Folder) {
    this.#top = top;
  }

  async run(): Promise<void> {
    await this.#empty(this.#top);
    for (let name = this.#folders.pop(); name !== undefined; name = this.#folders.pop()) {
      await ignoreCodes(interferenceCodes, this.#removeFolder(name));
    }
  }

  async #removeFolder(name: EntryName): Promise<void> {
    const folder = await enterUnlocked(this.#top, name);
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
    await forEachConcurrently(await folder.names(), (entry) => this.#remove(folder, entry));
  }

  async #remove(folder: Folder, entry: Dirent<Buffer>): Promise<void> {
    const { name } = entry;
    if (!entry.isDirectory()) await ignoreCodes(interferenceCodes, folder.remove(name));
    else if (folder === this.#top) this.#folders.push(name);
    else await ignoreCodes(interferenceCodes, this.#moveUp(folder, name));
  }

  async #moveUp(folder: Folder, name: EntryName): Promise<void> {
    const newName = randomUUID();
    try {
      await folder.moveTo(name, this.#top, newName);
    } catch (error) {
      if (hasErrorCode(error, 'EXDEV')) {
        // Overlay file systems can't move folders of a lower layer.
        await removeTree(folder, name);
        return;
      }
      if (!hasErrorCode(error, 'EACCES')) throw error;
      // Moving a folder requires write permission on the folder itself.
      await folder.grantOwnerAccess(name);
      await folder.moveTo(name, this.#top, newName);
    }
    this.#folders.push(newName);
  }
}

/**
 * Opens a subfolder like {@link Folder.enter}, and adds permissions when its mode denies access.
 */
async function enterUnlocked(parent: Folder, name: EntryName): Promise<Folder | null | undefined> {
  try {
    const folder = await parent.enter(name);
    if (!(folder instanceof Folder) || (await folder.hasOwnerAccess())) return folder;
    await folder.close();
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES')) throw error;
  }
  await parent.grantOwnerAccess(name);
  return await parent.enter(name);
}

async function ignoreCodes(codes: readonly string[], work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!hasErrorCode(error, ...codes)) throw error;
  }
}

/**
 * Removes an entry of a folder, and its content, if there is such a folder. It does not come back
 * after a power failure.
 */
export async function removeDurably(root: string, name: string): Promise<void> {
  await using folder = await Folder.open(root);
  if (!(folder instanceof Folder)) return;
  await removeTree(folder, name);
  await folder.sync();
}

/** Removes an entry of a folder below `root`, and its content. Follows no link. */
export async function removeTreeBelow(
  root: string,
  folders: readonly string[],
  name: string,
): Promise<void> {
  const opened = await openFolderPath(root, folders);
  if (!(opened instanceof FolderPath)) return;
  await using folderPath = opened;
  await removeTree(folderPath.end, name);
}
