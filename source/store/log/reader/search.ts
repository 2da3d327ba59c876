import { createStore, type StoreApi } from 'zustand/vanilla';
import { seqAt } from '../../../tail/arena/entries.ts';
import {
  type LineQuery,
  type LineTest,
  type QueryProblem,
  readLineQuery,
} from '../../../tail/query/log-query.ts';
import type { Clock, Guard, Slices } from '../../time/clock.ts';
import type { LogFilter } from './filter.ts';
import { highlightTest } from './highlight.ts';
import { createLogMatches } from './matches.ts';
import { createPinnedMatches } from './pinned-matches.ts';
import type { PinnedEntries } from './pinned.ts';
import { cursorSeq, type LogPosition, type LogView } from './view.ts';

export type SearchDirection = 'newer' | 'older';

export interface LogSearchState {
  readonly query: LineQuery | undefined;
  /** Why the query that was set last does not hold: the one before it does. */
  readonly problem: QueryProblem | undefined;
  /** `seq` of the match under the cursor. */
  readonly at: number | undefined;
  /** Matches found so far on either side of the cursor. */
  readonly newer: number;
  readonly older: number;
  /** Where a match is being looked for that the cursor goes to as soon as it is found. */
  readonly looking: SearchDirection | undefined;
  /** Where the last look that took longer found none. */
  readonly missed: SearchDirection | undefined;
  /** Whether all lines shown were looked at. */
  readonly done: boolean;
}

/** Search among what is shown of a log. */
export interface LogSearch {
  /** Published at once by keys and when all is looked at, else at most once a frame. */
  readonly state: StoreApi<LogSearchState>;
  /**
   * Searches for something else, or for nothing. The cursor goes to the newest match at or above
   * where the reader was, else to the first below; back there when there is none.
   * @param from where that was; else where the reader is now. While a query is typed, hand in the
   * position from before.
   */
  set(query: LineQuery | undefined, from?: LogPosition): void;
  /** Takes the cursor to the next match; `looking` when that is not known yet, see the state. */
  next(direction: SearchDirection): 'none' | 'moved' | 'looking';
  /** Leaves the cursor where it is although a match is still being looked for. */
  stay(): void;
  /** What is searched for, to show it: its spans are found in no time. */
  test(): LineTest | undefined;
  stop(): void;
}

/** Milliseconds between two notifications. */
const frame = 33;

export function createLogSearch(options: {
  /** What is shown. */
  readonly filter: LogFilter;
  readonly view: LogView;
  /** What of it is shown although memory has dropped it. */
  readonly pinned?: Pick<PinnedEntries, 'dropped'> | undefined;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly guard: Guard;
}): LogSearch {
  const { clock, view, filter } = options;
  let query: LineQuery | undefined;
  let problem: QueryProblem | undefined;
  let test: LineTest | undefined;
  let shown: LineTest | undefined;
  let looking: SearchDirection | undefined;
  let missed: SearchDirection | undefined;
  /** A search that has not come to its first match: from where, and where the reader is meanwhile. */
  let beginning: { readonly from: LogPosition; readonly meanwhile: LogPosition } | undefined;
  let cancelPublish: (() => void) | undefined;

  const matches = createLogMatches({
    ...options,
    ...filter,
    eye: () => cursorSeq(beginning?.from ?? view.position.getState()),
    onLooked() {
      settle();
      if (isDone() && !state.getState().done) publish();
      else cancelPublish ??= clock.after(frame, publish);
    },
    onTooSlow(reason) {
      problem = reason;
      clear();
      publish();
    },
  });

  const withPinned = createPinnedMatches(options.pinned, options.guard);
  const allFound = () => withPinned(test, matches.found());

  /** Whether all is known from one entry to another; of what was dropped, it always is. */
  const covers = (from: number, to: number): boolean => {
    const oldest = seqAt(filter.entries, 0) ?? Number.POSITIVE_INFINITY;
    return to < oldest || matches.covers(from, to);
  };

  /** What is not shown yet may hold further matches. */
  const isDone = (): boolean => matches.progress().done && filter.isDone();

  const stateNow = (): LogSearchState => {
    const cursor = cursorSeq(view.position.getState()) ?? Number.POSITIVE_INFINITY;
    const found = allFound();
    const older = found.rank(cursor);
    const at = found.at(older) === cursor ? cursor : undefined;
    const newer = found.length - older - (at === undefined ? 0 : 1);
    return { query, problem, at, newer, older, looking, missed, done: isDone() };
  };
  const state = createStore<LogSearchState>(stateNow);
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    state.setState(stateNow(), true);
  };

  const clear = (): void => {
    matches.end();
    query = undefined;
    test = undefined;
    shown = undefined;
    looking = undefined;
    beginning = undefined;
  };

  /** The nearest match on one side; `looking` while a nearer one may turn up. */
  const nearest = (
    side: SearchDirection,
    from: number,
    itself: boolean,
  ): number | 'none' | 'looking' => {
    const found = allFound();
    const index = found.rank(from);
    const at = found.at(index) === from ? 1 : 0;
    if (side === 'older') {
      const seq = found.at(itself && at === 1 ? index : index - 1);
      if (!covers(seq ?? Number.NEGATIVE_INFINITY, from)) return 'looking';
      return seq ?? none();
    }
    const seq = found.at(itself ? index : index + at);
    if (!covers(from, seq ?? Number.POSITIVE_INFINITY)) return 'looking';
    return seq ?? none();
  };

  const none = () => (filter.isDone() ? 'none' : 'looking');

  /** Goes where it was meant to go, once that is known. */
  const settle = (): void => {
    const direction = looking;
    // The step counts from the first match, also when whoever waits gives it up as the cursor moves.
    looking = undefined;
    if (beginning !== undefined) begin(beginning);
    if (direction === undefined) return;
    if (beginning !== undefined) looking = direction;
    else if (next(direction) === 'none') missed = direction;
  };

  const begin = ({ from, meanwhile }: NonNullable<typeof beginning>): void => {
    // The reader has gone on.
    if (view.position.getState() !== meanwhile) {
      beginning = undefined;
      return;
    }
    const start = cursorSeq(from) ?? Number.POSITIVE_INFINITY;
    let seq = nearest('older', start, true);
    if (seq === 'none') seq = nearest('newer', start, false);
    if (seq === 'looking') return;
    beginning = undefined;
    if (seq === 'none') view.restore(from);
    else view.goTo(seq);
  };

  const next = (direction: SearchDirection): 'none' | 'moved' | 'looking' => {
    missed = undefined;
    looking = undefined;
    if (test === undefined) return 'none';
    const cursor = cursorSeq(view.position.getState());
    // Who follows the log stands below its newest line.
    if (cursor === undefined && direction === 'newer') return 'none';
    const seq = nearest(direction, cursor ?? Number.POSITIVE_INFINITY, false);
    if (seq === 'looking') looking = direction;
    if (typeof seq === 'string') return seq;
    view.goTo(seq);
    return 'moved';
  };

  const begun = (asked: LineTest): void => {
    matches.start(asked);
    publish();
  };
  const ends = [
    view.position.subscribe(() => {
      if (test !== undefined) publish();
    }),
    filter.onChanged(() => {
      if (test !== undefined) begun(test);
    }),
    filter.state.subscribe(() => {
      const isWaiting = looking !== undefined || beginning !== undefined || !state.getState().done;
      if (test === undefined || !isWaiting || !filter.isDone()) return;
      settle();
      publish();
    }),
  ];

  return {
    state,
    set(asked, from = view.position.getState()) {
      const read = asked === undefined ? undefined : readLineQuery(asked);
      problem = read?.ok === false ? read.error : undefined;
      if (read?.ok === false) {
        publish();
        return;
      }
      clear();
      missed = undefined;
      if (read?.value.asks === true) {
        query = asked;
        test = read.value;
        shown = highlightTest(test, options.guard);
        beginning = { from, meanwhile: view.position.getState() };
        begun(test);
      } else publish();
    },
    next(direction) {
      const result = next(direction);
      publish();
      return result;
    },
    stay() {
      if (looking === undefined) return;
      looking = undefined;
      publish();
    },
    test: () => shown,
    stop() {
      for (const end of ends) end();
      matches.stop();
      cancelPublish?.();
    },
  };
}
