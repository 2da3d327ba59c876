import { comparePlaces, type Place } from '../arena/place.ts';
import { type LogRow, type PlacedRow, rowTime } from '../arena/row.ts';
import { mostDigits } from './instants.ts';
import type { MergedLog } from '../arena/change.ts';
import type { ShownFields } from './shown-fields.ts';

/** A line this much younger than the newest one cannot have a lower id, ms. */
const certainlyYounger = 5000;

/**
 * Returns the rows by their ids, in rising order and each once, with a note of those that are known.
 * Undefined when the ids do not tell the lines apart or do not rise with them: when an id belongs to
 * another line too, or the service has begun to count anew.
 */
export function placeById<Line>(
  rows: readonly LogRow<Line>[],
  log: MergedLog<Line>,
  fields: ShownFields,
  newest: Place | undefined,
): readonly (PlacedRow<Line> & { readonly isKnown: boolean })[] | undefined {
  const placed = rows
    .map((row) => ({ place: row.id ?? 0, row }))
    .sort((left, right) => comparePlaces(left.place, right.place));
  const result: (PlacedRow<Line> & { isKnown: boolean })[] = [];
  for (const { place, row } of placed) {
    const before = result.at(-1);
    if (before?.place === place) {
      if (!fields.isSame(before.row, row)) return undefined;
      continue;
    }
    if (newest === undefined || place > newest) {
      result.push({ place, row, isKnown: false });
      continue;
    }
    const [same] = log.from(place, 1);
    const isKnown = same?.place === place;
    if (isKnown && !fields.isSame(same.row, row)) return undefined;
    result.push({ place, row, isKnown });
  }
  const isNew = result.filter(({ isKnown }) => !isKnown);
  return beginsAnew(isNew, log, newest) ? undefined : result;
}

/** Returns true when lines with lower ids are younger than the newest line. */
function beginsAnew<Line>(
  placed: readonly PlacedRow<Line>[],
  log: MergedLog<Line>,
  newest: Place | undefined,
): boolean {
  const lower = newest === undefined ? [] : placed.filter(({ place }) => place < newest);
  if (newest === undefined || lower.length === 0) return false;
  const [last] = log.upTo(newest, 1);
  const time = last && rowTime(last.row);
  if (time === undefined) return false;
  return lower.every(({ row }) => (rowTime(row) ?? 0) >= time + certainlyYounger);
}

/**
 * Returns whether lines of a stream, in the order in which they came, show that each service counts
 * its own ids: a line with a lower id than one of another service is the younger of the two.
 *
 * @param isFirst true when the connection begins with them and no page has been had: its first line is
 * taken for the younger one of two with the same time.
 */
export function countsPerService<Line>(
  rows: readonly LogRow<Line>[],
  log: MergedLog<Line>,
  fields: ShownFields,
  isFirst: boolean,
): boolean {
  let highest = log.upTo(Number.POSITIVE_INFINITY, 1)[0]?.row;
  for (const [index, row] of rows.entries()) {
    const id = row.id ?? 0;
    if (id >= (highest?.id ?? Number.NEGATIVE_INFINITY)) {
      highest = row;
      continue;
    }
    const [next] = log.from(id, 1);
    if (next?.place === id) continue;
    const least = isFirst && index === 0 ? 0 : 1;
    for (const other of [highest, next?.row])
      if (row.service !== other?.service && ageAgainst(row, other, fields) >= least) return true;
  }
  return false;
}

/**
 * Returns the age of a line against another one, in units of the coarser precision; above 0 when it is
 * the younger one, below 0 also when that is unknown.
 */
function ageAgainst(
  row: LogRow<unknown>,
  other: LogRow<unknown> | undefined,
  { digits }: ShownFields,
): number {
  const time = rowTime(row);
  const otherTime = other && rowTime(other);
  if (time === undefined || otherTime === undefined) return -1;
  const unit = 10 ** (mostDigits - digits);
  return Math.floor(time / unit) - Math.floor(otherTime / unit);
}

/**
 * Returns whether the rows of a page, oldest first, have rising ids. A page is an unbroken part of
 * the log, so another order means that the ids are not the order of the lines.
 */
export function haveRisingIds(rows: readonly LogRow<unknown>[]): boolean {
  return rows.every(({ id }, index) => {
    const before = rows[index - 1]?.id;
    return before === undefined || id === undefined || id >= before;
  });
}
