import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, indexBehind, type Inserted, seqAt } from '../../../tail/arena/entries.ts';
import type { LineTest, QueryProblem } from '../../../tail/query/log-query.ts';
import { SeqSet } from '../../../tail/arena/seq-set.ts';
import type { Clock, Guard, Slices } from '../../time/clock.ts';
import { createLineScanner, type ScanPass } from './scan.ts';

export interface LogMatchesOptions {
  readonly entries: Entries<LogLine>;
  readonly onInserted: (listener: (runs: readonly Inserted[]) => void) => () => void;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly guard: Guard;
  /** `seq` of the entry under the eye, where a pass begins; undefined at the newest. */
  readonly eye: () => number | undefined;
  /** Lines that were found, rising, with no other found ones between them. */
  readonly onFound?: ((seqs: readonly number[]) => void) | undefined;
  /** After each slice, and when something found was dropped. */
  readonly onLooked: () => void;
  /** A line takes too long, for whatever reason; nothing is looked at any more. */
  readonly onTooSlow: (problem: QueryProblem) => void;
}

/** The lines of a log that pass a test: those at hand, from the eye outward, and those to come. */
export interface LogMatches {
  /** Brought up to date with what the log has dropped. */
  found(): SeqSet;
  /** Begins anew with another test, at the eye; the first slice is done at once. */
  start(test: LineTest): void;
  /** Looks at nothing any more, and forgets what was found. */
  end(): void;
  /** Whether all entries between two were looked at; the ends of the log are infinite. */
  covers(from: number, to: number): boolean;
  stop(): void;
  /** Lines that were looked at, and lines there are. */
  progress(): { readonly looked: number; readonly total: number; readonly done: boolean };
}

/** Milliseconds of work between two looks at the keys. */
const sliceTime = 4;

export function createLogMatches(options: LogMatchesOptions): LogMatches {
  const { entries, clock, slices } = options;
  const looks = createLineScanner(options);
  const found = new SeqSet();
  let test: LineTest | undefined;
  let epoch = entries.epoch;
  /** The first and the last entry of what was looked at without a hole, from the eye outward. */
  let seen: { readonly low: number; readonly high: number } | undefined;
  /** Runs put in between those two later. */
  let inside: { readonly first: number; readonly last: number }[] = [];
  let newerNext = false;
  let cancel: (() => void) | undefined;

  /** What remembered numbers say is void after a new epoch, and what was dropped is gone. */
  const sync = (): void => {
    if (entries.epoch !== epoch) {
      epoch = entries.epoch;
      found.clear();
      seen = undefined;
      inside = [];
      looks.reset();
      wake();
    }
    forgetBefore(seqAt(entries, 0) ?? Number.POSITIVE_INFINITY);
  };

  /** The numbers of what was dropped may come again, for lines that were not looked at. */
  const forgetBefore = (first: number): void => {
    if (seen === undefined || seen.low >= first) return;
    found.dropBelow(first);
    seen = seen.high < first ? undefined : { low: first, high: seen.high };
    inside = inside.flatMap((run) =>
      run.last < first ? [] : [{ first: Math.max(first, run.first), last: run.last }],
    );
  };

  const wake = (): void => {
    if (test !== undefined) cancel ??= slices(slice);
  };

  const slice = (): void => {
    cancel?.();
    cancel = undefined;
    const end = clock.now() + sliceTime;
    let goesOn = true;
    while (goesOn) goesOn = test !== undefined && step(test) && clock.now() < end;
    if (test === undefined) return;
    if (nextLook() !== undefined) wake();
    options.onLooked();
  };

  /** The indexes to look at next: what was put in, then newer and older ones in turn. */
  const nextLook = (): ScanPass | undefined => {
    sync();
    for (let [run] = inside; run !== undefined; [run] = inside) {
      const from = entries.indexOf(run.first);
      const to = indexBehind(entries, run.last);
      if (from < to) return { part: 'inside', from, to };
      inside.shift();
    }
    const older = seen === undefined ? startIndex() : entries.indexOf(seen.low);
    const newer = seen === undefined ? older : indexBehind(entries, seen.high);
    const hasNewer = newer < entries.length;
    if (hasNewer && (newerNext || older <= 0)) {
      return { part: 'newer', from: newer, to: entries.length };
    }
    return older > 0 ? { part: 'older', from: 0, to: older } : undefined;
  };

  /** Index behind the entry under the eye. */
  const startIndex = (): number => {
    const eye = options.eye();
    return eye === undefined ? entries.length : Math.min(entries.length, entries.indexOf(eye) + 1);
  };

  /** False when there is nothing left to look at. */
  const step = (asked: LineTest): boolean => {
    const look = nextLook();
    if (look === undefined) return false;
    const looked = looks.look(asked, look);
    if (looked.kind === 'too-slow') {
      end();
      options.onTooSlow(looked.problem);
      return false;
    }
    if (looked.from < looked.to) take(look.part, looked);
    newerNext = !newerNext;
    return true;
  };

  const take = (
    part: ScanPass['part'],
    looked: { readonly from: number; readonly to: number; readonly seqs: readonly number[] },
  ): void => {
    const first = seqAt(entries, looked.from) ?? 0;
    const last = seqAt(entries, looked.to - 1) ?? 0;
    if (part === 'inside') {
      const [run] = inside;
      if (run === undefined || last >= run.last) inside.shift();
      else inside[0] = { first: seqAt(entries, looked.to) ?? run.last, last: run.last };
    } else {
      seen = {
        low: Math.min(seen?.low ?? first, first),
        high: Math.max(seen?.high ?? last, last),
      };
    }
    if (looked.seqs.length === 0) return;
    found.add(looked.seqs);
    options.onFound?.(looked.seqs);
  };

  const takeNote = (runs: readonly Inserted[]): void => {
    if (test === undefined) return;
    const before = found.length;
    sync();
    const region = seen;
    for (const run of runs) {
      if (region === undefined || run.last < region.low || run.first > region.high) continue;
      // Where it ends at a gap, lines that fill that may come on both sides of the end.
      const first = Math.max(run.first, region.low);
      const last = Math.min(run.last, region.high);
      // What is put into a run that waits comes with it.
      const isCovered = inside.some((other) => other.first <= first && last <= other.last);
      if (!isCovered) inside.push({ first, last });
    }
    if (nextLook() !== undefined) wake();
    else if (found.length !== before) options.onLooked();
  };
  const unsubscribe = options.onInserted(takeNote);

  const end = (): void => {
    cancel?.();
    cancel = undefined;
    test = undefined;
    found.clear();
    seen = undefined;
    inside = [];
    newerNext = false;
    looks.reset();
  };

  return {
    found() {
      sync();
      return found;
    },
    start(next) {
      end();
      epoch = entries.epoch;
      test = next;
      slice();
    },
    end,
    stop() {
      end();
      unsubscribe();
    },
    covers(from, to) {
      sync();
      if (seen === undefined) return entries.length === 0;
      const isFrom = from >= seen.low || (seqAt(entries, 0) ?? seen.low) >= seen.low;
      const isTo = to <= seen.high || (seqAt(entries, entries.length - 1) ?? 0) <= seen.high;
      return isFrom && isTo;
    },
    progress() {
      sync();
      const total = entries.length - entries.gaps.length;
      const low = seen === undefined ? entries.length : entries.indexOf(seen.low);
      const high = seen === undefined ? entries.length : indexBehind(entries, seen.high);
      const gaps = entries.gaps.filter(
        ({ seq }) => seen === undefined || seq < seen.low || seq > seen.high,
      ).length;
      let waiting = low + entries.length - high - gaps;
      for (const run of inside) {
        waiting += Math.max(0, indexBehind(entries, run.last) - entries.indexOf(run.first));
      }
      const done = test === undefined || nextLook() === undefined;
      return { looked: done ? total : Math.max(0, total - waiting), total, done };
    },
  };
}
