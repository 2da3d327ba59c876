import { type EntryName } from './entry-path.ts';
import { Folder } from './folder.ts';
import { walkTree } from './tree-walk.ts';

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
