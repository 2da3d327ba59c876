import type { LogLine } from '../../../contract/logs.ts';
import { type Entry, type GapEntry, indexAfter, seqAt } from '../../../tail/arena/entries.ts';
import type { LogFilter } from './filter.ts';

/** Range of entries by `seq`, both ends included. */
export interface LogRange {
  readonly first: number;
  readonly last: number;
}

/** The lines that pass the filter of a log. */
export type ShownLines = Pick<LogFilter, 'all' | 'entries' | 'criteria'>;

/** Result of a slice; `moved` when a renumbering or another filter made the position invalid. */
export type SliceResult = 'more' | 'done' | 'moved';

export interface LogSlices {
  /**
   * Calls back with the next entries for a few milliseconds. Lines that memory dropped before they
   * were read are passed as a gap.
   */
  next(see: (entry: Entry<LogLine>) => void): SliceResult;
  /** Number of lines in the range at the start. */
  readonly lines: number;
  /** Returns whether the last lines of the range were dropped before they were read. */
  lostAtEnd(): boolean;
}

/** Most milliseconds and characters of a slice; key presses are handled in between. */
const sliceTime = 4;
const sliceCharacters = 2 ** 19;

/** Entries that are read between two checks of the clock. */
const chunkSize = 16;

/** Reads a range of a log in slices, while the log grows and drops its oldest lines. */
export function sliceLog(
  shown: ShownLines,
  { first, last }: LogRange,
  now: () => number,
): LogSlices {
  const { all, entries } = shown;
  const { epoch } = entries;
  const criteria = shown.criteria();
  const hasMoved = () =>
    entries.epoch !== epoch || shown.criteria().some((each, at) => each !== criteria[at]);
  let lastEntry: Entry<LogLine> | undefined;
  let lostAtEnd = false;
  const remainingRange = () => {
    const start =
      lastEntry === undefined ? entries.indexOf(first) : indexAfter(entries, lastEntry.seq);
    const end = Math.max(start, indexAfter(entries, last));
    const isUnread = (seq: number) =>
      lastEntry === undefined ? seq >= first : seq > lastEntry.seq;
    const gaps = entries.gaps.filter(({ seq }) => isUnread(seq) && seq <= last).length;
    return { start, end, lines: end - start - gaps };
  };
  const { lines } = remainingRange();
  /** `seq` of the next entry to read. */
  let next: number | undefined = first;
  const isGap = (at: number | undefined): boolean => entries.gaps.some(({ seq }) => seq === at);
  let isNextGap = isGap(first);

  /** Returns whether memory has dropped the next entry. A gap may also be filled. */
  const isNextDropped = (): boolean => {
    if (next === undefined || seqAt(entries, entries.indexOf(next)) === next) return false;
    if (next < (seqAt(all, 0) ?? Number.POSITIVE_INFINITY)) return true;
    return !isNextGap && seqAt(all, all.indexOf(next)) !== next;
  };

  /** Returns a gap for lines dropped before an entry; undefined before a gap of the log itself. */
  function droppedGapBefore(entry: Entry<LogLine> | undefined): GapEntry<LogLine> | undefined {
    if (entry?.kind !== 'line') return undefined;
    return {
      kind: 'gap',
      seq: entry.seq,
      place: entry.place,
      state: { kind: 'missing', why: 'dropped' },
      after: lastEntry?.kind === 'line' ? lastEntry.line : undefined,
      until: entry.line,
    };
  }

  return {
    lines,
    lostAtEnd: () => lostAtEnd,
    next(see) {
      if (hasMoved()) return 'moved';
      const { start: from, end } = remainingRange();
      if (isNextDropped()) {
        const gap = from < end ? droppedGapBefore(entries.at(from)) : undefined;
        if (gap !== undefined) see(gap);
        else if (from >= end) lostAtEnd = true;
      }
      const startedAt = now();
      let characters = 0;
      let index = from;
      let isSliceFull = false;
      while (index < end && !isSliceFull) {
        for (const entry of entries.slice(index, Math.min(index + chunkSize, end))) {
          see(entry);
          if (entry.kind === 'line') characters += entry.line.logLine.length;
          lastEntry = entry;
          index += 1;
        }
        isSliceFull = characters >= sliceCharacters || now() - startedAt >= sliceTime;
      }
      next = index < end ? seqAt(entries, index) : undefined;
      isNextGap = isGap(next);
      return index < end ? 'more' : 'done';
    },
  };
}
