import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../system/make-folder.ts';

/** Extension of unfinished files, which no reader opens. */
export const unfinished = '.part';

/**
 * Writes a file atomically and durably: after a crash or power cut it holds its old or its new content.
 * Rejects where that fails; {@link whyNot} words the error.
 * @param mode permissions of the file; by default only its owner may read it.
 */
export async function writeAtomically(
  file: string,
  content: string | Iterable<string | Uint8Array>,
  mode = 0o600,
): Promise<void> {
  const folder = path.dirname(file);
  await makeDurably(folder);
  const temporary = `${file}.${randomBytes(6).toString('hex')}${unfinished}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      for (const piece of typeof content === 'string' ? [content] : content) {
        await handle.writeFile(piece);
      }
      if (mode !== 0o600) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Removes a file durably, so that it stays removed after a power cut; a missing file is no error. */
export async function removeForGood(file: string): Promise<void> {
  try {
    await rm(file, { force: true });
    await syncFolder(path.dirname(file));
  } catch (error) {
    // A file in the place of a folder holds nothing to remove.
    if (errorCode(error) !== 'ENOTDIR') throw error;
  }
}

/** Makes the folder and its parents durably, readable by their owner only. */
async function makeDurably(folder: string): Promise<void> {
  const first = await makeFolder(folder, 0o700);
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

/** Error codes of file systems that can't sync a folder. */
const noSync = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'ENOENT']);

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!noSync.has(errorCode(error))) throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on this machine',
  EDQUOT: 'your disk quota on this machine is used up',
  EFBIG: 'the file is too large for this machine',
  EROFS: 'the disk of this machine is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'the disk of this machine failed',
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'a file is in the place of a folder',
  EEXIST: 'a file is in the place of a folder',
  ELOOP: 'a link leads nowhere',
  ENAMETOOLONG: 'the name is too long',
};

/** Error codes that depend on the place of a file, not on the state of the machine. */
const placeCodes = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EEXIST',
  'ELOOP',
  'ENAMETOOLONG',
]);

/**
 * Returns the reason of a failed write, as the end of a sentence without its full stop.
 * @param folder the folder that the sentence doesn't name; the reason names it where it matters.
 */
export function whyNot(error: unknown, folder?: string): string {
  const code = errorCode(error);
  const reason = reasons[code] ?? (code === '' ? String(error) : `error ${code}`);
  return folder !== undefined && placeCodes.has(code) ? `${reason} (${folder})` : reason;
}

/** Returns the code of an error of the system; empty for any other. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
