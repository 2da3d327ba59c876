/** Lists of filters under names, for the logs of all deployments. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LineFilter } from '../../../tail/query/line-filters.ts';

export interface NamedFilters {
  readonly name: string;
  readonly filters: readonly LineFilter[];
}

export interface FilterLists {
  /** The lists by their names. */
  readonly state: StoreApi<readonly NamedFilters[]>;
  /** Stores a list, in place of the one of the same name. */
  save(list: NamedFilters): void;
  remove(name: string): void;
  /** Reads the lists again, because another console may have changed them. */
  refresh(): void;
}

/** Most lists that are stored; the longest name. */
const mostLists = 100;
export const longestListName = 40;

/**
 * @param read returns the stored lists, which another console may have changed; undefined without any.
 * @param keep stores the lists, also for later starts.
 */
export function createFilterLists(
  read: () => readonly NamedFilters[] | undefined,
  keep: (lists: readonly NamedFilters[]) => void,
): FilterLists {
  const state = createStore<readonly NamedFilters[]>(() => ordered(read() ?? []));
  const others = (name: string) =>
    (read() ?? state.getState()).filter((list) => list.name !== name);
  const set = (lists: readonly NamedFilters[]): void => {
    state.setState(ordered(lists), true);
    keep(state.getState());
  };
  return {
    state,
    save: (list) => set([...others(list.name), list].slice(-mostLists)),
    remove: (name) => set(others(name)),
    refresh() {
      const stored = read();
      if (stored !== undefined) state.setState(ordered(stored), true);
    },
  };
}

function ordered(lists: readonly NamedFilters[]): readonly NamedFilters[] {
  return lists.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** A row of the box: a filter of the log, or a named list below them. */
export type FilterRow =
  | { readonly kind: 'filter'; readonly index: number; readonly filter: LineFilter }
  | { readonly kind: 'list'; readonly list: NamedFilters };

/** Returns the rows of the box. */
export function filterRows(
  filters: readonly LineFilter[],
  lists: readonly NamedFilters[],
): readonly FilterRow[] {
  return [
    ...filters.map((filter, index) => ({ kind: 'filter', index, filter }) as const),
    ...lists.map((list) => ({ kind: 'list', list }) as const),
  ];
}
