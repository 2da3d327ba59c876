/** Rule 7: finds the one place at which known lines and a page show the same lines. */
import { type LogRow, rowKey } from '../arena/row.ts';
import { isAgreeing, isPrecise } from './copies.ts';

/** Rows that must agree where times don't tell lines: fewer may repeat other lines. */
const fewestUntold = 8;

/**
 * Returns the index in a page at which known lines begin, negative when they begin before it. All rows
 * that both sides show agree then, and at no other index. Undefined when there is none or several, or
 * when each of these rows stands more than once on one side.
 * @param fewest rows that must agree at least, also where times tell them.
 */
export function alignedAt(
  page: readonly LogRow<unknown>[],
  known: readonly LogRow<unknown>[],
  fewest?: number,
): number | undefined {
  let found: number | undefined;
  for (let begin = 1 - known.length; begin < page.length; begin += 1) {
    if (!isAligned(page, known, begin, fewest)) continue;
    if (found !== undefined) return undefined;
    found = begin;
  }
  if (found === undefined || !isTold(page, known, found)) return undefined;
  return found;
}

/** Returns the rows of two pages, the older one first; undefined when nothing joins them. */
export function joined<Row extends LogRow<unknown>>(
  older: readonly Row[],
  newer: readonly Row[],
): readonly Row[] | undefined {
  const begin = alignedAt(older, newer);
  return begin === undefined ? undefined : [...older.slice(0, Math.max(0, begin)), ...newer];
}

function isAligned(
  page: readonly LogRow<unknown>[],
  known: readonly LogRow<unknown>[],
  begin: number,
  fewest: number | undefined,
): boolean {
  const from = Math.max(0, begin);
  const to = Math.min(page.length, begin + known.length);
  if (to <= from) return false;
  let isClear = false;
  for (let index = to - 1; index >= from; index -= 1) {
    const [row, other] = [page[index], known[index - begin]];
    if (row === undefined || other === undefined || !isAgreeing(other, row)) return false;
    isClear ||= isPrecise(row.timestamp) && isPrecise(other.timestamp);
    isClear ||= row.textId !== undefined && other.textId !== undefined;
  }
  if (fewest !== undefined) return isClear && to - from >= fewest;
  return isClear || to - from >= Math.min(fewestUntold, known.length, page.length);
}

/** Returns whether one of the rows that both sides show stands on each side once. */
function isTold(
  page: readonly LogRow<unknown>[],
  known: readonly LogRow<unknown>[],
  begin: number,
): boolean {
  const [inPage, inKnown] = [countOf(page), countOf(known)];
  const from = Math.max(0, begin);
  return page.slice(from, begin + known.length).some((row, index) => {
    const other = known[from + index - begin];
    const isSingle = other !== undefined && inKnown.get(keyOf(other)) === 1;
    return isSingle && inPage.get(keyOf(row)) === 1;
  });
}

function countOf(rows: readonly LogRow<unknown>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
}

/** A text that several lines have as their id, such as that of a container, tells none of them. */
function keyOf(row: LogRow<unknown>): string {
  return isPrecise(row.timestamp) ? rowKey(row) : (row.textId ?? rowKey(row));
}
