import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';

/** Bytes that all tests of a run never need at the same time. */
const room = 4 * 2 ** 30;

/**
 * Folder for what tests write: in memory, where the machine has that, as hosts and consoles sync each of their
 * writes and tests would wait for the disk half of their time.
 */
export const fastFolder = isUsable() ? memory : tmpdir();

/** Returns whether the folder in memory has room, and runs programs as services have them. */
function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory);
    return mount !== undefined && !mount.includes('noexec') && bavail * bsize >= room;
  } catch {
    return false;
  }
}
