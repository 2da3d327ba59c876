import type { LogLine } from '../contract/logs.ts';
import type { Entries, Entry, GapEntry } from '../tail/entries.ts';

/** Entries from one to another, by their `seq`. */
export interface LogRange {
  readonly first: number;
  readonly last: number;
}

/** What came of reading on. `moved`: the entries were put in another order, and the place is lost. */
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
  entries: Entries<LogLine>,
  { first, last }: LogRange,
  now: () => number,
): LogSlices {
  const { epoch } = entries;
  let before: Entry<LogLine> | undefined;
  let lostAtEnd = false;
  const rest = () => {
    const start = before === undefined ? entries.indexOf(first) : indexBehind(entries, before.seq);
    const end = Math.max(start, indexBehind(entries, last));
    const isAhead = (seq: number) => (before === undefined ? seq >= first : seq > before.seq);
    const gaps = entries.gaps.filter(({ seq }) => isAhead(seq) && seq <= last).length;
    return { start, end, lines: end - start - gaps };
  };
  const start = rest();
  const { lines } = start;
  let expected = { lines, next: start.start < start.end ? entries.at(start.start) : undefined };

  /** Lines only go when they are dropped, while the epoch stays. A gap may also have been closed. */
  function isLost(left: number): boolean {
    const { next } = expected;
    if (before === undefined && next?.seq !== first) return true;
    if (next?.kind === 'gap') return left < expected.lines;
    return next !== undefined && entries.at(entries.indexOf(next.seq))?.seq !== next.seq;
  }

  /** Where lines that were to be read are gone; nothing where the log itself has a gap for them. */
  function goneBefore(next: Entry<LogLine> | undefined): GapEntry<LogLine> | undefined {
    if (next?.kind !== 'line') return undefined;
    return {
      kind: 'gap',
      seq: next.seq,
      place: next.place,
      state: { kind: 'missing', why: 'dropped' },
      after: before?.kind === 'line' ? before.line : undefined,
      until: next.line,
    };
  }

  return {
    lines,
    lostAtEnd: () => lostAtEnd,
    next(see) {
      if (entries.epoch !== epoch) return 'moved';
      const { start: from, end, lines: left } = rest();
      if (isLost(left)) {
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
      expected = { lines: rest().lines, next: index < end ? entries.at(index) : undefined };
      return index < end ? 'more' : 'done';
    },
  };
}

function indexBehind(entries: Entries<LogLine>, seq: number): number {
  const index = entries.indexOf(seq);
  return entries.at(index)?.seq === seq ? index + 1 : index;
}
