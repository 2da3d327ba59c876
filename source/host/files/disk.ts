import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { mostSegments } from './confine.ts';
import { Folder } from './folder.ts';

/** Makes what was written or renamed in a folder last through a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder and its parents, so that they last. */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

/**
 * Writes a new file of a random name in a folder and gives its path, once its content is on the
 * disk. Nothing stays of it when `write` throws.
 */
export async function writeTemporary(
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

/**
 * Copies a tree of plain files into an empty folder, all of it on the disk when it returns. Links,
 * other special files and what is deeper than a path of ours are left out: a service made them.
 * @param depth of the folder below the root of what is copied.
 */
export async function copyTree(source: Folder, target: Folder, depth = 0): Promise<void> {
  const entries = await source.names();
  const files = entries.filter((entry) => entry.isFile());
  await severalAtOnce(files, ({ name }) => source.copy(name, target));
  const folders = depth < mostSegments ? entries.filter((entry) => entry.isDirectory()) : [];
  for (const { name } of folders) {
    await using from = await source.enter(name);
    // It may have been removed since, or become something else.
    if (!(from instanceof Folder)) continue;
    await using to = await target.make(name);
    if (to instanceof Folder) await copyTree(from, to, depth + 1);
  }
  await target.sync();
}

/** More than the threads that do the work, so that none of them waits for us. */
const atOnce = 16;

/**
 * Does the work for all items, some of them at a time. Begins no more after the first failure, which
 * is thrown once nothing is under way any more: what the work uses can be closed then.
 */
export async function severalAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const workers = Array.from({ length: atOnce }, async () => {
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
