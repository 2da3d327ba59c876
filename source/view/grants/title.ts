import type { Spending } from '../../store/grants/spending.ts';
import { formatAge } from '../../store/time/age.ts';
import { formatRate } from '../text/amount.ts';
import { type Line, span } from '../text/line.ts';

/** Returns what all grants spend an hour, and when the first runs out: `2.16/h, out in 11h`. */
export function spendingLine(spending: Spending | undefined): Line {
  if (spending === undefined) return [];
  const rate = span(`${formatRate(spending.rate)}/h`);
  if (spending.outIn === undefined) return [rate];
  return [rate, span(', '), span(`out in ${formatAge(spending.outIn)}`, 'busy')];
}
