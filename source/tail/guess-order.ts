import type { RowOrder } from './order.ts';
import { overlaps } from './overlap.ts';
import { type Row, sameLine } from './row.ts';

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
  /**
   * Whether they fit in this order alone, among them a line that stands in the page once. `if-quiet`:
   * they do if nothing has come since; then they end the newest page, and stand in no other.
   */
  readonly likely: 'yes' | 'if-quiet' | 'no';
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
  if (rising === undefined && falling === undefined) {
    const isMany = newest.length >= enough;
    return { order: undefined, certain: isMany, likely: newest.length > 0 ? 'if-quiet' : 'no' };
  }
  const [rises, falls] = [rising, falling].map((fit) => tells(fit, rows, newest));
  const isOne = rises !== falls;
  const isFalling = isOne ? falls === true : isBetter(falling, rising);
  const best = isFalling ? falling : rising;
  const other = isFalling ? rising : falling;
  const isAtEnd = best?.behind === 0 && (other?.behind ?? 1) > 0;
  const likely: Guess['likely'] = isOne ? 'yes' : rises === true && isAtEnd ? 'if-quiet' : 'no';
  if (best === undefined) return { order: undefined, certain: false, likely: 'no' };
  if (best.behind > best.lines + mostBehind) return { order: undefined, certain: false, likely };
  const isEnough = best.lines >= enough && best.behind <= best.lines;
  const certain = isEnough && (other === undefined || other.behind > 2 * best.behind);
  return { order: isFalling ? 'descending' : 'ascending', certain, likely };
}

/** True when several lines fit, one of which stands in the page once. */
function tells(
  fit: Fit | undefined,
  rows: readonly Row<unknown>[],
  run: readonly Row<unknown>[],
): boolean {
  return fit !== undefined && fit.lines > 1 && hasUnique(rows, run, fit.lines);
}

/** True when one of the last `count` lines of the run stands in the page once. */
function hasUnique(
  rows: readonly Row<unknown>[],
  run: readonly Row<unknown>[],
  count: number,
): boolean {
  return run.slice(-count).some((line) => {
    let found = 0;
    for (const row of rows) if (sameLine(row, line)) found += 1;
    return found === 1;
  });
}

function bestFit(rows: readonly Row<unknown>[], run: readonly Row<unknown>[]): Fit | undefined {
  if (run.length === 0) return undefined;
  // The last line must stand in the page; more lines are known than a short page holds.
  const at = overlaps(rows, run).findLast((start) => start + run.length <= rows.length);
  if (at === undefined) return undefined;
  return { lines: run.length + Math.min(0, at), behind: rows.length - at - run.length };
}

function isBetter(fit: Fit | undefined, other: Fit | undefined): boolean {
  return fit !== undefined && (other === undefined || fit.behind < other.behind);
}
