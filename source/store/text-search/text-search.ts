/** The search in the text of a view: its lines are scanned in slices, between keys. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  type LineMatcher,
  type LineQuery,
  parseTextQuery,
  type QueryProblem,
  type TextSpan,
} from '../../tail/query/log-query.ts';
import { highlightTest } from '../log/reader/highlight.ts';
import { type Clock, guardOf } from '../time/clock.ts';
import { nearestMatch, sliceEnd, stepMatch } from './line-matches.ts';

export interface TextSearchState {
  readonly query: LineQuery | undefined;
  /** Reason why the last query was rejected; the query before it stays active. */
  readonly problem: QueryProblem | undefined;
  /** Indices of the lines that match, in order. */
  readonly matches: readonly number[];
  /** True when all lines were scanned. */
  readonly isDone: boolean;
  /** Line of the current match, or a line that the reader has chosen; undefined without either. */
  readonly at: number | undefined;
  /** Number of jumps to a match; a view scrolls to `at` when it changes. */
  readonly jumps: number;
}

/** Direction of a step: towards the end or the beginning of the text. */
export type TextDirection = 'next' | 'previous';

export interface TextSearch {
  readonly state: Pick<StoreApi<TextSearchState>, 'getState' | 'getInitialState' | 'subscribe'>;
  /** Sets the searched lines and the first visible one; the same lines are not scanned again. */
  show(lines: readonly string[], from: number): void;
  /** Chooses a line: searches and steps start from it. */
  choose(line: number): void;
  /** Returns the line that a search starts from: the chosen one, else the first visible one. */
  from(): number;
  /** Sets the query and jumps to its first match behind a line; undefined ends the search. */
  setQuery(query: LineQuery | undefined, start?: number): void;
  /** Jumps to the next match, from the last one to the first; false without a match. */
  step(direction: TextDirection): boolean;
  /** Returns the ranges of a text that match. */
  spans(text: string): readonly TextSpan[];
}

/** Milliseconds that an expensive expression may take for a slice. */
const timeLimit = 250;

const noSearch: Omit<TextSearchState, 'jumps'> = {
  query: undefined,
  problem: undefined,
  matches: [],
  isDone: true,
  at: undefined,
};

export function createTextSearch(clock: Clock): TextSearch {
  const state = createStore<TextSearchState>(() => ({ ...noSearch, jumps: 0 }));
  const guard = guardOf(clock);
  let lines: readonly string[] = [];
  let from = 0;
  /** The line that the reader has chosen, until the text scrolls or a search leaves it. */
  let chosen: number | undefined;
  /** Line behind which the query jumps to a match. */
  let origin = 0;
  let test: LineMatcher | undefined;
  let highlight: LineMatcher | undefined;
  let cancel = (): void => {};
  /** True until the query has jumped to its first match. */
  let jumpsToFirst = false;

  function scan(matches: readonly number[], start: number): void {
    const matcher = test;
    if (matcher === undefined) return;
    const end = sliceEnd(lines, start);
    const find = () => {
      const found: number[] = [];
      for (let index = start; index < end; index += 1) {
        if (matcher.matches(lines[index] ?? '', undefined)) found.push(index);
      }
      return found;
    };
    const run = matcher.isCheap ? { ok: true as const, value: find() } : guard(find, timeLimit);
    if (!run.ok) return reject({ sentence: 'This pattern takes too long.', next: 'Simplify it.' });
    const all = run.value.length === 0 ? matches : matches.concat(run.value);
    const isDone = end >= lines.length;
    publish(all, isDone);
    if (!isDone) cancel = clock.after(0, () => scan(all, end));
  }

  function reject(problem: QueryProblem): void {
    test = undefined;
    highlight = undefined;
    state.setState({ ...noSearch, problem });
  }

  /** Publishes the matches, and jumps to the first one behind the reader as soon as it is known. */
  function publish(matches: readonly number[], isDone: boolean): void {
    const { at, jumps } = state.getState();
    const first = jumpsToFirst ? nearestMatch(matches, origin, isDone) : undefined;
    if (first !== undefined) jumpsToFirst = false;
    const kept = isDone && at !== undefined && !matches.includes(at) ? undefined : at;
    state.setState({
      matches,
      isDone,
      at: first ?? kept,
      jumps: jumps + (first === undefined ? 0 : 1),
    });
  }

  return {
    state,
    show(next, top) {
      if (top !== from) chosen = undefined;
      from = top;
      const isSame =
        next === lines ||
        (next.length === lines.length && next.every((line, index) => line === lines[index]));
      lines = next;
      if (isSame) return;
      chosen = undefined;
      if (test === undefined) return state.setState({ at: undefined });
      cancel();
      scan([], 0);
    },
    choose(line) {
      chosen = line;
      jumpsToFirst = false;
      state.setState({ at: line });
    },
    from: () => chosen ?? from,
    setQuery(query, start = chosen ?? from) {
      const before = state.getState();
      if (query === undefined && before.query === undefined && before.problem === undefined) return;
      const parsed = query === undefined ? undefined : parseTextQuery(query);
      if (parsed?.ok === false) return state.setState({ problem: parsed.error });
      cancel();
      origin = start;
      test = parsed?.value;
      highlight = test === undefined ? undefined : highlightTest(test, guard);
      jumpsToFirst = test !== undefined;
      state.setState({ ...noSearch, query, isDone: test === undefined });
      scan([], 0);
    },
    step(direction) {
      const { matches, at, jumps } = state.getState();
      const next = stepMatch(matches, at ?? from, direction);
      if (next === undefined) return false;
      state.setState({ at: next, jumps: jumps + 1 });
      return true;
    },
    spans: (text) => highlight?.spans(text) ?? [],
  };
}
