import { formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import { formatGrantAmounts, type Grant, deriveGrantState } from '../../contract/grants.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { callerWallet, grantDirection } from './grants.ts';

/** Sources that would pay for a new deployment. */
export interface Payers {
  /** Active grants that the caller has received, soonest to expire first; then its own balance. */
  readonly grants: readonly Grant[];
}

/**
 * Returns who pays for a deployment of the caller; undefined
 * if the caller is unknown.
 * @param serviceNow ms since the epoch, by the clock of the service.
 */
export function payersOf(
  rows: readonly DecodedRecord<Grant>[],
  configured: string | undefined,
  serviceNow: number,
): Payers | undefined {
  const caller = callerWallet(rows, configured);
  if (caller === undefined) return undefined;
  const grants = rows
    .map(({ value }) => value)
    .filter((grant) => grantDirection(grant, caller) === 'received')
    .filter((grant) => deriveGrantState(grant, serviceNow) === 'active')
    .sort((one, other) => expiryOf(one) - expiryOf(other));
  return { grants };
}

/**
 * Formats the remaining amount of a grant as `24.998 left`, rounded down to three decimals. A
 * remaining amount above 0 is never shown as 0.
 */
export function remainingText(grant: Grant): string {
  const { spent, limit } = formatGrantAmounts(grant);
  const left = (parseDecimal(limit) ?? 0n) - (parseDecimal(spent) ?? 0n);
  // The rest is below the smallest unit, or the limit was exceeded.
  if (left <= 0n) return `${spent} of ${limit} spent`;
  const rounded = left - (left % smallestUnit);
  return `${rounded === 0n ? '<0.001' : formatDecimal(rounded)} left`;
}

const smallestUnit = 10n ** 15n;

/** Returns the expiry of a grant; an invalid one sorts last. */
function expiryOf({ expires_at: at }: Grant): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? Number.MAX_VALUE : time;
}
