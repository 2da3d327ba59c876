import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { maxSegments } from './confine.ts';
import type { EntryName } from './entry-path.ts';
import { Folder } from './folder.ts';
import { undefinedIfMissing } from './missing.ts';
import { makeFolder } from '../../system/make-folder.ts';

/** Operations on files and folders that survive a power failure. */

/** Syncs a folder, so that changes of its entries survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder and its parents, and syncs them. */
export async function createFolder(folder: string, mode = 0o777): Promise<void> {
  const first = await makeFolder(folder, mode);
  if (first === undefined) return;
  for (let created = folder; created.length >= first.length; created = path.dirname(created)) {
    await syncFolder(path.dirname(created));
  }
}

/**
 * Writes a new file with a random name in a folder, and resolves with its path once the content is
 * on the disk. Removes the file when `write` throws.
 */
export async function writeTemporaryFile(
  folder: string,
  write: (handle: FileHandle) => Promise<void>,
): Promise<string> {
  const file = path.join(folder, randomUUID());
  const handle = await open(file, 'wx', 0o644);
  try {
    await write(handle);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(file, { force: true });
    throw error;
  }
  await handle.close();
  return file;
}

/** Gives another folder the file with this name. */
type Transfer = (from: Folder, name: EntryName, to: Folder) => Promise<void>;

export const byCopy: Transfer = (from, name, to) => from.copy(name, to);

/** For files whose content nobody changes; skips those that are removed meanwhile. */
export const byLink: Transfer = (from, name, to) => undefinedIfMissing(from.linkTo(name, to));

/** For files that services may not change, since they are the staged ones. */
export const byReadOnlyLink: Transfer = async (from, name, to) => {
  await byLink(from, name, to);
  await to.denyWriting(name);
};

/**
 * Copies a tree of plain files into an empty folder, and syncs the copy. Links, other special files
 * and entries deeper than the longest path are skipped; only services create them.
 *
 * @param depth depth of the folder below the root of the copied tree.
 */
export async function copyTree(
  source: Folder,
  target: Folder,
  transfer = byCopy,
  depth = 0,
): Promise<void> {
  const entries = await source.names();
  const files = entries.filter((entry) => entry.isFile());
  await forEachConcurrently(files, ({ name }) => transfer(source, name, target));
  const folders = depth < maxSegments ? entries.filter((entry) => entry.isDirectory()) : [];
  for (const { name } of folders) {
    await using from = await source.enter(name);
    // The entry may have been removed or replaced since.
    if (!(from instanceof Folder)) continue;
    await using to = await target.create(name);
    if (to instanceof Folder) await copyTree(from, to, transfer, depth + 1);
  }
  await target.sync();
}

/** More than the threads of Node's pool, so that none of them is idle. */
const concurrency = 16;

/**
 * Runs `work` for all items with limited concurrency. Starts no more after the first failure, and
 * throws it once all started work has ended, so that the caller can close what the work used.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of rest) {
      if (failures.length > 0) return;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  });
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
}
