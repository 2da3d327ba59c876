import { formatGrantAmounts, isLimitReached, type Grant } from '../../store/grants/grants.ts';

/** Decimals of an amount in a list; details have it whole. */
const mostDecimals = 3;

/** Significant digits of a limit that is smaller than these decimals. */
const tinyDigits = 2;

/**
 * What was spent and the limit for a column of `room` cells, `12.5/50`, both rounded down: at most
 * three decimals, and fewer where they do not fit. What is there is never shown as nothing, and a
 * limit that is not reached never as reached: `<50/50`.
 */
export function compactAmounts(grant: Grant, room: number): string {
  const { spent, limit } = formatGrantAmounts(grant);
  const isReached = isLimitReached(grant);
  let text = '';
  for (let decimals = decimalsOf(limit); decimals >= 0; decimals -= 1) {
    text = `${roundedSpent(spent, limit, decimals, isReached)}/${roundedDown(limit, decimals)}`;
    if (text.length <= room || isTiny(limit) || isNothing(limit, decimals - 1)) break;
  }
  return text;
}

function roundedSpent(spent: string, limit: string, decimals: number, isReached: boolean): string {
  const rounded = roundedDown(spent, decimals);
  if (rounded === '0' && spent !== '0') return `<${smallest(decimals)}`;
  return !isReached && rounded === roundedDown(limit, decimals) ? `<${rounded}` : rounded;
}

/** A plain decimal with no more than so many decimals. */
function roundedDown(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const kept = fraction.slice(0, decimals).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

function smallest(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`;
}

function isTiny(limit: string): boolean {
  return isNothing(limit, mostDecimals);
}

/** Whether an amount that is something would be shown as nothing. */
function isNothing(amount: string, decimals: number): boolean {
  return amount !== '0' && roundedDown(amount, decimals) === '0';
}

function decimalsOf(limit: string): number {
  if (!isTiny(limit)) return mostDecimals;
  const fraction = limit.split('.')[1] ?? '';
  return fraction.search(/[1-9]/) + tinyDigits;
}
