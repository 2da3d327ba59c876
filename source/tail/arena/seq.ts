/**
 * Allocates the `seq` numbers of a sequence's entries. They rise from entry to entry and never
 * change, so that a cursor or mark stays on its entry while lines are inserted around it.
 */

/**
 * The neighbour next to which entries are inserted; later ones go between them and the other.
 * `middle` is for a gap, which may narrow from both sides.
 */
export type InsertSide = 'older' | 'middle' | 'newer';

/** Numbers left free for a gap: more than the lines that a sequence holds. */
const gapRange = 2 ** 24;

/** The gaps next to inserted entries, which may be filled later. */
export interface GapSides {
  /** True when a gap precedes the entries. */
  readonly hasGapBefore: boolean;
  /** True when a gap follows the entries. */
  readonly hasGapAfter: boolean;
}

export const noGaps: GapSides = { hasGapBefore: false, hasGapAfter: false };

/** Returns `count` rising numbers between two neighbours; undefined when too few are left. */
export function allocateSeqs(
  before: number | undefined,
  after: number | undefined,
  count: number,
  lean: InsertSide,
  { hasGapBefore, hasGapAfter }: GapSides,
): readonly number[] | undefined {
  if (after === undefined) {
    return consecutive(
      before === undefined ? 0 : Math.floor(before) + (hasGapBefore ? gapRange : 1),
      count,
    );
  }
  const fromEnd = Math.ceil(after) - count;
  if (before === undefined) return consecutive(fromEnd - (hasGapAfter ? gapRange : 0), count);
  const fromStart = Math.floor(before) + 1;
  if (fromEnd > before && fromStart + count - 1 < after) {
    const middle = Math.floor((fromStart + fromEnd) / 2);
    // Next to a gap, numbers stay free on both sides of the entries.
    const older = hasGapBefore ? middle : fromStart;
    const newer = hasGapAfter ? middle : fromEnd;
    return consecutive({ older, middle, newer }[lean], count);
  }
  const evenStep = (after - before) / (count + 1);
  const isEven = hasGapBefore || hasGapAfter || lean === 'middle' || after - before < minRange;
  const step = isEven ? evenStep : evenStep / sharesPerStep;
  const start = lean === 'newer' ? after - step * (count + 1) : before;
  return (
    spread(before, after, start, step, count) ?? spread(before, after, before, evenStep, count)
  );
}

/**
 * The share of the free range used next to the joined neighbour, since thousands of entries may
 * follow one by one. A smaller range is divided evenly.
 */
const sharesPerStep = 1024;
const minRange = 1 / sharesPerStep;

function spread(
  before: number,
  after: number,
  start: number,
  step: number,
  count: number,
): readonly number[] | undefined {
  const numbers = Array.from({ length: count }, (_, index) => start + step * (index + 1));
  return isRising([before, ...numbers, after]) ? numbers : undefined;
}

function consecutive(start: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => start + index);
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? number));
}
