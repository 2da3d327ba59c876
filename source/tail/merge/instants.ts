import { type LogRow, leadingTimeOf } from '../arena/row.ts';

/**
 * The instants of lines as places. Lines of one instant share a bucket of places, and buckets rise
 * with time, so that a place tells its instant and leaves room for lines that come late.
 */

/** Start of the places, ms since the epoch: 2020-09-13. A multiple of every bucket's length. */
const origin = 1_600_000_000_000;

/** Places in a millisecond. With it, the years 1986 to 2055 stay below 2^53. */
const slots = 8192;
const farthest = 2 ** 40 - 2 ** 30;

/** Digits of a second that are compared; finer ones only order nothing. */
export const mostDigits = 3;

/** An instant in ms since the epoch, and the digits of its second that were written. */
export interface Instant {
  readonly time: number;
  readonly digits: number;
}

const fraction = /:\d\d[.,](\d+)/;

/** Returns the instant of a row; undefined when it shows none that places can express. */
export function instantOf({ timestamp, text }: LogRow<unknown>): Instant | undefined {
  const written = timestamp ?? leadingTimeOf(text);
  if (written === undefined) return undefined;
  const time = Date.parse(written);
  if (!(Math.abs(time - origin) < farthest)) return undefined;
  const digits = fraction.exec(written)?.[1]?.length ?? 0;
  return { time: Math.floor(time), digits: Math.min(mostDigits, digits) };
}

/** Length of a bucket in places, for instants with so many digits of a second. */
export function bucketSize(digits: number): number {
  return slots * 10 ** (mostDigits - digits);
}

/** Returns the first place of the bucket of an instant. */
export function bucketAt(time: number, size: number): number {
  return bucketOf((time - origin) * slots, size);
}

/** Returns the first place of the bucket that a place lies in. */
export function bucketOf(place: number, size: number): number {
  return Math.floor(place / size) * size;
}

/** Places left free between lines that arrive one behind the other, while a bucket has room. */
const stride = 4;

/**
 * Places of a bucket before its first line. A range that may lack the first lines of an instant
 * begins behind them, and one that may lack the last lines ends among them, so that both are apart.
 */
export const bucketEdge = { end: 1, start: 3, line: 4 };

/**
 * Returns the place behind a line of a bucket; undefined when the bucket is full.
 *
 * @param isApart true to leave room for other lines in between.
 */
export function placeBehind(
  last: number | undefined,
  start: number,
  size: number,
  isApart = false,
): number | undefined {
  const before = Math.max(last ?? start, start);
  const left = start + size - before;
  if (isApart && left > 2 * stride) return before + Math.floor(left / 4);
  if (before === start) return start + bucketEdge.line;
  // A range that begins behind a line never touches one that ends there.
  if (left < stride) return undefined;
  return before + (left > size / 2 ? stride : 2);
}

/**
 * Returns rising places for all lines of a bucket, keeping those that have one; undefined when there
 * is no room between these.
 *
 * @param isApart true to leave room for other lines before those at the end.
 */
export function placesOf(
  kept: readonly (number | undefined)[],
  start: number,
  size: number,
  isApart: boolean,
): readonly number[] | undefined {
  const places: number[] = [];
  while (places.length < kept.length) {
    let next = places.length;
    while (next < kept.length && kept[next] === undefined) next += 1;
    const count = next - places.length;
    const last = places.at(-1);
    const isEnd = next === kept.length;
    const first = isEnd ? placeBehind(last, start, size, isApart) : undefined;
    const before = first === undefined ? (last ?? start + bucketEdge.start) : first - stride;
    // Room is left behind the last line for others that are to come.
    const after = kept[next] ?? Math.min(start + size, before + stride * (count + 1));
    const step = (after - before) / (count + 1);
    if (step < 1) return undefined;
    for (let index = 1; index <= count; index += 1) places.push(before + Math.floor(step * index));
    if (!isEnd) places.push(after);
  }
  return places;
}
