import type { RowOrder } from './order.ts';
import { isTelling, overlaps } from './overlap.ts';
import type { LogRow } from '../arena/row.ts';

/** A fit of fewer lines may be chance when they have no ids. */
export const enough = 4;

/** Lines that may have come since, beyond as many as fit: with more of them, the fit is chance. */
const mostBehind = 4;

/** The relation of the newest known lines to the page at offset 0. */
export interface Guess {
  /** The order in which they fit; undefined when the page is not the newest one. */
  readonly order: RowOrder | undefined;
  /** False when there were too few of them, or when they would fit as well by chance. */
  readonly certain: boolean;
  /** They may well fit by chance: in both orders alike, or not at the newest end of the page. */
  readonly chance: boolean;
}

interface Fit {
  /** Lines in common. */
  readonly lines: number;
  /** Lines of the page behind them. */
  readonly behind: number;
}

/**
 * Lays the newest known lines over a page whose rows have neither ids nor times. The page was asked
 * for after they had come: if it is the newest one, it holds them all, near its newest end.
 * @param short the page has fewer rows than asked for, so that the log may well end in it.
 */
export function guessOrder(
  rows: readonly LogRow<unknown>[],
  newest: readonly LogRow<unknown>[],
  short = false,
): Guess {
  const rising = bestFit(rows, newest);
  const falling = bestFit(rows.toReversed(), newest);
  const best = falling !== undefined && isBetter(falling, rising) ? falling : rising;
  if (best === undefined) {
    return { order: undefined, certain: newest.length >= enough, chance: false };
  }
  if (best.behind > best.lines + mostBehind) {
    return { order: undefined, certain: false, chance: false };
  }
  const order = best === rising ? 'ascending' : 'descending';
  const other = best === rising ? falling : rising;
  const isEnough = best.lines >= enough && best.behind <= best.lines;
  const certain = isEnough && (other === undefined || other.behind > 2 * best.behind);
  const told = best === rising ? rows : rows.toReversed();
  const tells =
    short || other === undefined || isTelling(told, rows.length - best.lines, rows.length, true);
  const isExact = best.behind === 0 && other?.behind !== 0;
  return { order, certain, chance: !certain && !(isExact && tells) };
}

/** The order in which known runs of lines stand in a page; undefined when that could be chance. */
export function orderAmong(
  rows: readonly LogRow<unknown>[],
  runs: readonly (readonly LogRow<unknown>[])[],
): RowOrder | undefined {
  const falling = rows.toReversed();
  for (const run of runs) {
    const rises = isIn(rows, run);
    if (rises !== isIn(falling, run)) return rises ? 'ascending' : 'descending';
  }
  return undefined;
}

function isIn(rows: readonly LogRow<unknown>[], run: readonly LogRow<unknown>[]): boolean {
  return overlaps(rows, run).some((at) => isTelling(rows, at, at + run.length));
}

function bestFit(
  rows: readonly LogRow<unknown>[],
  run: readonly LogRow<unknown>[],
): Fit | undefined {
  if (run.length === 0) return undefined;
  // The last line must stand in the page; more lines are known than a short page holds.
  const at = overlaps(rows, run).findLast((start) => start + run.length <= rows.length);
  if (at === undefined) return undefined;
  return { lines: run.length + Math.min(0, at), behind: rows.length - at - run.length };
}

function isBetter(fit: Fit, other: Fit | undefined): boolean {
  return other === undefined || fit.behind < other.behind;
}
