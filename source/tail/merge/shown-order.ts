/** Compares two pages, which tells whether offsets count from the newest line or from the oldest. */
import type { LogRow } from '../arena/row.ts';
import { compareAge } from './page-order.ts';
import type { PageRequest } from './page-request.ts';

/** A page, and its rows with the oldest first. */
export interface ReadPage<Line> {
  readonly request: PageRequest;
  readonly rows: readonly LogRow<Line>[];
}

/** Returns the age of the first page's lines against the second's; undefined when nothing tells. */
export function ageOf(
  rows: readonly LogRow<unknown>[],
  others: readonly LogRow<unknown>[],
): 'older' | 'newer' | 'overlapping' | undefined {
  const oldest = Math.sign(compareAge(rows[0], others[0]) ?? 0);
  const newest = Math.sign(compareAge(rows.at(-1), others.at(-1)) ?? 0);
  if (oldest * newest < 0) return 'overlapping';
  if (oldest + newest === 0) return undefined;
  return oldest + newest > 0 ? 'newer' : 'older';
}

/**
 * Returns the order of pages that a page shows, read after another one: where offsets count from the
 * newest line, none of them ever gets an older line, and one that counts from the oldest line never
 * gets one that is older than those at lower offsets.
 */
export function shownOrder(
  { request, rows }: ReadPage<unknown>,
  before: ReadPage<unknown> | undefined,
): 'newest' | 'oldest' | undefined {
  if (before === undefined || ageOf(rows, before.rows) !== 'older') return undefined;
  const isOldestOlder = (compareAge(rows[0], before.rows[0]) ?? 0) < 0;
  const isNewestOlder = (compareAge(rows.at(-1), before.rows.at(-1)) ?? 0) < 0;
  const begin = request.offset - before.request.offset;
  const end = begin + rows.length - before.rows.length;
  const isNewest = (isOldestOlder && begin >= 0) || (isNewestOlder && end >= 0);
  const isOldest = (isNewestOlder && begin <= 0) || (isOldestOlder && end <= 0);
  if (isNewest === isOldest) return undefined;
  return isNewest ? 'newest' : 'oldest';
}
