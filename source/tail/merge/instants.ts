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

/** Returns the place behind a line of a bucket; undefined when the bucket is full. */
export function placeBehind(
  last: number | undefined,
  start: number,
  size: number,
): number | undefined {
  if (last === undefined || last < start) return start + bucketEdge.line;
  const left = start + size - 1 - last;
  // A range that begins behind a line never touches one that ends there.
  if (left < 2) return undefined;
  return last + (left > size / 2 ? stride : 2);
}

/** The same, with room for lines in between. */
export function placeApart(
  last: number | undefined,
  start: number,
  size: number,
): number | undefined {
  const before = Math.max(last ?? start, start);
  const place = before + Math.floor((start + size - before) / 4);
  return place < before + 2 ? placeBehind(last, start, size) : place;
}

/** Returns `count` places between two others; undefined when there is no room. */
export function placesBetween(
  before: number,
  after: number,
  count: number,
): readonly number[] | undefined {
  const step = (after - before) / (count + 1);
  if (step < 1) return undefined;
  return Array.from({ length: count }, (_, index) => Math.floor(before + step * (index + 1)));
}
