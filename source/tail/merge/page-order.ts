import { comparePlaces } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import { instantOf } from './instants.ts';

/** The order of the rows of one page. */
export type RowOrder = 'ascending' | 'descending';

/**
 * Returns the order of a page's rows, from their times, else from their ids; undefined when neither
 * tells. Times of lines that several services write may cross by a little, so the majority decides.
 */
export function rowOrder(rows: readonly LogRow<unknown>[]): RowOrder | undefined {
  const times = rows.map((row) => instantOf(row)?.time);
  return majority(times, (left, right) => left - right) ?? majority(idsOf(rows), comparePlaces);
}

function idsOf(rows: readonly LogRow<unknown>[]) {
  return rows.map(({ id }) => id);
}

function majority<Value>(
  values: readonly (Value | undefined)[],
  compare: (left: Value, right: Value) => number,
): RowOrder | undefined {
  let balance = 0;
  let before: Value | undefined;
  for (const value of values) {
    if (value === undefined) continue;
    if (before !== undefined) balance += Math.sign(compare(value, before));
    before = value;
  }
  if (balance === 0) return undefined;
  return balance > 0 ? 'ascending' : 'descending';
}

/** Returns a negative number when `left` is the older line; undefined when nothing tells. */
export function compareAge(
  left: LogRow<unknown> | undefined,
  right: LogRow<unknown> | undefined,
): number | undefined {
  if (left === undefined || right === undefined) return undefined;
  const first = instantOf(left)?.time;
  const second = instantOf(right)?.time;
  if (first !== undefined && second !== undefined && first !== second) return first - second;
  // Services may count their ids apart.
  if (left.id === undefined || right.id === undefined || left.service !== right.service)
    return undefined;
  return comparePlaces(left.id, right.id);
}
