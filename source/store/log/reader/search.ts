import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type LineQuery,
  type LineMatcher,
  type QueryProblem,
  parseLineQuery,
} from '../../../tail/query/log-query.ts';
import { type Clock, guardOf } from '../../time/clock.ts';
import type { LogFilter } from './filter.ts';
import { highlightTest } from './highlight.ts';
import type { NamesOf } from './scan.ts';
import { LogMatches } from './matches.ts';
import { cursorSeq, type LogPosition, type LogView } from './view.ts';

export type SearchDirection = 'newer' | 'older';

export interface LogSearchState {
  readonly query: LineQuery | undefined;
  /** Reason why the last query was rejected; the query before it stays active. */
  readonly problem: QueryProblem | undefined;
  /** `seq` of the match under the cursor. */
  readonly at: number | undefined;
  /** Matches found so far after the cursor. */
  readonly newer: number;
  /** Matches found so far before the cursor. */
  readonly older: number;
  /** Direction of a pending step; the cursor moves as soon as the match is found. */
  readonly looking: SearchDirection | undefined;
  /** Direction in which the last pending step found no match. */
  readonly missed: SearchDirection | undefined;
  /** True when all visible lines were scanned. */
  readonly done: boolean;
  /** Number of moves to a match; the pane scrolls within the line of `at` when it changes. */
  readonly jumps: number;
}

/** Milliseconds between two notifications. */
const publishInterval = 33;

interface SearchOptions {
  readonly filter: LogFilter;
  readonly view: LogView;
  readonly clock: Clock;
  /** Returns the names of the deployment of a line, for the term `deployment:`. */
  readonly namesOf?: NamesOf | undefined;
}

/** A search without its first match: where it starts, and the position of the reader meanwhile. */
interface SearchStart {
  readonly from: LogPosition;
  readonly meanwhile: LogPosition;
}

/** Search among the visible lines of a log. */
export class LogSearch {
  /** Published at once after keys and when the scan is done, else at most once a frame. */
  readonly state: StoreApi<LogSearchState>;
  readonly #options: SearchOptions;
  readonly #matches: LogMatches;
  readonly #unsubscribes: readonly (() => void)[];
  #query: LineQuery | undefined;
  #problem: QueryProblem | undefined;
  #test: LineMatcher | undefined;
  #highlight: LineMatcher | undefined;
  #looking: SearchDirection | undefined;
  /** The `seq` before which a pending step must find its match. */
  #until: number | undefined;
  #missed: SearchDirection | undefined;
  #start: SearchStart | undefined;
  #cancelPublish: (() => void) | undefined;
  #jumps = 0;

  constructor(options: SearchOptions) {
    const { filter, view, clock } = options;
    this.#options = options;
    this.#matches = new LogMatches({
      ...options,
      entries: filter.entries,
      onInserted: (listener) => filter.onInserted(listener),
      scanStart: () => cursorSeq(this.#start?.from ?? view.position.getState()),
      onScanned: () => {
        this.#resolvePending();
        if (this.#isDone() && !this.state.getState().done) this.#publish();
        else this.#cancelPublish ??= clock.after(publishInterval, () => this.#publish());
      },
      onTooSlow: (problem) => {
        this.#problem = problem;
        this.#clear();
        this.#publish();
      },
    });
    this.state = createStore<LogSearchState>(() => this.#currentState());
    this.#unsubscribes = [
      view.position.subscribe(() => {
        if (this.#test !== undefined) this.#publish();
      }),
      filter.onCriteriaChanged(() => {
        if (this.#test !== undefined) this.#startMatches(this.#test);
      }),
      filter.state.subscribe(() => {
        const isPending = this.#looking !== undefined || this.#start !== undefined;
        if (this.#test === undefined || (this.state.getState().done && !isPending)) return;
        if (!filter.isDone()) return;
        this.#resolvePending();
        this.#publish();
      }),
    ];
  }

  /**
   * Sets the query, or removes it. The cursor moves to the newest match at or before `from`, else
   * to the first match after it; it returns to `from` when there is none.
   * @param from position where the search starts. Default: the current one. While a query is typed,
   * pass the position before typing.
   */
  setQuery(query: LineQuery | undefined, from?: LogPosition): void {
    const { view, clock } = this.#options;
    const meanwhile = view.position.getState();
    const read = query === undefined ? undefined : parseLineQuery(query);
    this.#problem = read?.ok === false ? read.error : undefined;
    if (read?.ok !== false) {
      this.#clear();
      this.#missed = undefined;
    }
    if (read?.ok !== true || !read.value.hasCriteria) return this.#publish();
    this.#query = query;
    this.#test = read.value;
    this.#highlight = highlightTest(this.#test, guardOf(clock));
    this.#start = { from: from ?? meanwhile, meanwhile };
    return this.#startMatches(this.#test);
  }

  /**
   * Moves the cursor to the next match. Returns `looking` while the match is still unknown.
   * @param until `seq` before which the match must be; undefined for the end of the log.
   */
  next(direction: SearchDirection, until?: number): 'none' | 'moved' | 'looking' {
    const result = this.#next(direction, until);
    this.#publish();
    return result;
  }

  /** Scans all lines again after deployments got other names, if these matter. */
  renamed(): void {
    if (this.#test?.readsDeployment === true) this.#startMatches(this.#test);
  }

  /** Cancels a pending step, so that the cursor stays in place. */
  cancelPending(): void {
    if (this.#looking === undefined) return;
    this.#looking = undefined;
    this.#publish();
  }

  /** Returns the test that highlights matches; its spans are found within a time limit. */
  test(): LineMatcher | undefined {
    return this.#highlight;
  }

  stop(): void {
    for (const end of this.#unsubscribes) end();
    this.#matches.stop();
    this.#cancelPublish?.();
  }

  /** Returns whether all lines were scanned: the filter may still find more of them. */
  #isDone(): boolean {
    return this.#matches.progress().done && this.#options.filter.isDone();
  }

  #currentState(): LogSearchState {
    const cursor = cursorSeq(this.#options.view.position.getState()) ?? Number.POSITIVE_INFINITY;
    const { seqs } = this.#matches.found();
    const older = seqs.rank(cursor);
    const at = seqs.at(older) === cursor ? cursor : undefined;
    return {
      query: this.#query,
      problem: this.#problem,
      at,
      newer: seqs.length - older - (at === undefined ? 0 : 1),
      older,
      looking: this.#looking,
      missed: this.#missed,
      done: this.#isDone(),
      jumps: this.#jumps,
    };
  }

  #publish(): void {
    this.#cancelPublish?.();
    this.#cancelPublish = undefined;
    this.state.setState(this.#currentState(), true);
  }

  #clear(): void {
    this.#matches.clear();
    this.#query = undefined;
    this.#test = undefined;
    this.#highlight = undefined;
    this.#looking = undefined;
    this.#start = undefined;
  }

  #startMatches(test: LineMatcher): void {
    this.#matches.start(test);
    this.#publish();
  }

  /** Returns the nearest match in one direction; `looking` while a nearer one may be found. */
  #nearest(
    side: SearchDirection,
    from: number,
    isInclusive: boolean,
    until?: number,
  ): number | 'none' | 'looking' {
    const { seqs } = this.#matches.found();
    const index = seqs.rank(from);
    const at = seqs.at(index) === from ? 1 : 0;
    const isOlder = side === 'older';
    const end = until ?? (isOlder ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
    const own = isInclusive && at === 1;
    const seq = seqs.at(own ? index : isOlder ? index - 1 : index + at);
    const isCovered = isOlder
      ? this.#matches.hasScanned(Math.max(seq ?? end, end), from)
      : this.#matches.hasScanned(from, Math.min(seq ?? end, end));
    if (!isCovered) return 'looking';
    const isBeyond = seq === undefined || (isOlder ? seq < end : seq > end);
    if (!isBeyond) return seq;
    return this.#options.filter.isDone() ? 'none' : 'looking';
  }

  /** Performs the pending step once its match is known. */
  #resolvePending(): void {
    const direction = this.#looking;
    // Clear this first: the step starts at the first match, and moving the cursor may cancel it.
    this.#looking = undefined;
    if (this.#start !== undefined) this.#startFrom(this.#start);
    if (direction === undefined) return;
    if (this.#start !== undefined) this.#looking = direction;
    else if (this.#next(direction, this.#until) === 'none') this.#missed = direction;
  }

  #jumpTo(seq: number): void {
    this.#jumps += 1;
    this.#options.view.goTo(seq);
  }

  #startFrom({ from, meanwhile }: SearchStart): void {
    const { view } = this.#options;
    // The reader has moved since.
    if (view.position.getState() !== meanwhile) {
      this.#start = undefined;
      return;
    }
    const start = cursorSeq(from) ?? Number.POSITIVE_INFINITY;
    let seq = this.#nearest('older', start, true);
    if (seq === 'none') seq = this.#nearest('newer', start, false);
    if (seq === 'looking') return;
    this.#start = undefined;
    if (seq === 'none') view.restore(from);
    else this.#jumpTo(seq);
  }

  #next(direction: SearchDirection, until?: number): 'none' | 'moved' | 'looking' {
    this.#until = until;
    this.#missed = undefined;
    this.#looking = undefined;
    if (this.#test === undefined) return 'none';
    const cursor = cursorSeq(this.#options.view.position.getState());
    // While following, the cursor is below the newest line.
    if (cursor === undefined && direction === 'newer') return 'none';
    const seq = this.#nearest(direction, cursor ?? Number.POSITIVE_INFINITY, false, until);
    if (seq === 'looking') this.#looking = direction;
    if (typeof seq === 'string') return seq;
    this.#jumpTo(seq);
    return 'moved';
  }
}
