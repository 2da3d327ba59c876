import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

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
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
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
 * Copies a tree of plain files into a folder that does not exist yet, all of it on the disk when
 * it returns. Links and other special files are left out: the tree never has any of ours.
 */
export async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const entries = await readdir(source, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  await severalAtOnce(files, ({ name }) =>
    copyPlain(path.join(source, name), path.join(target, name)),
  );
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    await copyTree(path.join(source, name), path.join(target, name));
  }
  await syncFolder(target);
}

/** More than the threads that do the work, so that none of them waits for us. */
const atOnce = 16;

/** Does the work for all items, some of them at a time. */
export async function severalAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = items.values();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(workers);
}

async function copyPlain(from: string, to: string): Promise<void> {
  // Shares the blocks where the file system can: a copy is changed on its own all the same.
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const handle = await open(to, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
