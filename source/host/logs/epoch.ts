/** The start of the ids' own time, 2026-01-01 UTC, in seconds since the epoch of the clock. */
const firstSecond = 1_767_225_600;

/** More lines than a log takes in a second, so that ids never overtake the clock. */
const idsPerSecond = 2 ** 21;

/**
 * Returns the first id of the log epoch that begins at a time in ms since the epoch: higher than
 * all ids that any host has given to lines of the same log before, which clients may know although
 * a backup lacks them. Ids stay exact numbers (below 2^53) for more than a century.
 */
export function firstIdAt(time: number): number {
  const second = Math.floor(time / 1000) - firstSecond;
  return Math.max(second, 0) * idsPerSecond + 1;
}
