import { conflict } from '../refusal.ts';
import { confinedSegments } from './confine.ts';
import type { Folder } from './folder.ts';
import { type StagedFile, toRecord } from './staged-file.ts';
import { goDown, type Obstacle, FolderPath } from './way.ts';

/** A file that is complete on the disk and waits to take its place. */
export interface ArrivedFile {
  readonly path: string;
  readonly temporary: string;
}

/** What is moved into one folder. */
interface Group {
  readonly segments: readonly string[];
  readonly files: { readonly name: string; readonly path: string; readonly temporary: string }[];
}

/** A move that was made, and the other name of what was there before. */
interface Move {
  readonly folder: readonly string[];
  readonly name: string;
  readonly old: string | undefined;
}

/**
 * Puts complete files in their places in a tree, over those that are there. Looks at all of them
 * before the first is moved, and takes back what was moved when another one cannot be: the tree is
 * changed as asked or not at all. `onTakeBack` comes before the first is taken back. One that is
 * alone stays when the disk fails behind its move: nothing is kept of what it has replaced.
 */
export async function place(
  root: string,
  arrived: readonly ArrivedFile[],
  onTakeBack: () => Promise<void> = async () => {},
): Promise<readonly StagedFile[]> {
  const groups = groupsOf(arrived);
  for (const group of groups) await check(root, group);
  const records = new Map<string, StagedFile>();
  const moves: Move[] = [];
  const isOneOfSeveral = arrived.length > 1;
  try {
    for (const { segments, files } of groups) {
      await using way = folderAt(segments, await goDown(root, segments, { make: true }));
      for (const { name, path, temporary } of files) {
        const old = isOneOfSeveral ? await keepOld(way.end, name, temporary) : undefined;
        await way.end.take(temporary, name);
        if (isOneOfSeveral) moves.push({ folder: segments, name, old });
        const stats = await way.end.look(name);
        if (stats !== undefined) records.set(path, toRecord(path, stats));
      }
      await way.end.sync();
    }
  } catch (error) {
    await onTakeBack();
    for (const move of moves.reverse()) await takeBack(root, move);
    for (const { segments } of groups) await prune(root, segments);
    throw error;
  }
  return [...new Set(arrived.map(({ path }) => path))].flatMap((path) => records.get(path) ?? []);
}

/** By folder; of several files of one path the last one counts. */
function groupsOf(arrived: readonly ArrivedFile[]): readonly Group[] {
  const last = new Map(arrived.map((file) => [file.path, file]));
  const groups = new Map<string, Group>();
  for (const { path, temporary } of last.values()) {
    const segments = confinedSegments(path);
    const folder = segments.slice(0, -1);
    for (const index of folder.keys()) {
      const parent = segments.slice(0, index + 1).join('/');
      if (last.has(parent)) throw conflict(`${parent} is a file and a folder at once.`);
    }
    const key = folder.join('/');
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { segments: folder, files: [] }));
    group.files.push({ name: segments.at(-1) ?? '', path, temporary });
  }
  return [...groups.values()];
}

/** Throws a 409 when something stands where these files are to be. */
async function check(root: string, { segments, files }: Group): Promise<void> {
  const found = await goDown(root, segments);
  if (found === undefined) return;
  await using way = folderAt(segments, found);
  for (const { name, path } of files) {
    const stats = await way.end.look(name);
    if (stats?.isDirectory() === true) {
      if (!(await way.end.removeHollow(name))) throw conflict(`${path} is a folder.`);
    } else if (stats?.isFile() === false) throw conflict(`${path} is not a plain file.`);
  }
}

/** The way that was found. Throws a 409 where it was none. */
export function folderAt(
  segments: readonly string[],
  found: FolderPath | Obstacle | undefined,
): FolderPath {
  if (found instanceof FolderPath) return found;
  const at = (found?.at ?? segments).join('/');
  throw conflict(found?.isFile === true ? `${at} is a file, not a folder.` : `${at} is no folder.`);
}

async function keepOld(folder: Folder, name: string, temporary: string) {
  if ((await folder.look(name)) === undefined) return undefined;
  const old = `${temporary}.old`;
  await folder.keep(name, old);
  return old;
}

/** Best effort: what failed may keep this from being done as well. */
async function takeBack(root: string, { folder, name, old }: Move): Promise<void> {
  try {
    await using way = folderAt(folder, await goDown(root, folder));
    if (old === undefined) await way.end.remove(name);
    else await way.end.take(old, name);
    await way.end.sync();
  } catch {
    // The first failure is the one to be told.
  }
}

async function prune(root: string, segments: readonly string[]): Promise<void> {
  const way = await goDown(root, segments).catch(() => undefined);
  if (!(way instanceof FolderPath)) return;
  await way.prune();
  await way[Symbol.asyncDispose]();
}
