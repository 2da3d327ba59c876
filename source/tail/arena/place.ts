import type { LogId } from '../../contract/logs.ts';

/**
 * Where a line stands in its log: the line's id, or a number it was given because lines of this
 * service have none. Ordered by `<` and equal by `===`, as {@link LogId} is.
 */
export type Place = LogId;

/** The place `by` further; digits above 2^53 are kept. */
export function shift(place: Place, by: Place): Place {
  if (typeof place === 'number' && typeof by === 'number') {
    const moved = place + by;
    if (Number.isSafeInteger(moved)) return moved;
  }
  const moved = BigInt(place) + BigInt(by);
  const small = Number(moved);
  return Number.isSafeInteger(small) ? small : moved;
}

/** True when no line can stand between the two. */
export function isNext(place: Place, other: Place): boolean {
  return shift(place, 1) === other;
}

export function lowest(place: Place, other: Place): Place {
  return other < place ? other : place;
}

export function highest(place: Place, other: Place): Place {
  return other > place ? other : place;
}

export function comparePlaces(left: Place, right: Place): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
