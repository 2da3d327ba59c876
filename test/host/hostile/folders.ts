import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folder of run trees outside of the data folder. */
export const machineRuns = '/var/lib/hostdeck/runs';

/** Returns the files with this name below a folder, without following links. */
export function filesCalled(name: string, folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesCalled(name, file);
    return entry.name === name ? [file] : [];
  });
}

/** Returns no entries for a missing folder; other tests remove theirs meanwhile. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Returns the metadata and content of a folder's tree, for a later comparison. */
export function snapshotOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...names].toSorted().map((name) => {
    const file = path.join(folder, name);
    const { mode, uid, gid, mtimeMs, nlink } = lstatSync(file);
    const isFile = lstatSync(file).isFile();
    return [name, mode, uid, gid, mtimeMs, nlink, isFile ? readFileSync(file, 'utf8') : ''].join();
  });
}
