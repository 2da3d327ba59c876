import { type ListOrder, orderedIndexes, type OrderKey, orderText } from './order.ts';

/** Rows in an order. */
export interface OrderedRows<T> {
  readonly rows: readonly T[];
  /** Index of each row in the service's sequence. */
  readonly indexes: readonly number[];
}

/** The sort keys of rows in the sequence of the service; undefined for that sequence itself. */
export type SortKeys = readonly (OrderKey | undefined)[] | undefined;

/**
 * Creates the function that sorts the rows of one list. It starts from the order that the last answer
 * had, because an answer seldom changes an order. The rows are the same array in the sequence of the
 * service.
 */
export function createRowSort<T>(): (
  rows: readonly T[],
  order: ListOrder,
  keys: SortKeys,
) => OrderedRows<T> {
  const lastIndexes = new Map<string, readonly number[]>();
  return (rows, order, keys) => {
    if (keys === undefined) {
      const indexes = Array.from(rows.keys());
      return order.reversed
        ? { rows: rows.toReversed(), indexes: indexes.toReversed() }
        : { rows, indexes };
    }
    const name = orderText(order);
    const indexes = orderedIndexes(keys, order.reversed, lastIndexes.get(name));
    lastIndexes.set(name, indexes);
    return { rows: indexes.flatMap((index) => rows[index] ?? []), indexes };
  };
}

/**
 * Returns the ordered rows that match, the same array where all of them do.
 * @param found their indexes in the service's sequence.
 */
export function matchingRows<T>(
  { rows, indexes }: OrderedRows<T>,
  found: readonly number[],
): readonly T[] {
  if (found.length === rows.length) return rows;
  const matches = new Uint8Array(rows.length);
  for (const index of found) matches[index] = 1;
  return rows.filter((_, at) => matches[indexes[at] ?? at] === 1);
}
