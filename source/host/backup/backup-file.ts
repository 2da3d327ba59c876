import { randomUUID } from 'node:crypto';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../files/disk.ts';
import { hasErrorCode, undefinedIfMissing } from '../files/missing.ts';

/**
 * Creates a file that only this user can read from bytes, and calls `finish` before the file gets
 * its name. Resolves with the file's size once it is on the disk. Throws, and leaves no file, when
 * the bytes or `finish` throw, or when there is a file of this name.
 */
export async function savePrivateFile(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  finish: () => void,
): Promise<number> {
  const temporary = `${file}.${randomUUID().slice(0, 8)}.partial`;
  let size = 0;
  try {
    const handle = await open(temporary, 'wx', 0o600).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Can't create ${file}: ${reason}. Name another file.`);
    });
    try {
      for await (const chunk of bytes) {
        await handle.writeFile(chunk);
        size += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    finish();
    await nameFile(temporary, file);
    await syncFolder(path.dirname(path.resolve(file)));
    return size;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Throws when there is an entry of this name. */
export async function assertUnused(file: string): Promise<void> {
  if ((await undefinedIfMissing(lstat(file))) !== undefined) {
    throw new Error(`${file} exists already. Name another file.`);
  }
}

async function nameFile(temporary: string, file: string): Promise<void> {
  try {
    // Unlike a rename, a link never replaces a file.
    await link(temporary, file);
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) await assertUnused(file);
    if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS')) throw error;
    await assertUnused(file);
    await rename(temporary, file);
  }
}
