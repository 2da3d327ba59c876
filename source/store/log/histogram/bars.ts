import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, GapEntry } from '../../../tail/arena/entries.ts';
import { rowTime, toRow } from '../../../tail/arena/row.ts';

/** The lines of one time slot. */
export interface Bar {
  /** Start of the slot, in ms since the epoch. */
  readonly at: number;
  /** Lines of the slot that are shown. */
  readonly count: number;
  /** `seq` of the first entry of the slot, and of the first one after it; see `slot-starts.ts`. */
  readonly first: number;
  readonly end: number;
  /** True for a slot without lines in a gap: it may have had some. */
  readonly isUnloaded: boolean;
}

/**
 * Counts the shown lines of each slot.
 * @param times the starts of the slots and the end of the last one, in ms since the epoch.
 * @param starts the `seq` at which each of them lies.
 */
export function countBars(
  entries: Entries<LogLine>,
  times: readonly number[],
  starts: readonly number[],
): readonly Bar[] {
  const { gaps } = entries;
  const spans = gaps.map(gapSpan);
  return times.slice(0, -1).map((at, index) => {
    const [first = 0, end = first] = [starts[index], starts[index + 1]];
    const inside = gaps.filter(({ seq }) => first <= seq && seq < end).length;
    const count = entries.indexOf(end) - entries.indexOf(first) - inside;
    const until = times[index + 1] ?? at;
    const isInGap = spans.some(({ from, to }) => from < until && at < to);
    return { at, count, first, end, isUnloaded: count === 0 && isInGap };
  });
}

/** Returns the times between which a gap lies; nothing where a line beside it has no time. */
function gapSpan({ after, until }: GapEntry<LogLine>) {
  const from = after && rowTime(toRow(after));
  const to = until && rowTime(toRow(until));
  return { from: from ?? Number.POSITIVE_INFINITY, to: to ?? Number.NEGATIVE_INFINITY };
}
