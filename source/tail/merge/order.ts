import { comparePlaces } from '../arena/place.ts';
import { type LogRow, rowTime } from '../arena/row.ts';

/** The order of the rows of one page. */
export type RowOrder = 'ascending' | 'descending';

/**
 * The order of a page's rows, from their ids, else from their times; undefined when neither tells.
 * Times of lines that several services write may cross by a little, so the majority decides.
 */
export function rowOrder(rows: readonly LogRow<unknown>[]): RowOrder | undefined {
  let rising = 0;
  let falling = 0;
  let before: LogRow<unknown> | undefined;
  for (const row of rows) {
    const step = before === undefined ? 0 : (compareAge(before, row) ?? 0);
    if (step < 0) rising += 1;
    else if (step > 0) falling += 1;
    before = row;
  }
  if (rising === falling) return undefined;
  return rising > falling ? 'ascending' : 'descending';
}

/** Negative when `left` is the older line; undefined when neither ids nor times tell. */
export function compareAge(left: LogRow<unknown>, right: LogRow<unknown>): number | undefined {
  if (left.id !== undefined && right.id !== undefined) return comparePlaces(left.id, right.id);
  const first = rowTime(left);
  const second = rowTime(right);
  return first === undefined || second === undefined ? undefined : first - second;
}

/** The rows oldest first. */
export function oldestFirst<Line>(
  rows: readonly LogRow<Line>[],
  order: RowOrder | undefined,
): readonly LogRow<Line>[] {
  return order === 'descending' ? rows.toReversed() : rows;
}
