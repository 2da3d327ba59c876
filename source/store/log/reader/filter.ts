import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries, Entry, Inserted } from '../../../tail/arena/entries.ts';
import { FilteredEntries } from '../../../tail/arena/filtered-entries.ts';
import {
  type LineQuery,
  type LineTest,
  type QueryProblem,
  readLineQuery,
} from '../../../tail/query/log-query.ts';
import type { Clock, Guard, Slices } from '../../time/clock.ts';
import { createLogMatches } from './matches.ts';
import { matchEntries } from './match-entries.ts';

export interface LogFilterState {
  /** What lines are filtered by; undefined when only services are chosen, or nothing is. */
  readonly query: LineQuery | undefined;
  /** Only lines of these are shown. */
  readonly services: ReadonlySet<string> | undefined;
  /** Why the query that was set last does not hold: the one before it does. */
  readonly problem: QueryProblem | undefined;
  /** Lines shown, looked at and there; 0 while nothing is filtered. */
  readonly matched: number;
  readonly looked: number;
  readonly total: number;
  /** Whether all lines at hand were looked at. */
  readonly done: boolean;
}

/** What is shown of a log. */
export interface LogFilter {
  /** Everything, or the lines that match and every gap, under the `seq` they have in the log. */
  readonly entries: Entries<LogLine>;
  /**
   * Published at once by `set`, when there are enough lines for a screen and when all is looked at,
   * else at most once a frame.
   */
  readonly state: StoreApi<LogFilterState>;
  /** Returns whether every line at hand is matched, also between two publications of `state`. */
  isDone(): boolean;
  /** Filters by another query, or by none; a bad one changes nothing but `problem`. */
  set(query: LineQuery | undefined): void;
  /** Shows only lines of these services, or of all. */
  setServices(names: ReadonlySet<string> | undefined): void;
  /** What decides which lines are shown; nothing but undefined when all are. */
  choice(): readonly unknown[];
  /** Those of some entries that are shown by that, be they left in the log or not. */
  sift(entries: readonly Entry<LogLine>[]): readonly Entry<LogLine>[];
  /** Called with what comes to be shown, be it new in the log or found by and by. */
  onInserted(listener: (runs: readonly Inserted[]) => void): () => void;
  /** Called when something else is to be shown than before, and nothing of it is found yet. */
  onChanged(listener: () => void): () => void;
  stop(): void;
}

/** Milliseconds between two notifications. */
const frame = 33;
/** Lines that fill a small screen, a usual one and a large one. */
const screens = [24, 50, 100];

export function createLogFilter(options: {
  readonly entries: Entries<LogLine>;
  readonly onInserted: (listener: (runs: readonly Inserted[]) => void) => () => void;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly guard: Guard;
  /** `seq` of the entry under the eye, which is looked around first; undefined at the newest. */
  readonly eye?: (() => number | undefined) | undefined;
  /** Called while that is still shown which is about to give way to something else. */
  readonly beforeChange?: (() => void) | undefined;
}): LogFilter {
  const { clock } = options;
  const inserted = new Set<(runs: readonly Inserted[]) => void>();
  const changed = new Set<() => void>();
  let query: LineQuery | undefined;
  let services: ReadonlySet<string> | undefined;
  let problem: QueryProblem | undefined;
  /** What is filtered by: another than that of the query only while that gives way to it. */
  let test: LineTest | undefined;
  let choice: readonly unknown[] = [undefined, undefined];
  /** The query that all lines were last looked at for: what a too slow one gives way to. */
  let proven: LineQuery | undefined;
  let cancelPublish: (() => void) | undefined;

  const tell = (runs: readonly Inserted[]): void => {
    for (const listener of inserted) listener(runs);
  };
  const unsubscribe = options.onInserted((runs) => {
    // Without lines it still tells that some may have been dropped.
    tell(test === undefined ? runs : []);
  });

  const matches = createLogMatches({
    ...options,
    eye: options.eye ?? (() => undefined),
    onFound(seqs) {
      if (inserted.size > 0) tell(runsOf(seqs, options.entries.gaps));
    },
    onLooked() {
      const { done } = matches.progress();
      if (done) proven = query;
      const before = state.getState();
      const isAnswer = fillsScreen(before, { matched: matches.found().length, done });
      if ((done && !before.done) || isAnswer) publish();
      else cancelPublish ??= clock.after(frame, publish);
    },
    onTooSlow(reason) {
      query = query === proven ? undefined : proven;
      proven = undefined;
      problem = reason;
      apply();
    },
  });

  const stateNow = (): LogFilterState => {
    const base = { query, services, problem };
    if (test === undefined) return { ...base, matched: 0, looked: 0, total: 0, done: true };
    return { ...base, ...matches.progress(), matched: matches.found().length };
  };
  const state = createStore<LogFilterState>(stateNow);
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    state.setState(stateNow(), true);
  };

  const apply = (): void => {
    options.beforeChange?.();
    test = testOf(query, services);
    choice = [query, services];
    matches.end();
    for (const listener of changed) listener();
    if (test !== undefined) matches.start(test);
    publish();
  };

  return {
    entries: new FilteredEntries(options.entries, () =>
      test === undefined ? undefined : matches.found(),
    ),
    state,
    isDone: () => test === undefined || matches.progress().done,
    set(next) {
      const read = next === undefined ? undefined : readLineQuery(next);
      problem = read?.ok === false ? read.error : undefined;
      if (read?.ok === false) {
        publish();
        return;
      }
      query = read?.value.asks === true ? next : undefined;
      apply();
    },
    setServices(names) {
      services = names;
      apply();
    },
    choice: () => choice,
    sift(entries) {
      if (test === undefined) return entries;
      const passed = matchEntries(entries, test, options.guard);
      return entries.filter((entry) => entry.kind === 'gap' || passed.has(entry));
    },
    onInserted(listener) {
      inserted.add(listener);
      return () => inserted.delete(listener);
    },
    onChanged(listener) {
      changed.add(listener);
      return () => changed.delete(listener);
    },
    stop() {
      unsubscribe();
      matches.stop();
      cancelPublish?.();
    },
  };
}

/** Whether lines may be hidden. */
export function isFiltered({ state }: Pick<LogFilter, 'state'>): boolean {
  const { query, services } = state.getState();
  return query !== undefined || services !== undefined;
}

/** Whether the lines that were found since before make up a screen, or all that will come of one. */
export function fillsScreen(
  before: Pick<LogFilterState, 'matched' | 'done'>,
  now: Pick<LogFilterState, 'matched' | 'done'>,
): boolean {
  const rows = screens.find((each) => before.matched < each);
  if (rows === undefined) return false;
  return now.matched >= rows || (now.done && !before.done);
}

function testOf(
  query: LineQuery | undefined,
  services: ReadonlySet<string> | undefined,
): LineTest | undefined {
  const read = query === undefined ? undefined : readLineQuery(query);
  const test = read?.ok === true ? read.value : undefined;
  if (services === undefined) return test;
  return {
    asks: true,
    isCheap: test?.isCheap ?? true,
    matches: (text, service) =>
      service !== undefined && services.has(service) && test?.matches(text, service) !== false,
    mayMatch: test?.mayMatch,
    sieve: test?.sieve,
    spans: (text) => test?.spans(text) ?? [],
  };
}

/** Runs without a gap between their lines. */
function runsOf(
  seqs: readonly number[],
  gaps: readonly { readonly seq: number }[],
): readonly Inserted[] {
  const runs: Inserted[] = [];
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
