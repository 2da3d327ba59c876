import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes the data folder and those above it, for their owner only. Throws what the system says.
 * Level by level: where a folder is there but takes no others, as below /proc, Node's own
 * `recursive` never ends.
 */
export function makeDataFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeDataFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Two that start at once make the same folders.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
