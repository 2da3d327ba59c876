import { formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import { amountTexts, type Grant, grantState } from '../../contract/grants.ts';
import type { Read } from '../../client/client.ts';
import { callerWallet, grantDirection } from './grants.ts';

/** What a new deployment would be paid from. */
export interface Payers {
  /** Active grants that the caller has received, soonest to expire first; then its own balance. */
  readonly grants: readonly Grant[];
}

/**
 * Who pays for a deployment of the caller (open points, "Payer of a deployment"); undefined where
 * it cannot be told who the caller is.
 * @param serviceNow ms since the epoch, by the clock of the service.
 */
export function payersOf(
  rows: readonly Read<Grant>[],
  configured: string | undefined,
  serviceNow: number,
): Payers | undefined {
  const caller = callerWallet(rows, configured);
  if (caller === undefined) return undefined;
  const grants = rows
    .map(({ value }) => value)
    .filter((grant) => grantDirection(grant, caller) === 'received')
    .filter((grant) => grantState(grant, serviceNow) === 'active')
    .sort((one, other) => expiryOf(one) - expiryOf(other));
  return { grants };
}

/**
 * What is left of a grant, and its limit, as `24.998 of 25`: rounded down to three decimals, but
 * what is left is never shown as nothing.
 */
export function leftText(grant: Grant): string {
  const { spent, limit } = amountTexts(grant);
  const left = (parseDecimal(limit) ?? 0n) - (parseDecimal(spent) ?? 0n);
  // Finer than can be counted, or spent beyond its limit.
  if (left <= 0n) return `${spent} of ${limit} spent`;
  const rounded = left - (left % thousandth);
  return `${rounded === 0n ? '<0.001' : formatDecimal(rounded)} of ${limit} left`;
}

const thousandth = 10n ** 15n;

/** One whose end cannot be read comes last. */
function expiryOf({ expires_at: at }: Grant): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? Number.MAX_VALUE : time;
}
