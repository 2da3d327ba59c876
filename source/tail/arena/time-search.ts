import type { LogLine } from '../../contract/logs.ts';
import { bisect } from './bisect.ts';
import type { Entries, Entry } from './entries.ts';
import { toRow, rowTime } from './row.ts';

/** Lines by which a line may be off its place in the order of times. */
const tolerance = 256;

/** Entries searched for one with a time. */
const maxUntimed = 20_000;

/** Returns the time of an entry in ms since the epoch; that of a gap is the time of its next line. */
export function timeOf(entry: Entry<LogLine>): number | undefined {
  const line = entry.kind === 'line' ? entry.line : entry.until;
  return line && rowTime(toRow(line));
}

/**
 * Returns the time of the first entry from `index` on with one, in milliseconds since the epoch.
 * @param most entries that are asked for theirs.
 */
export function findTime(
  entries: Entries<LogLine>,
  index: number,
  step: 1 | -1 = 1,
  most = maxUntimed,
): number | undefined {
  for (let at = index; Math.abs(at - index) < most; at += step) {
    const entry = entries.at(at);
    const time = entry && timeOf(entry);
    if (time !== undefined) return time;
    if (at < 0 || at >= entries.length) return undefined;
  }
  return undefined;
}

/** Returns whether an entry is before a time. A line without a time has that of the line before. */
export function isBefore(
  entries: Entries<LogLine>,
  index: number,
  time: number,
  most = maxUntimed,
): boolean {
  return (findTime(entries, index, -1, most) ?? Number.NEGATIVE_INFINITY) < time;
}

/** Returns true when lines at the ends or in the middle have times. */
export function hasTimes(entries: Entries<LogLine>): boolean {
  const last = entries.length - 1;
  return (
    findTime(entries, 0) !== undefined ||
    findTime(entries, last, -1) !== undefined ||
    findTime(entries, last >> 1) !== undefined
  );
}

/**
 * Returns the index of the first line at or after a time, or the number of entries. Times in logs
 * are nearly sorted, so the index is the split near the time with the fewest lines on the wrong
 * side. A line without a time belongs to the one before it.
 */
export function indexOfTime(entries: Entries<LogLine>, time: number, range = tolerance): number {
  const nearIndex = bisect(entries.length, (index) => isBefore(entries, index, time));
  const timed: { readonly index: number; readonly isBefore: boolean }[] = [];
  const end = Math.min(entries.length, nearIndex + range);
  for (let index = Math.max(0, nearIndex - range); index < end; index += 1) {
    const at = timeAt(entries, index);
    if (at !== undefined) timed.push({ index, isBefore: at < time });
  }
  const split = splitOf(timed.map(({ isBefore }) => isBefore));
  return timed[split]?.index ?? firstTimed(entries, end);
}

/**
 * Returns how many of some nearly sorted lines lie before a time: the split with the fewest lines on the wrong
 * side, the first of these.
 * @param isBefore whether each line has a time before it.
 */
export function splitOf(isBefore: readonly boolean[]): number {
  let misplaced = isBefore.filter(Boolean).length;
  let fewest = misplaced;
  let split = 0;
  for (const [index, each] of isBefore.entries()) {
    misplaced += each ? -1 : 1;
    if (misplaced < fewest) {
      fewest = misplaced;
      split = index + 1;
    }
  }
  return split;
}

function firstTimed(entries: Entries<LogLine>, from: number): number {
  let index = from;
  while (index < entries.length && timeAt(entries, index) === undefined) index += 1;
  return index;
}

function timeAt(entries: Entries<LogLine>, index: number): number | undefined {
  const entry = entries.at(index);
  return entry?.kind === 'line' ? timeOf(entry) : undefined;
}
