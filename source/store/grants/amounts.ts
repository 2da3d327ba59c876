import { formatGrantAmounts, isLimitReached, type Grant } from '../../contract/grants.ts';

/** Decimals of an amount in a list; details show it in full. */
const maxDecimals = 3;

/** Significant digits of a limit that needs more decimals. */
const tinyDigits = 2;

/**
 * Returns the spent amount and the limit for a column of `room` cells, `12.5/50`, rounded down to at
 * most three decimals, or fewer where they do not fit. A positive amount is never shown as 0, and a
 * limit that is not reached never as reached: `<50/50`.
 */
export function compactAmounts(grant: Grant, room: number): string {
  const { spent, limit } = formatGrantAmounts(grant);
  const isReached = isLimitReached(grant);
  let text = '';
  for (let decimals = decimalsOf(limit); decimals >= 0; decimals -= 1) {
    text = `${roundedSpent(spent, limit, decimals, isReached)}/${roundedDown(limit, decimals)}`;
    if (text.length <= room || isTiny(limit) || roundsToZero(limit, decimals - 1)) break;
  }
  return text;
}

/** Returns both amounts rounded down to at most three decimals, as {@link compactAmounts} has them. */
export function roundedAmounts(grant: Grant): { readonly spent: string; readonly limit: string } {
  const [spent = '', limit = ''] = compactAmounts(grant, Number.POSITIVE_INFINITY).split('/');
  return { spent, limit };
}

function roundedSpent(spent: string, limit: string, decimals: number, isReached: boolean): string {
  const rounded = roundedDown(spent, decimals);
  if (rounded === '0' && spent !== '0') return `<${smallest(decimals)}`;
  return !isReached && rounded === roundedDown(limit, decimals) ? `<${rounded}` : rounded;
}

/** Returns a decimal number, rounded down to a number of decimals. */
function roundedDown(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const rounded = fraction.slice(0, decimals).replace(/0+$/, '');
  return rounded === '' ? whole : `${whole}.${rounded}`;
}

function smallest(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`;
}

function isTiny(limit: string): boolean {
  return roundsToZero(limit, maxDecimals);
}

/** Returns whether a positive amount would be shown as 0. */
function roundsToZero(amount: string, decimals: number): boolean {
  return amount !== '0' && roundedDown(amount, decimals) === '0';
}

function decimalsOf(limit: string): number {
  if (!isTiny(limit)) return maxDecimals;
  const fraction = limit.split('.')[1] ?? '';
  return fraction.search(/[1-9]/) + tinyDigits;
}
