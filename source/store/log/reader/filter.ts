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
import type { Clock, Guard, Slices } from '../../time/clock.ts';
import { LogMatches } from './matches.ts';
import { matchEntries, type NamesOf } from './match-entries.ts';

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

/** Filter of a log by query and by service. */
export interface LogFilter {
  /** All entries of the log. */
  readonly all: Entries<LogLine>;
  /** The matching lines and every gap, or all entries; each has the same `seq` as in the log. */
  readonly entries: Entries<LogLine>;
  /**
   * Published at once when the query is set, when the matches fill a screen and when the scan is
   * done; else at most once a frame.
   */
  readonly state: StoreApi<LogFilterState>;
  /** Returns whether all lines in memory are scanned; `state` may lag behind. */
  isDone(): boolean;
  /** Scans all lines again after deployments got other names, if these matter. */
  renamed(): void;
  /** Replaces the filters; an invalid one only sets `problem`. */
  setFilters(filters: readonly LineFilter[]): void;
  /** Sets the only filter, or removes all. */
  setQuery(query: LineQuery | undefined): void;
  /** Shows only lines of these services, or of all. */
  setServices(names: ReadonlySet<string> | undefined): void;
  /** Shows only lines of these services of these joined logs, or of all. */
  setShown(shown: Pick<LogFilterState, 'services' | 'members'>): void;
  /** Returns the values that decide which lines match; all undefined while the filter is off. */
  criteria(): readonly unknown[];
  /** Returns the given entries that match, whether they are still in memory or not. */
  matchEntries(entries: readonly Entry<LogLine>[]): readonly Entry<LogLine>[];
  /** Calls back with entries that become visible, either new in the log or found by the scan. */
  onInserted(listener: ChangeListener): () => void;
  /** Calls back when the query or the services change, before the scan finds the first line. */
  onCriteriaChanged(listener: () => void): () => void;
  stop(): void;
}

/** Milliseconds between two notifications. */
const publishInterval = 33;
/** Lines on a small, a usual and a large screen. */
const screenHeights = [24, 50, 100];

export function createLogFilter(options: {
  readonly entries: Entries<LogLine>;
  readonly onInserted: (listener: ChangeListener) => () => void;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly guard: Guard;
  /** Returns the names of the deployment of a line, for the term `deployment:`. */
  readonly namesOf?: NamesOf | undefined;
  /** Returns the `seq` of the entry where the scan starts; undefined for the newest entry. */
  readonly eye?: (() => number | undefined) | undefined;
  /** Called before the entries change. */
  readonly beforeChange?: (() => void) | undefined;
}): LogFilter {
  const { clock } = options;
  const insertedListeners = new Set<ChangeListener>();
  const changedListeners = new Set<() => void>();
  let filters: readonly LineFilter[] = [];
  let active: readonly LineFilter[] | undefined;
  let services: ReadonlySet<string> | undefined;
  let members: ReadonlySet<number> | undefined;
  let problem: QueryProblem | undefined;
  /** The test of the current scan; updated by `apply`, after the filters. */
  let activeTest: LineMatcher | undefined;
  let criteria: readonly unknown[] = [undefined, undefined, undefined];
  /** The last filters whose scan completed; they replace one that takes too long. */
  let lastCompleted: readonly LineFilter[] = [];
  let cancelPublish: (() => void) | undefined;

  const notify: ChangeListener = (runs, dropped) => {
    for (const listener of insertedListeners) listener(runs, dropped);
  };

  const matches = new LogMatches({
    ...options,
    members: () => members,
    scanStart: options.eye ?? (() => undefined),
    onFound(seqs) {
      if (insertedListeners.size > 0) notify(splitAtGaps(seqs, options.entries.gaps));
    },
    onScanned() {
      const { done } = matches.progress();
      if (done) lastCompleted = filters;
      const before = state.getState();
      const isAnswer = fillsScreen(before, { matched: matches.found().seqs.length, done });
      if ((done && !before.done) || isAnswer) publish();
      else cancelPublish ??= clock.after(publishInterval, publish);
    },
    onTooSlow(reason) {
      const next = filters === lastCompleted ? [] : lastCompleted;
      lastCompleted = [];
      problem = reason;
      useFilters(next);
    },
  });

  // The matches have heard of a change before.
  const unsubscribe = options.onInserted((runs, dropped) => {
    // A notification without lines reports that some may have been dropped.
    notify(activeTest === undefined ? runs : [], dropped);
  });

  const currentState = (): LogFilterState => {
    const base = { filters, active, services, members, problem };
    if (activeTest === undefined) return { ...base, matched: 0, looked: 0, total: 0, done: true };
    return { ...base, ...matches.progress(), matched: matches.found().seqs.length };
  };
  const state = createStore<LogFilterState>(currentState);
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    state.setState(currentState(), true);
  };

  const apply = (): void => {
    options.beforeChange?.();
    activeTest = buildTest(filters, services) ?? (members && everyLine);
    criteria = [active, services, members];
    matches.clear();
    for (const listener of changedListeners) listener();
    if (activeTest !== undefined) matches.start(activeTest);
    publish();
  };

  const useFilters = (next: readonly LineFilter[]): void => {
    filters = next;
    const on = activeFilters(next);
    active = on.length === 0 ? undefined : on;
    apply();
  };

  const setFilters = (next: readonly LineFilter[]): void => {
    problem = problemOfFilters(next);
    if (problem === undefined) useFilters(next);
    else publish();
  };

  return {
    all: options.entries,
    entries: new FilteredView(options.entries, () =>
      activeTest === undefined ? undefined : matches.found(),
    ),
    state,
    isDone: () => activeTest === undefined || matches.progress().done,
    renamed() {
      if (activeTest?.readsDeployment === true) apply();
    },
    setFilters,
    setQuery: (next) => setFilters(next === undefined ? [] : [filterOf(next)]),
    setServices(names) {
      services = names;
      apply();
    },
    setShown(shown) {
      ({ services, members } = shown);
      apply();
    },
    criteria: () => criteria,
    matchEntries(entries) {
      if (activeTest === undefined) return entries;
      const passed = matchEntries(entries, activeTest, options.guard, options.namesOf);
      const isShown = (entry: Entry<LogLine>) =>
        members === undefined || (entry.member !== undefined && members.has(entry.member));
      return entries.filter(
        (entry) => entry.kind === 'gap' || (passed.has(entry) && isShown(entry)),
      );
    },
    onInserted(listener) {
      insertedListeners.add(listener);
      return () => insertedListeners.delete(listener);
    },
    onCriteriaChanged(listener) {
      changedListeners.add(listener);
      return () => changedListeners.delete(listener);
    },
    stop() {
      unsubscribe();
      matches.stop();
      cancelPublish?.();
    },
  };
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

/** Splits matches into runs that no gap interrupts. */
function splitAtGaps(
  seqs: readonly number[],
  gaps: readonly { readonly seq: number }[],
): readonly InsertedRun[] {
  const runs: InsertedRun[] = [];
  let start = 0;
  const add = (end: number): void => {
    const first = seqs[start];
    const last = seqs[end - 1];
    if (start < end && first !== undefined && last !== undefined) {
      runs.push({ first, last, count: end - start });
    }
    start = end;
  };
  for (const { seq } of gaps) {
    const end = seqs.findIndex((one) => one > seq);
    if (end > start) add(end);
  }
  add(seqs.length);
  return runs;
}
