/** Time slots of a histogram: all have the same width, and begin at multiples of it. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Widths that a person can name, in ms. Narrower slots would change the screen too often. */
const widths = [
  5 * second,
  10 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
  7 * day,
  30 * day,
  365 * day,
];

export interface Slots {
  /** Start of the first slot, in ms since the epoch. */
  readonly from: number;
  /** Milliseconds of a slot. */
  readonly width: number;
  readonly count: number;
}

/**
 * Returns the narrowest slots that cover the times from `first` to `last` in at most `most` slots.
 * @param isOpen true when the slot of `last` is not over: it is left out, unless it is the only one.
 */
export function slotsBetween(first: number, last: number, most: number, isOpen: boolean): Slots {
  const countOf = (width: number): number => {
    const whole = Math.floor(last / width) - Math.floor(first / width);
    return Math.max(1, isOpen ? whole : whole + 1);
  };
  let width = widths.find((one) => countOf(one) <= most) ?? 365 * day;
  while (countOf(width) > Math.max(1, most)) width *= 2;
  return { from: Math.floor(first / width) * width, width, count: countOf(width) };
}

/** Returns the times at which the slots begin, and the one at which the last of them ends. */
export function slotTimes({ from, width, count }: Slots): readonly number[] {
  return Array.from({ length: count + 1 }, (_, index) => from + index * width);
}
