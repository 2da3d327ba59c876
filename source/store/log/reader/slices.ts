import type { LogLine } from '../../../contract/logs.ts';
import { type Entry, type GapEntry, indexBehind, seqAt } from '../../../tail/arena/entries.ts';
import type { PinnedEntries } from './pinned.ts';

/** Entries from one to another, by their `seq`. */
export interface LogRange {
  readonly first: number;
  readonly last: number;
}

/** What came of reading on. `moved`: others are shown, or in another order, and the place is lost. */
export type SliceEnd = 'more' | 'done' | 'moved';

export interface LogSlices {
  /**
   * Hands over the next entries for a few milliseconds. What memory dropped before its turn came is
   * handed over as a gap.
   */
  next(see: (entry: Entry<LogLine>) => void): SliceEnd;
  /** Lines that were there to be read at the start. */
  readonly lines: number;
  /** Lines at the end were dropped, with nothing behind them that a gap could stand before. */
  lostAtEnd(): boolean;
}

/** Milliseconds that a slice may take, and characters: keys come in between. */
const sliceTime = 4;
const sliceCharacters = 2 ** 19;

/** Entries between two looks at the clock. */
const atOnce = 16;

/** Reads a log that is being written, and dropped at its other end, meanwhile. */
export function sliceLog(
  entries: PinnedEntries,
  { first, last }: LogRange,
  now: () => number,
): LogSlices {
  const { epoch } = entries;
  const shown = entries.shown();
  const isMoved = () =>
    entries.epoch !== epoch || entries.shown().some((each, at) => each !== shown[at]);
  let before: Entry<LogLine> | undefined;
  let lostAtEnd = false;
  const rest = () => {
    const start = before === undefined ? entries.indexOf(first) : indexBehind(entries, before.seq);
    const end = Math.max(start, indexBehind(entries, last));
    const isAhead = (seq: number) => (before === undefined ? seq >= first : seq > before.seq);
    const gaps = entries.gaps.filter(({ seq }) => isAhead(seq) && seq <= last).length;
    return { start, end, lines: end - start - gaps };
  };
  const { lines } = rest();
  /** What is to be read next. */
  let next: number | undefined = first;

  /** Whether that was dropped, and is not held either. */
  function isLost(): boolean {
    if (next === undefined || !entries.isDropped(next)) return false;
    return seqAt(entries, entries.indexOf(next)) !== next;
  }

  /** Where lines that were to be read are gone; nothing where the log itself has a gap for them. */
  function goneBefore(entry: Entry<LogLine> | undefined): GapEntry<LogLine> | undefined {
    if (entry?.kind !== 'line') return undefined;
    return {
      kind: 'gap',
      seq: entry.seq,
      place: entry.place,
      state: { kind: 'missing', why: 'dropped' },
      after: before?.kind === 'line' ? before.line : undefined,
      until: entry.line,
    };
  }

  return {
    lines,
    lostAtEnd: () => lostAtEnd,
    next(see) {
      if (isMoved()) return 'moved';
      const { start: from, end } = rest();
      if (isLost()) {
        const gone = from < end ? goneBefore(entries.at(from)) : undefined;
        if (gone !== undefined) see(gone);
        else if (from >= end) lostAtEnd = true;
      }
      const since = now();
      let characters = 0;
      let index = from;
      let isOver = false;
      while (index < end && !isOver) {
        for (const entry of entries.slice(index, Math.min(index + atOnce, end))) {
          see(entry);
          if (entry.kind === 'line') characters += entry.line.logLine.length;
          before = entry;
          index += 1;
        }
        isOver = characters >= sliceCharacters || now() - since >= sliceTime;
      }
      next = index < end ? seqAt(entries, index) : undefined;
      return index < end ? 'more' : 'done';
    },
  };
}
