import { readdir, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Returns the name of a run's control group. */
export function groupName(run: string): string {
  return `hostdeck-${run}`;
}

const runGroup = /^hostdeck-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Resolves with the folders of all run groups below a folder. Each host creates its groups in its
 * own group, which differs between logins.
 */
export async function findRunGroups(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const groups = entries
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => {
      const inside = path.join(folder, name);
      return runGroup.test(name) ? [inside] : await findRunGroups(inside);
    });
  return (await Promise.all(groups)).flat();
}

/**
 * Age after which a group without processes is stale; a run enters its new group within moments.
 */
const staleMs = 60_000;

/** Removes a stale group: empty, and too old to be waiting for its run. Never throws. */
export async function removeStaleGroup(folder: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(folder);
    // The kernel refuses to remove a group that has a process.
    if (Date.now() - mtimeMs > staleMs) await rmdir(folder);
  } catch {
    // The group is in use, or belongs to another user.
  }
}
