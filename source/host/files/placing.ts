import { conflict } from '../refusal.ts';
import { parsePath } from './confine.ts';
import type { Folder } from './folder.ts';
import { type StagedFile, toFileRecord } from './staged-file.ts';
import { FolderPath, type Obstacle, openFolderPath } from './way.ts';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder, writeTemporaryFile } from './disk.ts';
import { undefinedIfMissing } from './missing.ts';

/** A received file that is complete on the disk and not in its tree yet. */
export interface ReceivedFile {
  /** Path in the tree. */
  readonly path: string;
  /** Path of the temporary file. */
  readonly temporaryPath: string;
}

/** The files to move into one folder. */
interface Group {
  readonly segments: readonly string[];
  readonly files: { readonly name: string; readonly path: string; readonly temporary: string }[];
}

/** A completed move. */
interface Move {
  readonly folder: readonly string[];
  readonly name: string;
  /** Path of the replaced file; undefined when the move replaced nothing. */
  readonly old: string | undefined;
}

/**
 * Moves received files to their paths in a tree, and replaces existing files. Changes all of them
 * or none: checks all before the first move, and rolls back when a move fails. A single file is not
 * rolled back when syncing fails after its move, as the replaced file is not preserved.
 *
 * @param onRollback called before the first move is rolled back.
 */
export async function placeFiles(
  root: string,
  arrived: readonly ReceivedFile[],
  onRollback: () => Promise<void> = async () => {},
): Promise<readonly StagedFile[]> {
  const groups = groupsOf(arrived);
  for (const group of groups) await checkTargets(root, group);
  const records = new Map<string, StagedFile>();
  const moves: Move[] = [];
  const hasSeveral = arrived.length > 1;
  try {
    for (const { segments, files } of groups) {
      await using target = requireFolderPath(
        segments,
        await openFolderPath(root, segments, { make: true }),
      );
      for (const { name, path, temporary } of files) {
        const old = hasSeveral ? await preserve(target.end, name, temporary) : undefined;
        await target.end.moveIn(temporary, name);
        if (hasSeveral) moves.push({ folder: segments, name, old });
        const stats = await target.end.stat(name);
        if (stats !== undefined) records.set(path, toFileRecord(path, stats));
      }
      await target.end.sync();
    }
  } catch (error) {
    await onRollback();
    for (const move of moves.reverse()) await rollBack(root, move);
    for (const { segments } of groups) await prune(root, segments);
    throw error;
  }
  return [...new Set(arrived.map(({ path }) => path))].flatMap((path) => records.get(path) ?? []);
}

/** Groups the files by folder; of several files with one path, the last one wins. */
function groupsOf(arrived: readonly ReceivedFile[]): readonly Group[] {
  const last = new Map(arrived.map((file) => [file.path, file]));
  const groups = new Map<string, Group>();
  for (const { path, temporaryPath } of last.values()) {
    const segments = parsePath(path);
    const folder = segments.slice(0, -1);
    for (const index of folder.keys()) {
      const parent = segments.slice(0, index + 1).join('/');
      if (last.has(parent)) throw conflict(`${parent} can't be both a file and a folder.`);
    }
    const key = folder.join('/');
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { segments: folder, files: [] }));
    group.files.push({ name: segments.at(-1) ?? '', path, temporary: temporaryPath });
  }
  return [...groups.values()];
}

/** Throws a 409 when a folder or special file is at the path of one of these files. */
async function checkTargets(root: string, { segments, files }: Group): Promise<void> {
  const opened = await openFolderPath(root, segments);
  if (opened === undefined) return;
  await using target = requireFolderPath(segments, opened);
  for (const { name, path } of files) await assertReplaceable(target.end, name, path);
}

/**
 * Throws a 409 unless the entry is missing or a plain file. Removes an empty folder at its place.
 *
 * @param path path of the entry in its tree.
 */
async function assertReplaceable(folder: Folder, name: string, path: string): Promise<void> {
  const stats = await folder.stat(name);
  if (stats?.isDirectory() === true) {
    if (!(await folder.removeEmptyTree(name))) throw conflict(`${path} is a folder.`);
  } else if (stats?.isFile() === false) throw conflict(`${path} is not a plain file.`);
}

/** Returns the result of {@link openFolderPath} when it is a path. Throws a 409 when it is not. */
export function requireFolderPath(
  segments: readonly string[],
  opened: FolderPath | Obstacle | undefined,
): FolderPath {
  if (opened instanceof FolderPath) return opened;
  const at = (opened?.at ?? segments).join('/');
  throw conflict(
    opened?.isFile === true ? `${at} is a file, not a folder.` : `${at} is not a folder.`,
  );
}

async function preserve(folder: Folder, name: string, temporary: string) {
  if ((await folder.stat(name)) === undefined) return undefined;
  const old = `${temporary}.old`;
  await folder.preserve(name, old);
  return old;
}

/** Undoes a move if possible; the cause of the failure may prevent it. */
async function rollBack(root: string, { folder, name, old }: Move): Promise<void> {
  try {
    await using target = requireFolderPath(folder, await openFolderPath(root, folder));
    if (old === undefined) await target.end.remove(name);
    else await target.end.moveIn(old, name);
    await target.end.sync();
  } catch {
    // The caller throws the first failure.
  }
}

async function prune(root: string, segments: readonly string[]): Promise<void> {
  const opened = await openFolderPath(root, segments).catch(() => undefined);
  if (!(opened instanceof FolderPath)) return;
  await opened.prune();
  await opened[Symbol.asyncDispose]();
}

const planName = 'plan.json';

/** A placement of received files that has begun. */
interface Plan {
  readonly service: string;
  readonly files: readonly ReceivedFile[];
}

/** A plan as it is stored; `temporary` is the name of the file in the folder. */
interface StoredPlan {
  readonly service: string;
  readonly files: readonly { readonly path: string; readonly temporary: string }[];
}

/**
 * Records which files are about to be moved out of a folder of received files, so that the next
 * host can complete the placement when this one is killed.
 */
export async function writePlan(
  folder: string,
  service: string,
  files: readonly ReceivedFile[],
): Promise<void> {
  const plan: StoredPlan = {
    service,
    files: files.map((file) => ({ path: file.path, temporary: path.basename(file.temporaryPath) })),
  };
  const text = JSON.stringify(plan);
  const temporary = await writeTemporaryFile(folder, (handle) => handle.writeFile(text));
  await rename(temporary, path.join(folder, planName));
  await syncFolder(folder);
}

/** Reads the plan that a killed host has left in a folder; undefined when there is none. */
export async function readPlan(folder: string): Promise<Plan | undefined> {
  const text = await undefinedIfMissing(readFile(path.join(folder, planName), 'utf8'));
  if (text === undefined) return undefined;
  const { service, files } = JSON.parse(text) as StoredPlan;
  return {
    service,
    files: files.map((file) => ({
      path: file.path,
      temporaryPath: path.join(folder, path.basename(file.temporary)),
    })),
  };
}

/** Removes a plan, so that no host completes it. */
export async function removePlan(folder: string): Promise<void> {
  await rm(path.join(folder, planName), { force: true });
  await syncFolder(folder);
}
