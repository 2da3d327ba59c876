import { randomUUID } from 'node:crypto';
import { link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './atomic-file.ts';
import { describeLocalError } from '../client/local-reason.ts';
import type { LocalFiles, FileWriter } from '../store/transfers/local-files.ts';

/**
 * Opens a temporary file beside the target, which it becomes when it is finished: after a crash the
 * target is complete or unchanged. Unless `replaces`, a file that appears at the target meanwhile stays.
 */
export const beginFile: LocalFiles['begin'] = async (given, replaces) => {
  try {
    const file = replaces ? await regularFile(given) : given;
    const temporary = path.join(path.dirname(file), `.hostdeck-${randomUUID()}.part`);
    const handle = await open(temporary, 'wx', 0o600);
    const end = async (): Promise<void> => {
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
    };
    const writing: FileWriter = {
      async write(content) {
        try {
          const bytes = typeof content === 'string' ? Buffer.from(content) : content;
          await handle.appendFile(bytes);
          return { ok: true, bytes: bytes.length };
        } catch (error) {
          return { ok: false, reason: reasonOf(error) };
        }
      },
      async finish() {
        try {
          await handle.sync();
          await handle.close();
          await (replaces ? rename(temporary, file) : putInPlace(temporary, file));
          return { ok: true };
        } catch (error) {
          return { ok: false, reason: reasonOf(error) };
        } finally {
          await end();
        }
      },
      discard: end,
    };
    return { ok: true, writing };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
};

/**
 * Puts a temporary file of the same folder at a path where no file was; one that has appeared there
 * meanwhile stays. Returns the reason where that fails, to follow "Can't write X: ".
 */
export async function placeNewFile(temporary: string, file: string): Promise<string | undefined> {
  try {
    await putInPlace(temporary, file);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

class NoFile extends Error {}

/** Resolves with the file behind a path, so that a symbolic link stays a link. */
async function regularFile(given: string): Promise<string> {
  const file = await realpath(given).catch(() => given);
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === false) throw new NoFile('it is not a regular file');
  return file;
}

/** Error codes of file systems without hard links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK']);

/** Links the file into place: unlike a rename, a link never replaces a file that appeared meanwhile. */
async function putInPlace(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (!noLinks.has(errorCode(error))) throw error;
    if ((await stat(file).catch(() => undefined)) !== undefined) {
      throw new NoFile('a file was created there meanwhile');
    }
    await rename(temporary, file);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoFile) return error.message;
  const code = errorCode(error);
  if (code === 'EEXIST') return 'a file was created there meanwhile';
  return code === 'ENOENT' ? 'the folder does not exist' : describeLocalError(error);
}
