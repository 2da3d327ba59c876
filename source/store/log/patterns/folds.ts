import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, seqAt } from '../../../tail/arena/entries.ts';
import { joinedPattern, type Pattern } from '../../../tail/patterns/pattern-groups.ts';
import type { LogRange } from '../reader/slices.ts';

/** Entries that one row stands for, as indexes; `first` and `last` are equal for one entry. */
export interface FoldedRun {
  readonly first: number;
  readonly last: number;
}

export interface FoldsState {
  readonly isOn: boolean;
  /** Grows with each run that is opened. */
  readonly version: number;
}

/**
 * Runs of lines of one pattern, which the log shows as one row each. Only the drawing and the steps of
 * the cursor know them: every line stays an entry of the log.
 */
export interface LogFolds {
  readonly state: StoreApi<FoldsState>;
  toggle(): void;
  /** Shows the lines of a run. Returns false where there is no folded run. */
  open(seq: number): boolean;
  /** Returns the run of an entry: the entry alone where nothing is folded. */
  runAt(index: number): FoldedRun;
  /** Returns the index that is a number of rows away, or the last one in that direction. */
  step(from: number, rows: number): number;
  /** Returns a range with whole runs at its ends. */
  widened(range: LogRange): LogRange;
}

/** Lines that are read at a time, and those whose patterns are remembered. */
const readAtOnce = 64;
const maxRemembered = 50_000;

interface FoldKey {
  readonly pattern: Pattern;
  readonly service: string | undefined;
  readonly member: number | undefined;
}

export function createFolds(
  entries: Entries<LogLine>,
  patternOf: (text: string) => Pattern,
): LogFolds {
  const state = createStore<FoldsState>(() => ({ isOn: false, version: 0 }));
  /** Patterns of lines by `seq`; undefined for a gap. */
  const keys = new Map<number, FoldKey | undefined>();
  /** First numbers of the runs that were opened. */
  const opened = new Set<number>();
  let { epoch } = entries;

  /** Reads the lines around an index. */
  const read = (index: number): void => {
    if (keys.size > maxRemembered) keys.clear();
    const from = Math.max(0, index - (index % readAtOnce));
    const to = Math.min(entries.length, from + readAtOnce);
    for (let at = from; at < to; at += 1) {
      const seq = seqAt(entries, at);
      if (seq !== undefined && !keys.has(seq)) keys.set(seq, undefined);
    }
    entries.scan(from, to, (at, text, service) => {
      const seq = seqAt(entries, at);
      if (seq === undefined || keys.get(seq) !== undefined) return;
      keys.set(seq, { pattern: patternOf(text), service, member: entries.memberAt?.(at) });
    });
  };

  const keyAt = (index: number, seq: number): FoldKey | undefined => {
    if (!keys.has(seq)) read(index);
    return keys.get(seq);
  };

  const isSame = (one: FoldKey, other: FoldKey | undefined): boolean =>
    other !== undefined &&
    one.service === other.service &&
    one.member === other.member &&
    joinedPattern(one.pattern) === joinedPattern(other.pattern);

  /** Returns the index of the last entry in a direction that belongs to the run of another. */
  const end = (index: number, key: FoldKey, by: 1 | -1): number => {
    let at = index;
    for (;;) {
      const next = at + by < 0 ? undefined : seqAt(entries, at + by);
      const start = by === 1 ? next : seqAt(entries, at);
      if (next === undefined || start === undefined || startsRun(start)) return at;
      if (!isSame(key, keyAt(at + by, next))) return at;
      at += by;
    }
  };

  const runOf = (index: number): FoldedRun => {
    if (entries.epoch !== epoch) {
      ({ epoch } = entries);
      keys.clear();
      opened.clear();
    }
    const alone = { first: index, last: index };
    const seq = seqAt(entries, index);
    const key = seq === undefined ? undefined : keyAt(index, seq);
    if (seq === undefined || key === undefined) return alone;
    return { first: end(index, key, -1), last: end(index, key, 1) };
  };

  const runAt = (index: number): FoldedRun => {
    if (!state.getState().isOn) return { first: index, last: index };
    const run = runOf(index);
    const isOpened = opened.size > 0 && opened.has(seqAt(entries, run.first) ?? Number.NaN);
    return isOpened ? { first: index, last: index } : run;
  };

  return {
    state,
    toggle() {
      opened.clear();
      state.setState(({ isOn, version }) => ({ isOn: !isOn, version: version + 1 }));
    },
    open(seq) {
      const { first, last } = runAt(entries.indexOf(seq));
      const start = seqAt(entries, first);
      if (first === last || start === undefined) return false;
      opened.add(start);
      state.setState(({ isOn, version }) => ({ isOn, version: version + 1 }));
      return true;
    },
    runAt,
    step(from, rows) {
      let at = from;
      for (let left = Math.abs(rows); left > 0; left -= 1) {
        const { first, last } = runAt(at);
        const next = rows < 0 ? first - 1 : last + 1;
        if (next < 0 || next >= entries.length) return at;
        at = runAt(next).first;
      }
      return at;
    },
    widened({ first, last }) {
      if (!state.getState().isOn) return { first, last };
      const start = runAt(entries.indexOf(first)).first;
      const stop = runAt(Math.min(entries.indexOf(last), entries.length - 1)).last;
      return { first: seqAt(entries, start) ?? first, last: seqAt(entries, stop) ?? last };
    },
  };
}

/**
 * Returns whether an entry never continues a run. One of 256 does not, so that a row stands for a
 * limited number of lines; its number alone decides, so that runs stay as they are.
 */
function startsRun(seq: number): boolean {
  return Math.imul(Math.floor(seq) % 2 ** 31, 2_654_435_761) >>> 24 === 0;
}
