import { type EntryName, Folder } from './folder.ts';

/** A folder that the walk is in, or came through. */
interface Level {
  readonly identity: string;
  /** Folders in it that are still to be done. */
  readonly rest: EntryName[];
}

/**
 * Gives a tree to an owner: everything in it, links themselves among the rest, then its root, so
 * that a tree whose root has the owner is done. No link is followed, names may be any bytes, and two
 * folders are open at a time, however deep the tree is. Files with several names keep their owner.
 * Throws when another process moves a folder of the tree meanwhile.
 */
export async function chownTree(
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
    const levels: Level[] = [await levelOf(folder, uid, gid)];
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const next = level.rest.pop();
      const below: Folder | null | undefined =
        next === undefined ? undefined : await folder.enter(next);
      if (below instanceof Folder) {
        await folder.close();
        folder = below;
        levels.push(await levelOf(folder, uid, gid));
      } else if (below === null && next !== undefined) {
        await folder.setOwnerOf(next, uid, gid);
      } else if (next === undefined) {
        levels.pop();
        await folder.setOwner(uid, gid);
        const above = levels.at(-1);
        if (above !== undefined) folder = await goUp(folder, above);
      }
    }
  } finally {
    await folder.close();
  }
}

/** Changes the owner of all in a folder but of the folders. */
async function levelOf(folder: Folder, uid: number, gid: number): Promise<Level> {
  const rest: EntryName[] = [];
  for (const entry of await folder.names()) {
    if (entry.isDirectory()) rest.push(entry.name);
    else await folder.setOwnerOf(entry.name, uid, gid);
  }
  return { identity: await folder.identity(), rest };
}

async function goUp(folder: Folder, { identity }: Level): Promise<Folder> {
  const above = await folder.enter('..');
  await folder.close();
  if (above instanceof Folder && (await above.identity()) === identity) return above;
  if (above instanceof Folder) await above.close();
  throw new Error('Another process moved a folder while its owner was changed. Try again.');
}
