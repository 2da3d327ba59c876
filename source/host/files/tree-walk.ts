import type { EntryName } from './entry-path.ts';
import { Folder } from './folder.ts';

/** Steps of a walk. */
export interface TreeVisitor {
  /** Called for each entry that is not a folder; returns false to end the walk. */
  readonly onEntry: (folder: Folder, name: EntryName) => Promise<boolean>;
  /** Called for each folder after its content, last for the root. */
  readonly onFolder: (folder: Folder) => Promise<void>;
}

/** A folder on the current path of the walk. */
interface Level {
  readonly identity: string;
  /** Subfolders that the walk has not visited. */
  readonly remaining: EntryName[];
}

/**
 * Visits a tree, and closes its root. No link is followed, names may be any bytes, and at most two
 * folders are open, regardless of the depth. Throws when another process moves a folder of the tree
 * meanwhile.
 */
async function walkTree(root: Folder, visitor: TreeVisitor): Promise<void> {
  let folder = root;
  try {
    const first = await enterLevel(folder, visitor);
    if (first === undefined) return;
    const levels = [first];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const next = level.remaining.pop();
      const subfolder: Folder | null | undefined =
        next === undefined ? undefined : await folder.enter(next);
      if (subfolder instanceof Folder) {
        await folder.close();
        folder = subfolder;
        const entered = await enterLevel(folder, visitor);
        if (entered === undefined) return;
        levels.push(entered);
      } else if (subfolder === null && next !== undefined) {
        if (!(await visitor.onEntry(folder, next))) return;
      } else if (next === undefined) {
        levels.pop();
        await visitor.onFolder(folder);
        const parentLevel = levels.at(-1);
        if (parentLevel !== undefined) folder = await openParent(folder, parentLevel);
      }
    }
  } finally {
    await folder.close();
  }
}

/** Visits all entries but subfolders. Resolves with the level of the folder, unless the walk ends. */
async function enterLevel(folder: Folder, { onEntry }: TreeVisitor): Promise<Level | undefined> {
  const remaining: EntryName[] = [];
  for (const entry of await folder.names()) {
    if (entry.isDirectory()) remaining.push(entry.name);
    else if (!(await onEntry(folder, entry.name))) return undefined;
  }
  return { identity: await folder.identity(), remaining };
}

async function openParent(folder: Folder, { identity }: Level): Promise<Folder> {
  const parent = await folder.enter('..');
  if (parent instanceof Folder && (await parent.identity()) === identity) {
    await folder.close();
    return parent;
  }
  if (parent instanceof Folder) await parent.close();
  throw new MovedFolder('Another process moved a folder of the tree meanwhile. Try again.');
}

/** The error of a walk through a tree that another process changes. */
class MovedFolder extends Error {}

/** Most walks through a tree that a service changes meanwhile. */
const maxPasses = 3;

/** Bytes of a block of `st_blocks` (POSIX, stat(2)). */
const blockBytes = 512;

/** Files with several hard links that are remembered, to count each once. */
const maxRemembered = 100_000;

/**
 * Resolves with the disk space that the files and folders of a tree take, in bytes. The walk ends
 * once it has found more than `most`, since more is not needed to know that. Where a service moves
 * folders meanwhile, the largest part that was seen counts.
 */
export async function measureTree(path: string, most: number): Promise<number> {
  let largest = 0;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const root = await Folder.open(path);
    if (!(root instanceof Folder)) return largest;
    const sum = new SizeSum(most);
    try {
      await walkTree(root, sum);
      return Math.max(largest, sum.bytes);
    } catch (error) {
      if (!(error instanceof MovedFolder)) throw error;
      largest = Math.max(largest, sum.bytes);
    }
  }
  return largest;
}

class SizeSum {
  bytes = 0;
  readonly #most: number;
  readonly #linked = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  readonly onEntry = async (folder: Folder, name: string | Buffer): Promise<boolean> => {
    const stats = await folder.stat(name);
    if (stats === undefined) return true;
    const { dev, ino, nlink, blocks } = stats;
    if (nlink > 1) {
      const key = `${dev} ${ino}`;
      if (this.#linked.has(key)) return true;
      if (this.#linked.size < maxRemembered) this.#linked.add(key);
    }
    this.bytes += blocks * blockBytes;
    return this.bytes <= this.#most;
  };

  readonly onFolder = async (folder: Folder): Promise<void> => {
    this.bytes += (await folder.ownStats()).blocks * blockBytes;
  };
}

/**
 * Changes the owner of a tree: of all entries, including links themselves, and last of its root, so
 * that the root's owner marks a completed change. Files with several hard links are skipped. Throws
 * when another process moves a folder of the tree meanwhile.
 */
export async function changeTreeOwner(
  parent: Folder,
  name: EntryName,
  uid: number,
  gid: number,
): Promise<void> {
  const folder = await parent.enter(name);
  if (!(folder instanceof Folder)) {
    await parent.setOwnerOf(name, uid, gid);
    return;
  }
  await walkTree(folder, {
    async onEntry(within, entry) {
      await within.setOwnerOf(entry, uid, gid);
      return true;
    },
    async onFolder(each) {
      await each.setOwner(uid, gid);
    },
  });
}
