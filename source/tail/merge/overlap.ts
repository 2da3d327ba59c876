import { type LogRow, isSameRow } from '../arena/row.ts';

/**
 * Joins pages of a service whose lines have no ids. A page and a run of known lines are both
 * unbroken pieces of the same log, so where they overlap, *every* line of the overlap must match:
 * that keeps genuine repeats, which a comparison line by line would take for duplicates.
 */

/**
 * All ways to lay `run` over `page` with at least `need` lines in common, or all that the shorter
 * of them has. Each is the index in the page at which the run's first line stands, negative when the
 * run begins before the page.
 */
export function overlaps(
  page: readonly LogRow<unknown>[],
  run: readonly LogRow<unknown>[],
  need = 1,
): readonly number[] {
  const found: number[] = [];
  const least = Math.max(1, Math.min(need, page.length, run.length));
  for (let at = least - run.length; at <= page.length - least; at += 1) {
    if (matches(page, run, at)) found.push(at);
  }
  return found;
}

function matches(
  page: readonly LogRow<unknown>[],
  run: readonly LogRow<unknown>[],
  at: number,
): boolean {
  const end = Math.min(page.length, at + run.length);
  for (let index = Math.max(0, at); index < end; index += 1) {
    const left = page[index];
    const right = run[index - at];
    if (left === undefined || right === undefined || !isSameRow(left, right)) return false;
  }
  return true;
}

/** Bits by which a fit has to be more than chance. */
const certainty = 6;

/**
 * True when lines that fit into a page, from one row to before another, hardly do so by chance: a few
 * that stand in it once are enough, of lines that it is full of it takes many, and no number when it
 * has no others.
 * @param exact nowhere else would they be expected.
 */
export function isTelling(
  page: readonly LogRow<unknown>[],
  from: number,
  to: number,
  exact = false,
): boolean {
  const counts = new Map<string, number>();
  for (const { text } of page) counts.set(text, (counts.get(text) ?? 0) + 1);
  let bits = -certainty - (exact ? 0 : Math.log2(page.length) + 2);
  for (let index = Math.max(0, from); index < to && index < page.length && bits < 0; index += 1) {
    bits += Math.log2(page.length / (counts.get(page[index]?.text ?? '') ?? 1));
  }
  return bits >= 0;
}

/**
 * The overlap nearest to where it was expected. Lines that come or go between the counting and the
 * answer move a known line towards the page's beginning only; one that fits further behind is chance.
 */
export function nearest(found: readonly number[], expected: number): number | undefined {
  return found.findLast((at) => at <= expected);
}

/** The position of a run's last line in a page, found without an expectation. */
export interface Meeting {
  /** Index in the page of the run's last line. */
  readonly last: number;
  /** False when the lines repeat so that they would fit elsewhere as well. */
  readonly certain: boolean;
}

/**
 * Looks for the end of `run` in `page`. A few equal lines may be chance, so at least `need` of them
 * must match, or all there are from the page's first one on when the log begins there. The latest of
 * several fits is returned: it prints no line twice, and says that it is not certain.
 * @param mayBegin whether the run's first line may stand at an index.
 */
export function meet(
  page: readonly LogRow<unknown>[],
  run: readonly LogRow<unknown>[],
  need: number,
  pageBeginsLog: boolean,
  mayBegin: (at: number) => boolean = () => true,
): Meeting | undefined {
  const ends = overlaps(page, run)
    .filter(mayBegin)
    .map((at) => ({ at, last: at + run.length - 1 }))
    .filter(({ last }) => last < page.length)
    .filter(({ at, last }) => {
      const common = last + 1 - Math.max(0, at);
      return common >= Math.min(need, run.length) || (pageBeginsLog && at < 0);
    });
  const telling = ends.filter(({ at, last }) => isTelling(page, at, last + 1));
  const [best, ...others] = (telling.length > 0 ? telling : ends).toReversed();
  return best === undefined ? undefined : { last: best.last, certain: others.length === 0 };
}
