/**
 * A program that works on a tree as a process with limits and a user of a test's choice: `remove
 * FOLDER NAME` or `own FOLDER NAME UID GID`.
 */
import { Folder } from '../../../source/host/files/folder.ts';
import { changeTreeOwner } from '../../../source/host/files/tree-walk.ts';
import { removeTree } from '../../../source/host/files/tree-removal.ts';

const [work, folder = '', name = '', uid, gid] = process.argv.slice(2);
const parent = await Folder.open(folder);
if (!(parent instanceof Folder)) throw new Error('no folder');
if (work === 'own') await changeTreeOwner(parent, name, Number(uid), Number(gid));
else await removeTree(parent, name);
await parent.close();
