/** The list of a log's filters: adding, switching, inverting and removing them. */
import type { LineFilter } from '../../../tail/query/line-filters.ts';

type Filters = readonly LineFilter[];

/** State of the box that lists the filters of the log. */
export interface FilterListState {
  readonly kind: 'log-filters';
  /** Index of the row under the cursor; it may be beyond the end of a list that has shrunk. */
  readonly index: number;
}

/** Returns the index of the row under the cursor; -1 in an empty list. */
export function filterIndex({ index }: FilterListState, rows: readonly unknown[]): number {
  return Math.min(index, rows.length - 1);
}

/** Returns the filters with one more; an equal one is switched on instead. */
export function withFilter(filters: Filters, added: LineFilter): Filters {
  const isSame = ({ query, isExcluding }: LineFilter) =>
    query.text === added.query.text &&
    query.regex === added.query.regex &&
    isExcluding === added.isExcluding;
  if (!filters.some(isSame)) return [...filters, added];
  return filters.map((one) => (isSame(one) ? { ...one, isOn: true } : one));
}

/** Returns the filters with one replaced; undefined removes it. */
export function withFilterAt(
  filters: Filters,
  index: number,
  change: (filter: LineFilter) => LineFilter | undefined,
): Filters {
  return filters.flatMap((one, at) => (at === index ? (change(one) ?? []) : [one]));
}

/** Returns the filter switched on or off. */
export function toggledFilter(filter: LineFilter): LineFilter {
  return { ...filter, isOn: !filter.isOn };
}

/** Returns the filter that excludes what it included, or the reverse. */
export function invertedFilter(filter: LineFilter): LineFilter {
  return { ...filter, isExcluding: !filter.isExcluding };
}

/** Returns whether a filter is on. */
export function hasActiveFilter(filters: Filters): boolean {
  return filters.some(({ isOn }) => isOn);
}

/** Returns the filters with all of them on or off. */
export function withAll(filters: Filters, isOn: boolean): Filters {
  return filters.map((one) => ({ ...one, isOn }));
}
