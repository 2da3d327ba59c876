import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The volume in which a service counts its runs. */
export const countedVolume = { data: { mount: '/data', persistent: true } } as const;

/** Program that counts its runs in its volume, in a way that its own end can't tear, and says so. */
export const runCounter = `{
  const { readFileSync, renameSync, writeFileSync } = require('node:fs');
  const file = process.env.HOSTDECK_VOLUME_DATA + '/count';
  let count = 0;
  try { count = Number(readFileSync(file, 'utf8')); } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  writeFileSync(file + '.new', String(count + 1));
  renameSync(file + '.new', file);
  console.log('counted', count + 1);
}`;

/** Returns the count in the volume of a deployment with these files. */
export function countIn(deploymentFolder: string): number {
  const file = path.join(deploymentFolder, 'volumes', 'web', '1', 'data', 'count');
  return Number(readFileSync(file, 'utf8'));
}

/** Returns the last count among the lines of a service; 0 without one. */
export function lastCount(lines: readonly string[]): number {
  return Number(
    lines.findLast((line) => line.startsWith('counted '))?.slice('counted '.length) ?? 0,
  );
}

/**
 * Returns sentences on counts that a service printed in this order: each run must find what all runs
 * before it have written. A run that ended before it printed leaves a gap.
 */
export function judgeCounts(lines: readonly string[]): readonly string[] {
  const counts = lines
    .filter((line) => line.startsWith('counted '))
    .map((line) => Number(line.slice('counted '.length)));
  return counts.flatMap((count, index) => {
    const before = counts[index - 1] ?? 0;
    return count > before ? [] : [`a volume went from run ${before} back to run ${count}`];
  });
}
