import { pagesOldestFirst, type MergeState } from './merge-state.ts';
import { gapRoom } from './place-page.ts';
import { comparePlaces, type Place, shiftPlace } from '../arena/place.ts';
import { type LogRow, isSameRow, rowTime } from '../arena/row.ts';
import type { Known } from './known.ts';

/** Lines this much younger than the last one cannot have lower ids unless ids began anew, in ms. */
const certainlyYounger = 5000;

/**
 * The state for rows whose ids may have begun anew: a service that lost its log counts from 1 again,
 * and its lines must not pass for the old ones of the same number. New places begin behind all
 * places there are. Only rows that are all younger than anything known are taken for such: single
 * times may be wrong.
 */
export function renumbered<Line>(
  state: MergeState<Line>,
  rows: readonly LogRow<Line>[],
  known: Known<Line>,
): MergeState<Line> {
  const top = state.spans.at(-1);
  if (top === undefined) return state;
  const end = top.reach ?? top.to;
  const again = rows.filter((row) => placeOf(state, row) <= end);
  if (again.length === 0 || again.some((row) => isKnown(row, placeOf(state, row), known))) {
    return state;
  }
  const [last] = known.upTo(end, 1);
  const lastTime = (last && rowTime(last.row)) ?? Number.POSITIVE_INFINITY;
  const isYounger = (row: LogRow<Line>): boolean =>
    (rowTime(row) ?? 0) >= lastTime + certainlyYounger;
  if (!rows.every(isYounger)) return state;
  const [first = 0] = rows.map((row) => row.id ?? 0).sort(comparePlaces);
  const { paging } = state;
  return {
    ...state,
    base: shiftPlace(shiftPlace(end, gapRoom), -first),
    paging: paging.kind === 'oldest-first' ? pagesOldestFirst(state.pageSize) : paging,
  };
}

function isKnown<Line>(row: LogRow<Line>, place: Place, known: Known<Line>): boolean {
  const [same] = known.from(place, 1);
  return same?.place === place && isSameRow(same.row, { ...row, id: undefined });
}

export function placeOf(state: MergeState<unknown>, row: LogRow<unknown>): Place {
  return shiftPlace(row.id ?? 0, state.base);
}
