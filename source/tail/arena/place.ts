import type { LogId } from '../../contract/logs.ts';

/**
 * The position of a line in its log: its id, or a number assigned when the service sends no ids.
 * Ordered by `<` and equal by `===`, as {@link LogId} is.
 */
export type Place = LogId;

/** Returns the place `by` further on. Digits above 2^53 are exact. */
export function shiftPlace(place: Place, by: Place): Place {
  if (typeof place === 'number' && typeof by === 'number') {
    const moved = place + by;
    if (Number.isSafeInteger(moved)) return moved;
  }
  const moved = BigInt(place) + BigInt(by);
  const safe = Number(moved);
  return Number.isSafeInteger(safe) ? safe : moved;
}

/** Returns true when no line can lie between two places. */
export function isAdjacent(place: Place, other: Place): boolean {
  return shiftPlace(place, 1) === other;
}

export function minPlace(place: Place, other: Place): Place {
  return other < place ? other : place;
}

export function maxPlace(place: Place, other: Place): Place {
  return other > place ? other : place;
}

/** Compares two places for sorting in ascending order. */
export function comparePlaces(left: Place, right: Place): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
