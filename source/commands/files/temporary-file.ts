import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Calls a function with the path of a file that is not there yet, in a folder that only this user can
 * enter. Removes both afterwards.
 */
export async function withTemporaryFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-'));
  try {
    return await use(path.join(folder, 'file'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
