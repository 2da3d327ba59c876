/** Changes of the owners and modes of folders that services use. */
import path from 'node:path';
import { Folder } from '../files/folder.ts';
import { changeTreeOwner } from '../files/tree-walk.ts';

/** Makes a user the owner of a tree, to which no other one has access. */
export async function changeOwner(tree: string, id: number): Promise<void> {
  const parent = await Folder.open(path.dirname(tree));
  if (!(parent instanceof Folder)) return;
  await using parentFolder = parent;
  const name = path.basename(tree);
  if ((await parentFolder.stat(name))?.uid === id) return;
  await using root = await parentFolder.enter(name);
  // Users of other deployments have access to the folders above the tree.
  if (root instanceof Folder) await root.restrict();
  await changeTreeOwner(parentFolder, name, id, id);
}

/** Lets a user read a folder, and nobody write to it; without a user, the host's own one. */
export async function allowReading(folder: string, user: number | undefined): Promise<void> {
  await using opened = await Folder.open(folder);
  if (opened instanceof Folder) await opened.allowReading(user);
}
