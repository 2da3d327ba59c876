import { type EntryName } from './entry-path.ts';
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
export async function walkTree(root: Folder, visitor: TreeVisitor): Promise<void> {
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
export class MovedFolder extends Error {}
