import { deriveGrantState, type Grant } from '../../contract/grants.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { expiryTimes } from './grants.ts';
import { grantEnd } from './runway.ts';

/** Spending of all active grants. */
export interface Spending {
  /** Total of the known rates, an hour. */
  readonly rate: number;
  /** Milliseconds until the first grant reaches its limit; undefined if all expire before that. */
  readonly outIn: number | undefined;
}

/**
 * Returns the spending of the active grants; undefined while no rate is known.
 * @param rateAt returns the rate of the grant at an index.
 * @param now ms since the epoch, by the clock of the service.
 */
export function totalSpending(
  rows: readonly DecodedRecord<Grant>[],
  rateAt: (index: number) => number | undefined,
  now: number,
): Spending | undefined {
  let rate: number | undefined;
  let outIn: number | undefined;
  const expiries = expiryTimes(rows);
  for (const [index, { value: grant }] of rows.entries()) {
    const expires = expiries[index] ?? Number.NaN;
    const isActive = deriveGrantState(grant, now, expires) === 'active';
    const own = isActive ? rateAt(index) : undefined;
    if (own === undefined) continue;
    rate = (rate ?? 0) + own;
    const left = Math.max(0, grant.limit - grant.spent);
    const end = grantEnd(left, own, now, expires);
    if (end.by === 'limit' && end.at !== undefined) {
      outIn = Math.min(outIn ?? Number.POSITIVE_INFINITY, end.at - now);
    }
  }
  return rate === undefined ? undefined : { rate, outIn };
}
