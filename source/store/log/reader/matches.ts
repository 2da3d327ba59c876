/** Finds the lines of a log that match a test, outward from one entry, and tests new lines. */
import type { LogLine } from '../../../contract/logs.ts';
import {
  type ChangeListener,
  type DroppedRun,
  type Entries,
  type GapEntry,
  indexAfter,
  seqAt,
} from '../../../tail/arena/entries.ts';
import type { LineMatcher, QueryProblem } from '../../../tail/query/log-query.ts';
import type { Found } from '../../../tail/arena/filtered-entries.ts';
import { SeqSet } from '../../../tail/arena/seq-set.ts';
import type { Clock } from '../../time/clock.ts';
import { LineScanner, type NamesOf, type ScanPass, type ScanResult } from './scan.ts';

export interface LogMatchesOptions {
  readonly entries: Entries<LogLine>;
  readonly onInserted: (listener: ChangeListener) => () => void;
  readonly clock: Clock;
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

/** A range of entries by `seq`, both ends included. */
interface SeqRange {
  readonly first: number;
  readonly last: number;
}

/** Milliseconds of work between which key presses are handled. */
const sliceTime = 4;

export class LogMatches {
  readonly #options: LogMatchesOptions;
  readonly #entries: Entries<LogLine>;
  readonly #scanner: LineScanner;
  readonly #found = new SeqSet();
  readonly #gaps: SearchedGaps;
  readonly #unsubscribe: () => void;
  #test: LineMatcher | undefined;
  #epoch: number;
  /** The scanned range, which grows outward. */
  #scanned: SeqRange | undefined;
  /** Runs that were inserted into the scanned range later. */
  #pending: SeqRange[] = [];
  #isNewerNext = false;
  #cancel: (() => void) | undefined;

  constructor(options: LogMatchesOptions) {
    this.#options = options;
    this.#entries = options.entries;
    this.#epoch = options.entries.epoch;
    this.#scanner = new LineScanner(options);
    this.#gaps = new SearchedGaps(options.entries);
    this.#unsubscribe = options.onInserted((...change) => this.#noteChange(...change));
  }

  /** Returns the matches that are still in memory, and the gaps in which others may be. */
  found(): Found<LogLine> {
    this.#sync();
    return { seqs: this.#found, gaps: this.#gaps.open() };
  }

  /** Starts a scan with another test and runs its first slice at once. */
  start(test: LineMatcher): void {
    this.clear();
    this.#epoch = this.#entries.epoch;
    this.#test = test;
    this.#runSlice();
  }

  /** Stops the scan and removes all matches. */
  clear(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#test = undefined;
    this.#isNewerNext = false;
    this.#forget();
  }

  stop(): void {
    this.clear();
    this.#unsubscribe();
  }

  /** Returns whether all entries between two `seq` were scanned; infinity is an end of the log. */
  hasScanned(from: number, to: number): boolean {
    this.#sync();
    const entries = this.#entries;
    const scanned = this.#scanned;
    if (scanned === undefined) return entries.length === 0;
    const { first, last } = scanned;
    const isFrom = from >= first || (seqAt(entries, 0) ?? first) >= first;
    const isTo = to <= last || (seqAt(entries, entries.length - 1) ?? 0) <= last;
    return isFrom && isTo && !this.#isPending(from, to);
  }

  /** Returns the number of scanned lines and of all lines. */
  progress(): { readonly looked: number; readonly total: number; readonly done: boolean } {
    this.#sync();
    const entries = this.#entries;
    const scanned = this.#scanned;
    const total = entries.length - entries.gaps.length;
    const low = scanned === undefined ? entries.length : entries.indexOf(scanned.first);
    const high = scanned === undefined ? entries.length : indexAfter(entries, scanned.last);
    const gaps = entries.gaps.filter(
      ({ seq }) => scanned === undefined || seq < scanned.first || seq > scanned.last,
    ).length;
    let waiting = low + entries.length - high - gaps;
    for (const run of this.#pending) {
      waiting += Math.max(0, indexAfter(entries, run.last) - entries.indexOf(run.first));
    }
    const done = this.#test === undefined || this.#nextPass() === undefined;
    return { looked: done ? total : Math.max(0, total - waiting), total, done };
  }

  /** Starts over after a renumbering, and removes entries that were dropped at the start. */
  #sync(): void {
    const entries = this.#entries;
    if (entries.epoch !== this.#epoch) {
      this.#epoch = entries.epoch;
      this.#forget();
      this.#schedule();
    }
    const oldest = seqAt(entries, 0) ?? Number.POSITIVE_INFINITY;
    const scanned = this.#scanned;
    if (scanned === undefined || scanned.first >= oldest) return;
    // Other lines may get the same numbers later.
    this.#found.dropBelow(oldest);
    this.#scanned = scanned.last < oldest ? undefined : { first: oldest, last: scanned.last };
    this.#pending = this.#pending.flatMap(({ first, last }) =>
      last < oldest ? [] : [{ first: Math.max(oldest, first), last }],
    );
  }

  #forget(): void {
    this.#found.clear();
    this.#gaps.reset();
    this.#scanned = undefined;
    this.#pending = [];
    this.#scanner.reset();
  }

  #isPending(from: number, to: number): boolean {
    return this.#pending.some(({ first, last }) => first <= to && last >= from);
  }

  #schedule(): void {
    if (this.#test !== undefined)
      this.#cancel ??= this.#options.clock.after(0, () => this.#runSlice());
  }

  #runSlice(): void {
    const { clock, onScanned } = this.#options;
    this.#cancel?.();
    this.#cancel = undefined;
    const end = clock.now() + sliceTime;
    let hasMore = true;
    while (hasMore)
      hasMore = this.#test !== undefined && this.#step(this.#test) && clock.now() < end;
    if (this.#test === undefined) return;
    if (this.#nextPass() !== undefined) this.#schedule();
    onScanned();
  }

  /** Returns the next range to scan: inserted runs first, then newer and older lines in turn. */
  #nextPass(): ScanPass | undefined {
    this.#sync();
    const entries = this.#entries;
    const pending = this.#pending;
    for (let [run] = pending; run !== undefined; [run] = pending) {
      const from = entries.indexOf(run.first);
      const to = indexAfter(entries, run.last);
      if (from < to) return { part: 'inside', from, to };
      pending.shift();
    }
    const scanned = this.#scanned;
    const older = scanned === undefined ? this.#startIndex() : entries.indexOf(scanned.first);
    const newer = scanned === undefined ? older : indexAfter(entries, scanned.last);
    const hasNewer = newer < entries.length;
    if (hasNewer && (this.#isNewerNext || older <= 0)) {
      return { part: 'newer', from: newer, to: entries.length };
    }
    return older > 0 ? { part: 'older', from: 0, to: older } : undefined;
  }

  /** Returns the index after the entry where the scan starts. */
  #startIndex(): number {
    const entries = this.#entries;
    const start = this.#options.scanStart();
    return start === undefined
      ? entries.length
      : Math.min(entries.length, entries.indexOf(start) + 1);
  }

  /** Scans the next range. Returns false when none is left. */
  #step(test: LineMatcher): boolean {
    const pass = this.#nextPass();
    if (pass === undefined) return false;
    const result = this.#scanner.scan(test, pass);
    if (result.kind === 'too-slow') {
      this.clear();
      this.#options.onTooSlow(result.problem);
      return false;
    }
    if (result.from < result.to) this.#addResult(pass.part, result);
    this.#isNewerNext = !this.#isNewerNext;
    return true;
  }

  #addResult(
    part: ScanPass['part'],
    { from, to, seqs }: Extract<ScanResult, { kind: 'scanned' }>,
  ): void {
    const entries = this.#entries;
    const first = seqAt(entries, from) ?? 0;
    const last = seqAt(entries, to - 1) ?? 0;
    const [run] = this.#pending;
    if (part !== 'inside') {
      const { first: low = first, last: high = last } = this.#scanned ?? {};
      this.#scanned = { first: Math.min(low, first), last: Math.max(high, last) };
    } else if (run === undefined || last >= run.last) this.#pending.shift();
    else this.#pending[0] = { first: seqAt(entries, to) ?? run.last, last: run.last };
    if (seqs.length === 0) return;
    this.#found.add(seqs);
    this.#options.onFound?.(seqs);
  }

  #noteChange(...[runs, dropped = []]: Parameters<ChangeListener>): void {
    if (this.#test === undefined) return;
    const before = this.#found.length;
    const scanned = this.#scanned;
    this.#gaps.update(dropped, ({ first, last }) => {
      const isFound = this.#found.dropRange(first, last) > 0;
      const isInside = scanned !== undefined && first >= scanned.first && last <= scanned.last;
      return !isFound && isInside && !this.#isPending(first, last);
    });
    this.#sync();
    for (const run of runs) this.#addPending(run);
    if (this.#nextPass() !== undefined) this.#schedule();
    else if (this.#found.length !== before) this.#options.onScanned();
  }

  #addPending(run: SeqRange): void {
    const scanned = this.#scanned;
    if (scanned === undefined || run.last < scanned.first || run.first > scanned.last) return;
    // If the scanned range ends at a gap, the lines that fill it may lie on both sides of the end.
    const first = Math.max(run.first, scanned.first);
    const last = Math.min(run.last, scanned.last);
    // A run inside a pending run is scanned with it.
    const isCovered = this.#pending.some((other) => other.first <= first && last <= other.last);
    if (!isCovered) this.#pending.push({ first, last });
  }
}

/** Knows the gaps whose lines were searched in vain before memory dropped them: a filter hides these. */
class SearchedGaps {
  readonly #entries: Entries<LogLine>;
  /** The gaps after the last change of the log, and their keys. */
  #noted: readonly GapEntry<LogLine>[] | undefined;
  #known = new Set<string>();
  /** Keys of the gaps that were searched. */
  #searched = new Set<string>();
  /** The last gaps of the log, and those among them in which matches may be. */
  #gaps: readonly GapEntry<LogLine>[] | undefined;
  #open: readonly GapEntry<LogLine>[] = [];

  constructor(entries: Entries<LogLine>) {
    this.#entries = entries;
  }

  /** Returns the gaps in which matches may be. */
  open(): readonly GapEntry<LogLine>[] {
    const { gaps } = this.#entries;
    if (gaps === this.#gaps) return this.#open;
    this.#gaps = gaps;
    this.#open =
      this.#searched.size === 0 ? gaps : gaps.filter((gap) => !this.#searched.has(keyOf(gap)));
    return this.#open;
  }

  /**
   * Notes a change of the log, with the lines that were dropped.
   * @param isVain returns whether lines were searched in vain before.
   */
  update(dropped: readonly DroppedRun[], isVain: (run: DroppedRun) => boolean): void {
    const { gaps } = this.#entries;
    if (gaps === this.#noted && dropped.length === 0) return;
    this.#noted = gaps;
    const known = this.#known;
    this.#known = new Set(gaps.map(keyOf));
    // Gaps become one when the lines between them are dropped.
    const isOther = (key: string): boolean => !this.#known.has(key) && !this.#searched.has(key);
    const hasJoinedOther = dropped.length > 0 && [...known].some(isOther);
    for (const run of dropped) {
      const key = keyOf({ seq: run.gap, member: run.member });
      const wasOpen = known.has(key) && !this.#searched.has(key);
      if (!isVain(run) || wasOpen || hasJoinedOther) this.#searched.delete(key);
      else this.#searched.add(key);
      known.add(key);
      this.#gaps = undefined;
    }
    for (const key of this.#searched) if (!this.#known.has(key)) this.#searched.delete(key);
  }

  /** Forgets what was searched. */
  reset(): void {
    this.#searched.clear();
    this.#gaps = undefined;
    this.#noted = undefined;
    this.update([], () => false);
  }
}

/** Returns what a gap keeps while it moves past the lines of other logs. */
function keyOf({ seq, own = seq, member = 0 }: Pick<GapEntry<LogLine>, 'seq' | 'own' | 'member'>) {
  return `${member} ${own}`;
}
