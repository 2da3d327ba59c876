import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { ChangeListener, Entries, Entry, InsertedRun } from '../../../tail/arena/entries.ts';
import { FilteredView } from '../../../tail/arena/filtered-entries.ts';
import {
  activeFilters,
  filterOf,
  type LineFilter,
  matcherOfFilters,
  problemOfFilters,
} from '../../../tail/query/line-filters.ts';
import type { LineMatcher, LineQuery, QueryProblem } from '../../../tail/query/log-query.ts';
import type { Clock } from '../../time/clock.ts';
import { LogMatches } from './matches.ts';
import { matchEntries, type NamesOf } from './scan.ts';

export interface LogFilterState {
  /** The filters in the order in which they were added, also those that are off. */
  readonly filters: readonly LineFilter[];
  /** The filters that are on; undefined when only services filter, or nothing. */
  readonly active: readonly LineFilter[] | undefined;
  /** Services whose lines are shown; undefined for all. */
  readonly services: ReadonlySet<string> | undefined;
  /** Numbers of the joined logs whose lines are shown; undefined for all. */
  readonly members: ReadonlySet<number> | undefined;
  /** Reason why the last query was rejected; the query before it stays active. */
  readonly problem: QueryProblem | undefined;
  /** Lines that match; 0 while the filter is off. */
  readonly matched: number;
  /** Lines that were scanned; 0 while the filter is off. */
  readonly looked: number;
  /** Lines in memory; 0 while the filter is off. */
  readonly total: number;
  /** True when all lines in memory were scanned. */
  readonly done: boolean;
}

/** Milliseconds between two notifications. */
const publishInterval = 33;
/** Lines on a small, a usual and a large screen. */
const screenHeights = [24, 50, 100];

interface FilterOptions {
  readonly entries: Entries<LogLine>;
  readonly onInserted: (listener: ChangeListener) => () => void;
  readonly clock: Clock;
  /** Returns the names of the deployment of a line, for the term `deployment:`. */
  readonly namesOf?: NamesOf | undefined;
  /** Returns the `seq` of the entry where the scan starts; undefined for the newest entry. */
  readonly eye?: (() => number | undefined) | undefined;
  /** Called before the entries change. */
  readonly beforeChange?: (() => void) | undefined;
}

/** Filter of a log by query, by service and by joined log. */
export class LogFilter {
  /** All entries of the log. */
  readonly all: Entries<LogLine>;
  /** The matching lines and every gap, or all entries; each has the same `seq` as in the log. */
  readonly entries: Entries<LogLine>;
  /**
   * Published at once when the query is set, when the matches fill a screen and when the scan is
   * done; else at most once a frame.
   */
  readonly state: StoreApi<LogFilterState>;
  readonly #options: FilterOptions;
  readonly #matches: LogMatches;
  readonly #unsubscribe: () => void;
  readonly #insertedListeners = new Set<ChangeListener>();
  readonly #criteriaListeners = new Set<() => void>();
  #filters: readonly LineFilter[] = [];
  #active: readonly LineFilter[] | undefined;
  #services: ReadonlySet<string> | undefined;
  #members: ReadonlySet<number> | undefined;
  #problem: QueryProblem | undefined;
  /** The test of the current scan. */
  #test: LineMatcher | undefined;
  #criteria: readonly unknown[] = [undefined, undefined, undefined];
  /** The last filters whose scan completed; they replace one that takes too long. */
  #lastCompleted: readonly LineFilter[] = [];
  #cancelPublish: (() => void) | undefined;

  constructor(options: FilterOptions) {
    const { entries, onInserted, eye } = options;
    this.#options = options;
    this.all = entries;
    this.#matches = new LogMatches({
      ...options,
      members: () => this.#members,
      scanStart: () => eye?.(),
      onFound: (seqs) => this.#notify([runOf(seqs)]),
      onScanned: () => this.#noteScanned(),
      onTooSlow: (problem) => this.#replaceSlow(problem),
    });
    this.entries = new FilteredView(entries, () =>
      this.#test === undefined ? undefined : this.#matches.found(),
    );
    this.state = createStore<LogFilterState>(() => this.#currentState());
    // The matches have heard of a change before. Without lines, some may have been dropped.
    this.#unsubscribe = onInserted((runs, dropped) =>
      this.#notify(this.#test === undefined ? runs : [], dropped),
    );
  }

  /** Returns whether all lines in memory are scanned; `state` may lag behind. */
  isDone(): boolean {
    return this.#test === undefined || this.#matches.progress().done;
  }

  /** Scans all lines again after deployments got other names, if these matter. */
  renamed(): void {
    if (this.#test?.readsDeployment === true) this.#apply();
  }

  /** Replaces the filters; an invalid one only sets `problem`. */
  setFilters(filters: readonly LineFilter[]): void {
    this.#problem = problemOfFilters(filters);
    if (this.#problem === undefined) this.#use(filters);
    else this.#publish();
  }

  /** Sets the only filter, or removes all. */
  setQuery(query: LineQuery | undefined): void {
    this.setFilters(query === undefined ? [] : [filterOf(query)]);
  }

  /** Shows only lines of these services of these joined logs, or of all. */
  setShown({ services, members }: Pick<LogFilterState, 'services' | 'members'>): void {
    this.#services = services;
    this.#members = members;
    this.#apply();
  }

  /** Returns the values that decide which lines match; all undefined while the filter is off. */
  criteria(): readonly unknown[] {
    return this.#criteria;
  }

  /** Returns the given entries that match, whether they are in memory or not. */
  matchEntries(entries: readonly Entry<LogLine>[]): readonly Entry<LogLine>[] {
    if (this.#test === undefined) return entries;
    const members = this.#members;
    const passed = matchEntries(entries, this.#test, this.#options.clock, this.#options.namesOf);
    const isShown = ({ member }: Entry<LogLine>) =>
      members === undefined || (member !== undefined && members.has(member));
    return entries.filter((entry) => entry.kind === 'gap' || (passed.has(entry) && isShown(entry)));
  }

  /**
   * Calls back with entries that become visible, either new in the log or found by the scan; gaps may stand
   * between those of a run.
   */
  onInserted(listener: ChangeListener): () => void {
    this.#insertedListeners.add(listener);
    return () => this.#insertedListeners.delete(listener);
  }

  /** Calls back when the query or the services change, before the scan finds the first line. */
  onCriteriaChanged(listener: () => void): () => void {
    this.#criteriaListeners.add(listener);
    return () => this.#criteriaListeners.delete(listener);
  }

  stop(): void {
    this.#unsubscribe();
    this.#matches.stop();
    this.#cancelPublish?.();
  }

  #notify(...change: Parameters<ChangeListener>): void {
    for (const listener of this.#insertedListeners) listener(...change);
  }

  #noteScanned(): void {
    const { done } = this.#matches.progress();
    if (done) this.#lastCompleted = this.#filters;
    const before = this.state.getState();
    const isAnswer = fillsScreen(before, { matched: this.#matches.found().seqs.length, done });
    if ((done && !before.done) || isAnswer) this.#publish();
    else this.#cancelPublish ??= this.#options.clock.after(publishInterval, () => this.#publish());
  }

  #replaceSlow(problem: QueryProblem): void {
    const next = this.#filters === this.#lastCompleted ? [] : this.#lastCompleted;
    this.#lastCompleted = [];
    this.#problem = problem;
    this.#use(next);
  }

  #use(filters: readonly LineFilter[]): void {
    this.#filters = filters;
    const active = activeFilters(filters);
    this.#active = active.length === 0 ? undefined : active;
    this.#apply();
  }

  #apply(): void {
    this.#options.beforeChange?.();
    this.#test = buildTest(this.#filters, this.#services) ?? (this.#members && everyLine);
    this.#criteria = [this.#active, this.#services, this.#members];
    this.#matches.clear();
    for (const listener of this.#criteriaListeners) listener();
    if (this.#test !== undefined) this.#matches.start(this.#test);
    this.#publish();
  }

  #currentState(): LogFilterState {
    const base = {
      filters: this.#filters,
      active: this.#active,
      services: this.#services,
      members: this.#members,
      problem: this.#problem,
    };
    if (this.#test === undefined) return { ...base, matched: 0, looked: 0, total: 0, done: true };
    const matched = this.#matches.found().seqs.length;
    return { ...base, ...this.#matches.progress(), matched };
  }

  #publish(): void {
    this.#cancelPublish?.();
    this.#cancelPublish = undefined;
    this.state.setState(this.#currentState(), true);
  }
}

function runOf(seqs: readonly number[]): InsertedRun {
  return { first: seqs[0] ?? 0, last: seqs.at(-1) ?? 0, count: seqs.length };
}

/** Returns whether the filter may hide lines. */
export function isFiltered({ state }: Pick<LogFilter, 'state'>): boolean {
  const { active, services, members } = state.getState();
  return (active ?? services ?? members) !== undefined;
}

/** Returns whether the matches since `before` fill a screen, or the scan is done. */
export function fillsScreen(
  before: Pick<LogFilterState, 'matched' | 'done'>,
  now: Pick<LogFilterState, 'matched' | 'done'>,
): boolean {
  const rows = screenHeights.find((each) => before.matched < each);
  if (rows === undefined) return false;
  return now.matched >= rows || (now.done && !before.done);
}

/** The test that every line passes, for a filter by joined logs only. */
const everyLine: LineMatcher = {
  hasCriteria: true,
  isCheap: true,
  matches: () => true,
  mayMatch: undefined,
  prefilter: undefined,
  spans: () => [],
};

function buildTest(
  filters: readonly LineFilter[],
  services: ReadonlySet<string> | undefined,
): LineMatcher | undefined {
  const test = matcherOfFilters(filters);
  if (services === undefined) return test;
  return {
    hasCriteria: true,
    isCheap: test?.isCheap ?? true,
    matches: (text, service, deployment) =>
      service !== undefined &&
      services.has(service) &&
      test?.matches(text, service, deployment) !== false,
    readsDeployment: test?.readsDeployment,
    mayMatch: test?.mayMatch,
    prefilter: test?.prefilter,
    spans: (...part) => test?.spans(...part) ?? [],
  };
}

/** End of the wait for a filter; `moved` when the filters or the services have changed. */
export type FilterWaitResult = 'done' | 'moved' | 'cancelled';

/**
 * Resolves when a filter has scanned all lines in memory, when the filters or the services change,
 * or when `signal` is aborted. Lines that arrive meanwhile count; `state` may lag behind them.
 * @param onProgress called with the number of scanned lines and of all lines.
 */
export function waitForFilter(
  filter: Pick<LogFilter, 'state' | 'isDone'>,
  signal: AbortSignal,
  onProgress: (looked: number, total: number) => void = () => {},
): Promise<FilterWaitResult> {
  const { state } = filter;
  const { active, services, members, looked, total } = state.getState();
  if (signal.aborted) return Promise.resolve('cancelled');
  if (filter.isDone()) return Promise.resolve('done');
  onProgress(looked, total);
  return new Promise((resolve) => {
    const cancel = () => finish('cancelled');
    const stop = state.subscribe((now) => {
      const isSame = now.active === active && now.services === services && now.members === members;
      if (!isSame) finish('moved');
      else if (filter.isDone()) finish('done');
      else onProgress(now.looked, now.total);
    });
    const finish = (reason: FilterWaitResult): void => {
      stop();
      signal.removeEventListener('abort', cancel);
      resolve(reason);
    };
    signal.addEventListener('abort', cancel);
  });
}
