import { oldestFirst, type Merge } from './merge-state.ts';
import { gapRoom } from './place-page.ts';
import { comparePlaces, type Place, shift } from './place.ts';
import { type Row, sameLine, timeOf } from './row.ts';
import type { Known } from './known.ts';

/** A line this much younger than the last one cannot have a lower id unless ids began anew, in ms. */
const certainlyYounger = 5000;

/**
 * The state for rows whose ids may have begun anew: a service that lost its log counts from 1 again,
 * and its lines must not pass for the old ones of the same number. New places begin behind all
 * places there are. Nothing is assumed of rows without a time.
 */
export function renumbered<Line>(
  state: Merge<Line>,
  rows: readonly Row<Line>[],
  known: Known<Line>,
): Merge<Line> {
  const top = state.spans.at(-1);
  if (top === undefined) return state;
  const end = top.reach ?? top.to;
  const [last] = known.upTo(end, 1);
  const lastTime = last === undefined ? undefined : timeOf(last.row);
  if (last === undefined || lastTime === undefined) return state;
  const begun = rows.filter((row) => {
    const place = placeOf(state, row);
    const time = timeOf(row);
    if (place > end || time === undefined || time < lastTime + certainlyYounger) return false;
    const [same] = known.from(place, 1);
    return same?.place !== place || !sameLine(same.row, { ...row, id: undefined });
  });
  const [first] = begun.map((row) => row.id ?? 0).sort(comparePlaces);
  if (first === undefined) return state;
  const { paging } = state;
  return {
    ...state,
    base: shift(shift(end, gapRoom), -first),
    paging: paging.kind === 'oldest-first' ? oldestFirst(state.pageSize) : paging,
  };
}

export function placeOf(state: Merge<unknown>, row: Row<unknown>): Place {
  return shift(row.id ?? 0, state.base);
}
