import type { LogLine } from '../../../contract/logs.ts';
import { type Entry, type GapEntry, indexAfter, seqAt } from '../../../tail/arena/entries.ts';
import type { PinnedEntries } from './pinned.ts';

/** Range of entries by `seq`, both ends included. */
export interface LogRange {
  readonly first: number;
  readonly last: number;
}

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
  entries: PinnedEntries,
  { first, last }: LogRange,
  now: () => number,
): LogSlices {
  const { epoch } = entries;
  const shown = entries.criteria();
  const hasMoved = () =>
    entries.epoch !== epoch || entries.criteria().some((each, at) => each !== shown[at]);
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

  /** Returns whether the next entry was dropped and is not pinned. */
  function isNextDropped(): boolean {
    if (next === undefined || !entries.isDropped(next)) return false;
    return seqAt(entries, entries.indexOf(next)) !== next;
  }

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
      return index < end ? 'more' : 'done';
    },
  };
}
