import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type LineQuery,
  type LineMatcher,
  type QueryProblem,
  parseLineQuery,
} from '../../../tail/query/log-query.ts';
import type { Clock, Guard, Slices } from '../../time/clock.ts';
import type { LogFilter } from './filter.ts';
import { highlightTest } from './highlight.ts';
import type { NamesOf } from './match-entries.ts';
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

/** Search among the visible lines of a log. */
export interface LogSearch {
  /** Published at once after keys and when the scan is done, else at most once a frame. */
  readonly state: StoreApi<LogSearchState>;
  /**
   * Sets the query, or removes it. The cursor moves to the newest match at or before `from`, else
   * to the first match after it; it returns to `from` when there is none.
   * @param from position where the search starts. Default: the current one. While a query is typed,
   * pass the position before typing.
   */
  setQuery(query: LineQuery | undefined, from?: LogPosition): void;
  /**
   * Moves the cursor to the next match. Returns `looking` while the match is still unknown.
   * @param until `seq` before which the match must be; undefined for the end of the log.
   */
  next(direction: SearchDirection, until?: number): 'none' | 'moved' | 'looking';
  /** Scans all lines again after deployments got other names, if these matter. */
  renamed(): void;
  /** Cancels a pending step, so that the cursor stays in place. */
  cancelPending(): void;
  /** Returns the test that highlights matches; its spans are found within a time limit. */
  test(): LineMatcher | undefined;
  stop(): void;
}

/** Milliseconds between two notifications. */
const publishInterval = 33;

export function createLogSearch(options: {
  readonly filter: LogFilter;
  readonly view: LogView;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly guard: Guard;
  /** Returns the names of the deployment of a line, for the term `deployment:`. */
  readonly namesOf?: NamesOf | undefined;
}): LogSearch {
  const { clock, view, filter } = options;
  let query: LineQuery | undefined;
  let problem: QueryProblem | undefined;
  let test: LineMatcher | undefined;
  let highlight: LineMatcher | undefined;
  let pendingDirection: SearchDirection | undefined;
  /** The `seq` before which a pending step must find its match. */
  let pendingUntil: number | undefined;
  let missedDirection: SearchDirection | undefined;
  /** Start of a search that has no first match yet, and the position of the reader meanwhile. */
  let pendingStart: { readonly from: LogPosition; readonly meanwhile: LogPosition } | undefined;
  let cancelPublish: (() => void) | undefined;
  let jumps = 0;

  const matches = new LogMatches({
    ...options,
    ...filter,
    scanStart: () => cursorSeq(pendingStart?.from ?? view.position.getState()),
    onScanned() {
      resolvePending();
      if (isDone() && !state.getState().done) publish();
      else cancelPublish ??= clock.after(publishInterval, publish);
    },
    onTooSlow(reason) {
      problem = reason;
      clear();
      publish();
    },
  });

  /** Returns whether all lines were scanned: the filter may still find more of them. */
  const isDone = (): boolean => matches.progress().done && filter.isDone();

  const currentState = (): LogSearchState => {
    const cursor = cursorSeq(view.position.getState()) ?? Number.POSITIVE_INFINITY;
    const found = matches.found().seqs;
    const older = found.rank(cursor);
    const at = found.at(older) === cursor ? cursor : undefined;
    const newer = found.length - older - (at === undefined ? 0 : 1);
    return {
      query,
      problem,
      at,
      newer,
      older,
      looking: pendingDirection,
      missed: missedDirection,
      done: isDone(),
      jumps,
    };
  };
  const state = createStore<LogSearchState>(currentState);
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    state.setState(currentState(), true);
  };

  const clear = (): void => {
    matches.clear();
    query = undefined;
    test = undefined;
    highlight = undefined;
    pendingDirection = undefined;
    pendingStart = undefined;
  };

  /** Returns the nearest match in one direction; `looking` while a nearer one may be found. */
  const nearest = (
    side: SearchDirection,
    from: number,
    isInclusive: boolean,
    until?: number,
  ): number | 'none' | 'looking' => {
    const found = matches.found().seqs;
    const index = found.rank(from);
    const at = found.at(index) === from ? 1 : 0;
    if (side === 'older') {
      const end = until ?? Number.NEGATIVE_INFINITY;
      const seq = found.at(isInclusive && at === 1 ? index : index - 1);
      if (!matches.hasScanned(Math.max(seq ?? end, end), from)) return 'looking';
      return seq === undefined || seq < end ? endOfMatches() : seq;
    }
    const end = until ?? Number.POSITIVE_INFINITY;
    const seq = found.at(isInclusive ? index : index + at);
    if (!matches.hasScanned(from, Math.min(seq ?? end, end))) return 'looking';
    return seq === undefined || seq > end ? endOfMatches() : seq;
  };

  const endOfMatches = () => (filter.isDone() ? 'none' : 'looking');

  /** Performs the pending step once its match is known. */
  const resolvePending = (): void => {
    const direction = pendingDirection;
    // Clear this first: the step starts at the first match, and moving the cursor may cancel it.
    pendingDirection = undefined;
    if (pendingStart !== undefined) startFrom(pendingStart);
    if (direction === undefined) return;
    if (pendingStart !== undefined) pendingDirection = direction;
    else if (next(direction, pendingUntil) === 'none') missedDirection = direction;
  };

  const jumpTo = (seq: number): void => {
    jumps += 1;
    view.goTo(seq);
  };

  const startFrom = ({ from, meanwhile }: NonNullable<typeof pendingStart>): void => {
    // The reader has moved since.
    if (view.position.getState() !== meanwhile) {
      pendingStart = undefined;
      return;
    }
    const start = cursorSeq(from) ?? Number.POSITIVE_INFINITY;
    let seq = nearest('older', start, true);
    if (seq === 'none') seq = nearest('newer', start, false);
    if (seq === 'looking') return;
    pendingStart = undefined;
    if (seq === 'none') view.restore(from);
    else jumpTo(seq);
  };

  const next = (direction: SearchDirection, until?: number): 'none' | 'moved' | 'looking' => {
    pendingUntil = until;
    missedDirection = undefined;
    pendingDirection = undefined;
    if (test === undefined) return 'none';
    const cursor = cursorSeq(view.position.getState());
    // While following, the cursor is below the newest line.
    if (cursor === undefined && direction === 'newer') return 'none';
    const seq = nearest(direction, cursor ?? Number.POSITIVE_INFINITY, false, until);
    if (seq === 'looking') pendingDirection = direction;
    if (typeof seq === 'string') return seq;
    jumpTo(seq);
    return 'moved';
  };

  const startMatches = (lineTest: LineMatcher): void => {
    matches.start(lineTest);
    publish();
  };
  const unsubscribes = [
    view.position.subscribe(() => {
      if (test !== undefined) publish();
    }),
    filter.onCriteriaChanged(() => {
      if (test !== undefined) startMatches(test);
    }),
    filter.state.subscribe(() => {
      const isPending = pendingDirection !== undefined || pendingStart !== undefined;
      if (test === undefined || (state.getState().done && !isPending) || !filter.isDone()) return;
      resolvePending();
      publish();
    }),
  ];

  return {
    state,
    setQuery(nextQuery, from = view.position.getState()) {
      const read = nextQuery === undefined ? undefined : parseLineQuery(nextQuery);
      problem = read?.ok === false ? read.error : undefined;
      if (read?.ok === false) {
        publish();
        return;
      }
      clear();
      missedDirection = undefined;
      if (read?.value.hasCriteria === true) {
        query = nextQuery;
        test = read.value;
        highlight = highlightTest(test, options.guard);
        pendingStart = { from, meanwhile: view.position.getState() };
        startMatches(test);
      } else publish();
    },
    next(direction, until) {
      const result = next(direction, until);
      publish();
      return result;
    },
    renamed() {
      if (test?.readsDeployment === true) startMatches(test);
    },
    cancelPending() {
      if (pendingDirection === undefined) return;
      pendingDirection = undefined;
      publish();
    },
    test: () => highlight,
    stop() {
      for (const end of unsubscribes) end();
      matches.stop();
      cancelPublish?.();
    },
  };
}
