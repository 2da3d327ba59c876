import type { LogLine } from '../../../contract/logs.ts';
import {
  type ChangeListener,
  type Entries,
  indexAfter,
  seqAt,
} from '../../../tail/arena/entries.ts';
import type { LineMatcher, QueryProblem } from '../../../tail/query/log-query.ts';
import type { Found } from '../../../tail/arena/filtered-entries.ts';
import { SeqSet } from '../../../tail/arena/seq-set.ts';
import type { Clock, Guard, Slices } from '../../time/clock.ts';
import type { NamesOf } from './match-entries.ts';
import { createLineScanner, type ScanPass } from './scan.ts';
import { SearchedGaps } from './searched-gaps.ts';

export interface LogMatchesOptions {
  readonly entries: Entries<LogLine>;
  readonly onInserted: (listener: ChangeListener) => () => void;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly guard: Guard;
  /** Returns the numbers of the joined logs whose lines are scanned; undefined for all. */
  readonly members?: (() => ReadonlySet<number> | undefined) | undefined;
  /** Returns the names of the deployment of a line, for the term `deployment:`. */
  readonly namesOf?: NamesOf | undefined;
  /** Returns the `seq` of the entry where the scan starts; undefined for the newest entry. */
  readonly scanStart: () => number | undefined;
  /** Called with new matches in rising order; no other match lies between them. */
  readonly onFound?: ((seqs: readonly number[]) => void) | undefined;
  /** Called after each slice, and when matches were dropped. */
  readonly onScanned: () => void;
  /** Called when a line takes too long to test; the scan has stopped then. */
  readonly onTooSlow: (problem: QueryProblem) => void;
}

/** Finds the lines of a log that match a test, outward from one entry, and tests new lines. */
export interface LogMatches {
  /** Returns the matches that are still in memory, and the gaps in which others may be. */
  found(): Found<LogLine>;
  /** Starts a scan with another test and runs its first slice at once. */
  start(test: LineMatcher): void;
  /** Stops the scan and removes all matches. */
  clear(): void;
  /** Returns whether all entries between two `seq` were scanned; infinity is an end of the log. */
  hasScanned(from: number, to: number): boolean;
  stop(): void;
  /** Returns the number of scanned lines and of all lines. */
  progress(): { readonly looked: number; readonly total: number; readonly done: boolean };
}

/** Milliseconds of work between which key presses are handled. */
const sliceTime = 4;

export function createLogMatches(options: LogMatchesOptions): LogMatches {
  const { entries, clock, slices } = options;
  const scanner = createLineScanner(options);
  const found = new SeqSet();
  let test: LineMatcher | undefined;
  let epoch = entries.epoch;
  const gaps = new SearchedGaps(entries);
  /** `seq` of the first and the last entry of the scanned range, which grows outward. */
  let scanned: { readonly low: number; readonly high: number } | undefined;
  /** Runs that were inserted into the scanned range later. */
  let pendingRuns: { readonly first: number; readonly last: number }[] = [];
  let isNewerNext = false;
  let cancel: (() => void) | undefined;

  /** Starts over after a renumbering, and removes dropped entries. */
  const sync = (): void => {
    if (entries.epoch !== epoch) {
      epoch = entries.epoch;
      found.clear();
      gaps.reset();
      scanned = undefined;
      pendingRuns = [];
      scanner.reset();
      schedule();
    }
    forgetBefore(seqAt(entries, 0) ?? Number.POSITIVE_INFINITY);
  };

  /** Returns whether all entries between two were scanned. */
  const isScanned = (from: number, to: number): boolean =>
    scanned !== undefined &&
    from >= scanned.low &&
    to <= scanned.high &&
    !pendingRuns.some(({ first, last }) => first <= to && last >= from);

  /** Removes dropped entries, because other lines may get the same numbers later. */
  const forgetBefore = (first: number): void => {
    if (scanned === undefined || scanned.low >= first) return;
    found.dropBelow(first);
    scanned = scanned.high < first ? undefined : { low: first, high: scanned.high };
    pendingRuns = pendingRuns.flatMap((run) =>
      run.last < first ? [] : [{ first: Math.max(first, run.first), last: run.last }],
    );
  };

  const schedule = (): void => {
    if (test !== undefined) cancel ??= slices(runSlice);
  };

  const runSlice = (): void => {
    cancel?.();
    cancel = undefined;
    const end = clock.now() + sliceTime;
    let hasMore = true;
    while (hasMore) hasMore = test !== undefined && step(test) && clock.now() < end;
    if (test === undefined) return;
    if (nextPass() !== undefined) schedule();
    options.onScanned();
  };

  /** Returns the next range to scan: inserted runs first, then newer and older lines in turn. */
  const nextPass = (): ScanPass | undefined => {
    sync();
    for (let [run] = pendingRuns; run !== undefined; [run] = pendingRuns) {
      const from = entries.indexOf(run.first);
      const to = indexAfter(entries, run.last);
      if (from < to) return { part: 'inside', from, to };
      pendingRuns.shift();
    }
    const older = scanned === undefined ? startIndex() : entries.indexOf(scanned.low);
    const newer = scanned === undefined ? older : indexAfter(entries, scanned.high);
    const hasNewer = newer < entries.length;
    if (hasNewer && (isNewerNext || older <= 0)) {
      return { part: 'newer', from: newer, to: entries.length };
    }
    return older > 0 ? { part: 'older', from: 0, to: older } : undefined;
  };

  /** Returns the index after the entry where the scan starts. */
  const startIndex = (): number => {
    const eye = options.scanStart();
    return eye === undefined ? entries.length : Math.min(entries.length, entries.indexOf(eye) + 1);
  };

  /** Scans the next range. Returns false when none is left. */
  const step = (lineTest: LineMatcher): boolean => {
    const pass = nextPass();
    if (pass === undefined) return false;
    const result = scanner.scan(lineTest, pass);
    if (result.kind === 'too-slow') {
      clear();
      options.onTooSlow(result.problem);
      return false;
    }
    if (result.from < result.to) addResult(pass.part, result);
    isNewerNext = !isNewerNext;
    return true;
  };

  const addResult = (
    part: ScanPass['part'],
    result: { readonly from: number; readonly to: number; readonly seqs: readonly number[] },
  ): void => {
    const first = seqAt(entries, result.from) ?? 0;
    const last = seqAt(entries, result.to - 1) ?? 0;
    if (part === 'inside') {
      const [run] = pendingRuns;
      if (run === undefined || last >= run.last) pendingRuns.shift();
      else pendingRuns[0] = { first: seqAt(entries, result.to) ?? run.last, last: run.last };
    } else {
      scanned = {
        low: Math.min(scanned?.low ?? first, first),
        high: Math.max(scanned?.high ?? last, last),
      };
    }
    if (result.seqs.length === 0) return;
    found.add(result.seqs);
    options.onFound?.(result.seqs);
  };

  const addInserted: ChangeListener = (runs, dropped = []) => {
    if (test === undefined) return;
    const before = found.length;
    gaps.update(
      dropped,
      ({ first, last }) => found.dropRange(first, last) === 0 && isScanned(first, last),
    );
    sync();
    const range = scanned;
    for (const run of runs) {
      if (range === undefined || run.last < range.low || run.first > range.high) continue;
      // If the scanned range ends at a gap, the lines that fill it may lie on both sides of the
      // end.
      const first = Math.max(run.first, range.low);
      const last = Math.min(run.last, range.high);
      // A run inside a pending run is scanned with it.
      const isCovered = pendingRuns.some((other) => other.first <= first && last <= other.last);
      if (!isCovered) pendingRuns.push({ first, last });
    }
    if (nextPass() !== undefined) schedule();
    else if (found.length !== before) options.onScanned();
  };
  const unsubscribe = options.onInserted(addInserted);

  const clear = (): void => {
    cancel?.();
    cancel = undefined;
    test = undefined;
    found.clear();
    gaps.reset();
    scanned = undefined;
    pendingRuns = [];
    isNewerNext = false;
    scanner.reset();
  };

  return {
    found() {
      sync();
      return { seqs: found, gaps: gaps.open() };
    },
    start(next) {
      clear();
      epoch = entries.epoch;
      test = next;
      runSlice();
    },
    clear,
    stop() {
      clear();
      unsubscribe();
    },
    hasScanned(from, to) {
      sync();
      if (scanned === undefined) return entries.length === 0;
      const isFrom = from >= scanned.low || (seqAt(entries, 0) ?? scanned.low) >= scanned.low;
      const isTo = to <= scanned.high || (seqAt(entries, entries.length - 1) ?? 0) <= scanned.high;
      return isFrom && isTo && !pendingRuns.some(({ first, last }) => first <= to && last >= from);
    },
    progress() {
      sync();
      const total = entries.length - entries.gaps.length;
      const low = scanned === undefined ? entries.length : entries.indexOf(scanned.low);
      const high = scanned === undefined ? entries.length : indexAfter(entries, scanned.high);
      const gaps = entries.gaps.filter(
        ({ seq }) => scanned === undefined || seq < scanned.low || seq > scanned.high,
      ).length;
      let waiting = low + entries.length - high - gaps;
      for (const run of pendingRuns) {
        waiting += Math.max(0, indexAfter(entries, run.last) - entries.indexOf(run.first));
      }
      const done = test === undefined || nextPass() === undefined;
      return { looked: done ? total : Math.max(0, total - waiting), total, done };
    },
  };
}
