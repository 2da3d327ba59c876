import { severalAtOnce } from './disk.ts';
import { Folder } from './folder.ts';
import { type StagedFile, toRecord } from './staged-file.ts';
import { goDown, Way } from './way.ts';

/** Files that are looked at together. */
const batch = 512;

/**
 * All files of a tree by path, some at a time: of a tree of any size no more is held than the names
 * in the folders that are being gone through.
 */
export async function* list(root: string): AsyncGenerator<readonly StagedFile[]> {
  const way = await goDown(root, []);
  if (!(way instanceof Way)) return;
  await using top = way;
  yield* listFolder(top.end, '');
}

async function* listFolder(folder: Folder, prefix: string): AsyncGenerator<readonly StagedFile[]> {
  const names = sortedNames(await folder.names());
  let files: string[] = [];
  for (const name of names) {
    if (!name.endsWith('/')) {
      files.push(name);
      if (files.length < batch) continue;
    }
    yield await records(folder, prefix, files);
    files = [];
    if (!name.endsWith('/')) continue;
    await using below = await folder.enter(name.slice(0, -1));
    // It may have been removed since its parent was read, or become something else.
    if (below instanceof Folder) yield* listFolder(below, prefix + name);
  }
  yield await records(folder, prefix, files);
}

/** Names of files and, with a slash at their end, of folders, in the order of whole paths. */
function sortedNames(entries: Awaited<ReturnType<Folder['names']>>): readonly string[] {
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.isFile()) names.push(entry.name);
    else if (entry.isDirectory()) names.push(`${entry.name}/`);
  }
  return names.sort();
}

async function records(
  folder: Folder,
  prefix: string,
  names: readonly string[],
): Promise<readonly StagedFile[]> {
  const found: (StagedFile | undefined)[] = Array.from({ length: names.length });
  await severalAtOnce([...names.entries()], async ([index, name]) => {
    const stats = await folder.look(name);
    if (stats?.isFile() === true) found[index] = toRecord(prefix + name, stats);
  });
  return found.filter((record) => record !== undefined);
}
