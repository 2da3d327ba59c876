/**
 * Numbers for the entries of a sequence: rising from entry to entry and never changed, so that a
 * cursor or a mark that holds one stays on its entry while lines are put in before and behind.
 */

/**
 * The neighbour that new entries join: further ones will come between them and the other. A gap
 * stands in the middle, so that both its sides can come nearer.
 */
export type Lean = 'older' | 'middle' | 'newer';

/** Left free where a gap opens: more lines than a sequence keeps. */
const room = 2 ** 24;

/** Gaps next to entries, which may be filled later. */
export interface GapSides {
  /** The entries begin behind one. */
  readonly isBehind: boolean;
  /** They end where one begins. */
  readonly isBelow: boolean;
}

export const noGaps: GapSides = { isBehind: false, isBelow: false };

/** `count` rising numbers between two neighbours; undefined when no room is left there. */
export function seqsBetween(
  before: number | undefined,
  after: number | undefined,
  count: number,
  lean: Lean,
  { isBehind, isBelow }: GapSides,
): readonly number[] | undefined {
  if (after === undefined) {
    return counted(before === undefined ? 0 : Math.floor(before) + (isBehind ? room : 1), count);
  }
  const fromEnd = Math.ceil(after) - count;
  if (before === undefined) return counted(fromEnd - (isBelow ? room : 0), count);
  const fromStart = Math.floor(before) + 1;
  if (fromEnd > before && fromStart + count - 1 < after) {
    const middle = Math.floor((fromStart + fromEnd) / 2);
    // Beside a gap, room stays on both sides: for what fills it, and for what is to follow.
    const older = isBehind ? middle : fromStart;
    const newer = isBelow ? middle : fromEnd;
    return counted({ older, middle, newer }[lean], count);
  }
  const even = (after - before) / (count + 1);
  const isEven = isBehind || isBelow || lean === 'middle' || after - before < crowded;
  const step = isEven ? even : even / sparing;
  const start = lean === 'newer' ? after - step * (count + 1) : before;
  return between(before, after, start, step, count) ?? between(before, after, before, even, count);
}

/**
 * Of room that is left, so small a part is taken at the neighbour that is joined: thousands may come
 * there one by one. Where little is left, it is divided evenly.
 */
const sparing = 1024;
const crowded = 1 / sparing;

function between(
  before: number,
  after: number,
  start: number,
  step: number,
  count: number,
): readonly number[] | undefined {
  const numbers = Array.from({ length: count }, (_, index) => start + step * (index + 1));
  return isRising([before, ...numbers, after]) ? numbers : undefined;
}

function counted(start: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => start + index);
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number));
}
