import type { RowOrder } from './order.ts';
import { overlaps } from './overlap.ts';
import type { Row } from './row.ts';

/** So few lines may fit by chance where there are no ids. */
export const enough = 4;

/** Lines that may have come since, beyond as many as fit: with more of them, the fit is chance. */
const mostBehind = 4;

/** What the newest known lines say about the page at offset 0. */
export interface Guess {
  /** The order in which they fit; undefined when the page is not the newest one. */
  readonly order: RowOrder | undefined;
  /** False when there were too few of them, or when they would fit as well by chance. */
  readonly certain: boolean;
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
 */
export function guessOrder(rows: readonly Row<unknown>[], newest: readonly Row<unknown>[]): Guess {
  const rising = bestFit(rows, newest);
  const falling = bestFit(rows.toReversed(), newest);
  const best = falling !== undefined && isBetter(falling, rising) ? falling : rising;
  if (best === undefined) return { order: undefined, certain: newest.length >= enough };
  if (best.behind > best.lines + mostBehind) return { order: undefined, certain: false };
  const order = best === rising ? 'ascending' : 'descending';
  const other = best === rising ? falling : rising;
  const isEnough = best.lines >= enough && best.behind <= best.lines;
  return { order, certain: isEnough && (other === undefined || other.behind > 2 * best.behind) };
}

function bestFit(rows: readonly Row<unknown>[], run: readonly Row<unknown>[]): Fit | undefined {
  if (run.length === 0) return undefined;
  // The last line must stand in the page; more lines are known than a short page holds.
  const at = overlaps(rows, run).findLast((start) => start + run.length <= rows.length);
  if (at === undefined) return undefined;
  return { lines: run.length + Math.min(0, at), behind: rows.length - at - run.length };
}

function isBetter(fit: Fit, other: Fit | undefined): boolean {
  return other === undefined || fit.behind < other.behind;
}
