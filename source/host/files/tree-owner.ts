import { type EntryName, Folder } from './folder.ts';

/** A folder on the current path of the walk. */
interface Level {
  readonly identity: string;
  /** Subfolders that the walk has not visited. */
  readonly remaining: EntryName[];
}

/**
 * Changes the owner of a tree: of all entries, including links themselves, and last of its root, so
 * that the root's owner marks a completed change. No link is followed, names may be any bytes, and
 * at most two folders are open, regardless of the depth. Files with several hard links are skipped.
 * Throws when another process moves a folder of the tree meanwhile.
 */
export async function changeTreeOwner(
  parent: Folder,
  name: EntryName,
  uid: number,
  gid: number,
): Promise<void> {
  let folder = await parent.enter(name);
  if (!(folder instanceof Folder)) {
    await parent.setOwnerOf(name, uid, gid);
    return;
  }
  try {
    const levels: Level[] = [await enterLevel(folder, uid, gid)];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const next = level.remaining.pop();
      const subfolder: Folder | null | undefined =
        next === undefined ? undefined : await folder.enter(next);
      if (subfolder instanceof Folder) {
        await folder.close();
        folder = subfolder;
        levels.push(await enterLevel(folder, uid, gid));
      } else if (subfolder === null && next !== undefined) {
        await folder.setOwnerOf(next, uid, gid);
      } else if (next === undefined) {
        levels.pop();
        await folder.setOwner(uid, gid);
        const parentLevel = levels.at(-1);
        if (parentLevel !== undefined) folder = await openParent(folder, parentLevel);
      }
    }
  } finally {
    await folder.close();
  }
}

/** Changes the owner of all entries but subfolders, and returns the level of the folder. */
async function enterLevel(folder: Folder, uid: number, gid: number): Promise<Level> {
  const remaining: EntryName[] = [];
  for (const entry of await folder.names()) {
    if (entry.isDirectory()) remaining.push(entry.name);
    else await folder.setOwnerOf(entry.name, uid, gid);
  }
  return { identity: await folder.identity(), remaining };
}

async function openParent(folder: Folder, { identity }: Level): Promise<Folder> {
  const parent = await folder.enter('..');
  await folder.close();
  if (parent instanceof Folder && (await parent.identity()) === identity) return parent;
  if (parent instanceof Folder) await parent.close();
  throw new Error('Another process moved a folder while its owner was changed. Try again.');
}
