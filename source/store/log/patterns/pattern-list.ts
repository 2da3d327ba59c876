import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogPatterns, SeenPattern } from './log-patterns.ts';
import { firstPatternOrder, type PatternOrder, sortPatterns } from './pattern-order.ts';

export interface PatternListState {
  readonly order: PatternOrder;
  /** Ids of the patterns as they were sorted last. */
  readonly ids: readonly number[];
}

/** The patterns of a log as a list, whose rows move only when it is sorted. */
export interface PatternList {
  readonly state: StoreApi<PatternListState>;
  /** Returns the patterns as they are now: in the order of the last sort, and new ones behind them. */
  rows(): readonly SeenPattern[];
  setOrder(order: PatternOrder): void;
  sort(): void;
}

export function createPatternList(patterns: Pick<LogPatterns, 'seen'>): PatternList {
  const state = createStore<PatternListState>(() => ({ order: firstPatternOrder, ids: [] }));
  const sortBy = (order: PatternOrder): void => {
    const ids = sortPatterns(patterns.seen(), order).map(({ id }) => id);
    const before = state.getState();
    if (before.order === order && ids.join() === before.ids.join()) return;
    state.setState({ order, ids });
  };
  return {
    state,
    rows() {
      const { ids } = state.getState();
      const seen = new Map(patterns.seen().map((one) => [one.id, one]));
      const sorted = ids.flatMap((id) => seen.get(id) ?? []);
      for (const id of ids) seen.delete(id);
      return [...sorted, ...seen.values()];
    },
    setOrder: sortBy,
    sort: () => sortBy(state.getState().order),
  };
}
