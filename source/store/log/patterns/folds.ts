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

/** Lines that are read at a time, and those whose patterns are remembered. */
const readAtOnce = 64;
const maxRemembered = 50_000;

interface FoldKey {
  readonly pattern: Pattern;
  readonly service: string | undefined;
  readonly member: number | undefined;
}

/**
 * Runs of lines of one pattern, which the log shows as one row each. Only the drawing and the steps of
 * the cursor know them: every line stays an entry of the log.
 */
export class LogFolds {
  readonly state: StoreApi<FoldsState> = createStore(() => ({ isOn: false, version: 0 }));
  readonly #entries: Entries<LogLine>;
  readonly #patternOf: (text: string) => Pattern;
  /** Patterns of lines by `seq`; undefined for a gap. */
  readonly #keys = new Map<number, FoldKey | undefined>();
  /** First numbers of the runs that were opened. */
  readonly #opened = new Set<number>();
  #epoch: number;

  constructor(entries: Entries<LogLine>, patternOf: (text: string) => Pattern) {
    this.#entries = entries;
    this.#patternOf = patternOf;
    this.#epoch = entries.epoch;
  }

  toggle(): void {
    this.#opened.clear();
    this.state.setState(({ isOn, version }) => ({ isOn: !isOn, version: version + 1 }));
  }

  /** Shows the lines of a run. Returns false where there is no folded run. */
  open(seq: number): boolean {
    const { first, last } = this.runAt(this.#entries.indexOf(seq));
    const start = seqAt(this.#entries, first);
    if (first === last || start === undefined) return false;
    this.#opened.add(start);
    this.state.setState(({ isOn, version }) => ({ isOn, version: version + 1 }));
    return true;
  }

  /** Returns the run of an entry: the entry alone where nothing is folded. */
  runAt(index: number): FoldedRun {
    const alone = { first: index, last: index };
    if (!this.state.getState().isOn) return alone;
    const run = this.#runOf(index);
    const start = seqAt(this.#entries, run.first);
    return start !== undefined && this.#opened.has(start) ? alone : run;
  }

  /** Returns the index that is a number of rows away, or the last one in that direction. */
  step(from: number, rows: number): number {
    let at = from;
    for (let left = Math.abs(rows); left > 0; left -= 1) {
      const { first, last } = this.runAt(at);
      const next = rows < 0 ? first - 1 : last + 1;
      if (next < 0 || next >= this.#entries.length) return at;
      at = this.runAt(next).first;
    }
    return at;
  }

  /** Returns a range with whole runs at its ends. */
  widened({ first, last }: LogRange): LogRange {
    if (!this.state.getState().isOn) return { first, last };
    const entries = this.#entries;
    const start = this.runAt(entries.indexOf(first)).first;
    const stop = this.runAt(Math.min(entries.indexOf(last), entries.length - 1)).last;
    return { first: seqAt(entries, start) ?? first, last: seqAt(entries, stop) ?? last };
  }

  #runOf(index: number): FoldedRun {
    if (this.#entries.epoch !== this.#epoch) {
      this.#epoch = this.#entries.epoch;
      this.#keys.clear();
      this.#opened.clear();
    }
    const seq = seqAt(this.#entries, index);
    const key = seq === undefined ? undefined : this.#keyAt(index, seq);
    if (key === undefined) return { first: index, last: index };
    return { first: this.#end(index, key, -1), last: this.#end(index, key, 1) };
  }

  /** Returns the index of the last entry in a direction that belongs to the run of another. */
  #end(index: number, key: FoldKey, by: 1 | -1): number {
    let at = index;
    for (;;) {
      const next = at + by < 0 ? undefined : seqAt(this.#entries, at + by);
      const start = by === 1 ? next : seqAt(this.#entries, at);
      if (next === undefined || start === undefined || startsRun(start)) return at;
      if (!isSame(key, this.#keyAt(at + by, next))) return at;
      at += by;
    }
  }

  #keyAt(index: number, seq: number): FoldKey | undefined {
    if (!this.#keys.has(seq)) this.#read(index);
    return this.#keys.get(seq);
  }

  /** Reads the lines around an index. */
  #read(index: number): void {
    const [entries, keys] = [this.#entries, this.#keys];
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
      keys.set(seq, { pattern: this.#patternOf(text), service, member: entries.memberAt?.(at) });
    });
  }
}

function isSame(one: FoldKey, other: FoldKey | undefined): boolean {
  return (
    other !== undefined &&
    one.service === other.service &&
    one.member === other.member &&
    joinedPattern(one.pattern) === joinedPattern(other.pattern)
  );
}

/**
 * Returns whether an entry never continues a run. One of 256 does not, so that a row stands for a
 * limited number of lines; its number alone decides, so that runs stay as they are.
 */
function startsRun(seq: number): boolean {
  return Math.imul(Math.floor(seq) % 2 ** 31, 2_654_435_761) >>> 24 === 0;
}
