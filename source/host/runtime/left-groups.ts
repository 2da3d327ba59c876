import { readdir, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** What the control group of a run is called. */
export function groupName(run: string): string {
  return `hostdeck-${run}`;
}

const ofRun = /^hostdeck-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Folders of control groups of runs below this one: each host makes them in the group that it is in
 * itself, which is another one for each login.
 */
export async function groupsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => {
      const inside = path.join(folder, name);
      return ofRun.test(name) ? [inside] : await groupsBelow(inside);
    });
  return (await Promise.all(found)).flat();
}

/** A run enters its group moments after that was made; an older one without processes is left. */
const isLeftAfterMs = 60_000;

/** Removes a group that no host will: it is empty, and too old to wait for its run. Never throws. */
export async function removeLeft(folder: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(folder);
    // The kernel refuses where there is a process in it.
    if (Date.now() - mtimeMs > isLeftAfterMs) await rmdir(folder);
  } catch {
    // A run of a host that lives, or somebody else's.
  }
}
