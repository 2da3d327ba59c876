import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Ending of files that are being written: nobody reads them. */
export const unfinished = '.part';

/**
 * Writes a file so that whatever dies leaves either what was there or all of the new content, and
 * so that it is still there after a power cut. Only its owner may read it. Throws where that fails;
 * {@link whyNot} has words for it.
 */
export async function writeAtomically(
  file: string,
  content: string | Iterable<string | Uint8Array>,
): Promise<void> {
  const folder = path.dirname(file);
  await makeFolder(folder);
  const temporary = `${file}.${randomBytes(6).toString('hex')}${unfinished}`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      for (const piece of typeof content === 'string' ? [content] : content) {
        await handle.writeFile(piece);
      }
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

/** Removes a file so that it does not come back after a power cut; one that is gone is no error. */
export async function removeForGood(file: string): Promise<void> {
  await rm(file, { force: true });
  await syncFolder(path.dirname(file));
}

/** Makes the folder and those above it, each kept and for its owner only. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
  }
}

/** File systems that cannot sync a folder say so with one of these. */
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
    if (!noSync.has(codeOf(error))) throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on this machine',
  EDQUOT: 'no space left for you on this machine',
  EFBIG: 'it is larger than this machine takes',
  EROFS: 'the disk of this machine is read-only',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
};

/** Why something could not be written, as the end of a sentence without its full stop. */
export function whyNot(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ?? (code === '' ? String(error) : `this machine says ${code}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
