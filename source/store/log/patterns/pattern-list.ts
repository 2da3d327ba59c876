import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogPatterns, SeenPattern } from './log-patterns.ts';
import { firstPatternOrder, type PatternOrder, sortPatterns } from './pattern-order.ts';

export interface PatternListState {
  readonly order: PatternOrder;
  /** Ids of the patterns as they were sorted last. */
  readonly ids: readonly number[];
}

/** The patterns of a log as a list, whose rows move only when it is sorted. */
export class PatternList {
  readonly state: StoreApi<PatternListState>;
  readonly #patterns: Pick<LogPatterns, 'seen'>;

  constructor(patterns: Pick<LogPatterns, 'seen'>) {
    this.#patterns = patterns;
    this.state = createStore<PatternListState>(() => ({ order: firstPatternOrder, ids: [] }));
  }

  /** Returns the patterns as they are now: in the order of the last sort, and new ones behind them. */
  rows(): readonly SeenPattern[] {
    const { ids } = this.state.getState();
    const seen = new Map(this.#patterns.seen().map((one) => [one.id, one]));
    const sorted = ids.flatMap((id) => seen.get(id) ?? []);
    for (const id of ids) seen.delete(id);
    return [...sorted, ...seen.values()];
  }

  setOrder(order: PatternOrder): void {
    const ids = sortPatterns(this.#patterns.seen(), order).map(({ id }) => id);
    const before = this.state.getState();
    if (before.order === order && ids.join() === before.ids.join()) return;
    this.state.setState({ order, ids });
  }

  sort(): void {
    this.setOrder(this.state.getState().order);
  }
}
