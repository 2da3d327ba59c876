import type { LogLine } from '../../contract/logs.ts';
import type { Entries } from './entries.ts';
import { rowOf, rowTime } from './row.ts';

/** Lines by which one may stand off its place in the order of times. */
const tolerance = 256;

/** Entries that are passed over in search of one with a time. */
const reach = 20_000;

/** Milliseconds since the epoch of the first entry from `index` on that has a time. */
export function timeFrom(entries: Entries<LogLine>, index: number, step: 1 | -1 = 1) {
  for (let at = index; Math.abs(at - index) < reach; at += step) {
    const time = timeAt(entries, at);
    if (time !== undefined) return time;
    if (at < 0 || at >= entries.length) return undefined;
  }
  return undefined;
}

/** Whether some lines at the ends and in the middle carry times. */
export function hasTimes(entries: Entries<LogLine>): boolean {
  const last = entries.length - 1;
  return (
    timeFrom(entries, 0) !== undefined ||
    timeFrom(entries, last, -1) !== undefined ||
    timeFrom(entries, last >> 1) !== undefined
  );
}

/**
 * Index of the first line at or after a time, the number of entries where there is none. Logs are
 * nearly in the order of their times: of the places around, it is the one with the fewest lines on
 * the wrong side. Lines without a time belong to the one before them.
 */
export function indexOfTime(entries: Entries<LogLine>, time: number, around = tolerance): number {
  const about = roughIndex(entries, time);
  const timed: { readonly index: number; readonly isBefore: boolean }[] = [];
  const end = Math.min(entries.length, about + around);
  for (let index = Math.max(0, about - around); index < end; index += 1) {
    const at = timeAt(entries, index);
    if (at !== undefined) timed.push({ index, isBefore: at < time });
  }
  // Lines on the wrong side of a split: at first all stand behind it.
  let wrong = timed.filter(({ isBefore }) => isBefore).length;
  let fewest = wrong;
  let split = 0;
  for (const [count, { isBefore }] of timed.entries()) {
    wrong += isBefore ? -1 : 1;
    if (wrong < fewest) {
      fewest = wrong;
      split = count + 1;
    }
  }
  return timed[split]?.index ?? firstTimed(entries, end);
}

/** A place near the one looked for, as if the entries were in the order of their times. */
function roughIndex(entries: Entries<LogLine>, time: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    let at = middle;
    let found = timeAt(entries, at);
    while (found === undefined && at > low && middle - at < reach) {
      at -= 1;
      found = timeAt(entries, at);
    }
    if (found === undefined || found < time) low = middle + 1;
    else high = at;
  }
  return low;
}

function firstTimed(entries: Entries<LogLine>, from: number): number {
  let index = from;
  while (index < entries.length && timeAt(entries, index) === undefined) index += 1;
  return index;
}

function timeAt(entries: Entries<LogLine>, index: number): number | undefined {
  const entry = entries.at(index);
  return entry?.kind === 'line' ? rowTime(rowOf(entry.line)) : undefined;
}
