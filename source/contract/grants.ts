import { amountDigits, isAtLeast, plainDecimal } from './amount.ts';

/** A spend grant (contract, part 2). Amounts are decimals; fields are snake_case as shown there. */
export interface Grant {
  readonly id: string;
  readonly grantor: string;
  readonly grantee: string;
  readonly limit: number;
  readonly spent: number;
  /** Plain decimals, where the numbers do not carry all digits that the service sent. */
  readonly limit_digits?: string | undefined;
  readonly spent_digits?: string | undefined;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  /** Set by services that keep revoked grants in the list. */
  readonly revoked_at?: string | undefined;
  /** A state word of the service's own, when it gives one. */
  readonly status?: string | undefined;
}

/** Body of "create grant". */
export interface GrantRequest {
  readonly grantee: string;
  /** Decimal digits, `50` or `0.1`: in JSON a number of exactly these, which a double may not be. */
  readonly limit: string;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** The conditions of contract part 3; derived, never stored. */
export type GrantState = 'active' | 'revoked' | 'expired' | 'limit reached';

/**
 * State of a grant at `now` (ms since the epoch, by the clock of the service).
 * Revocation outranks expiry, which outranks an exhausted limit: the earlier in that order, the
 * less the grantee could do about it.
 */
export function grantState(grant: Grant, now: number): GrantState {
  if (grant.revoked_at !== undefined || grant.status?.toLowerCase() === 'revoked') return 'revoked';
  const expires = Date.parse(grant.expires_at);
  if (!Number.isNaN(expires) && now >= expires) return 'expired';
  if (isLimitReached(grant)) return 'limit reached';
  return 'active';
}

/** Whether all of the limit is spent: to the last digit where the service sends them. */
export function isLimitReached(grant: Grant): boolean {
  const { limit, spent } = grant;
  const isNear = Math.abs(limit - spent) <= Math.abs(limit) * Number.EPSILON * 4;
  const isExact = grant.limit_digits !== undefined || grant.spent_digits !== undefined;
  return isExact && isNear ? isAtLeast(spentOf(grant), limitOf(grant)) : spent >= limit;
}

/** The limit as a plain decimal. */
export function limitOf({ limit, limit_digits: digits }: Grant): string {
  return digits ?? amountDigits(limit);
}

function spentOf({ spent, spent_digits: digits }: Grant): string {
  return digits ?? amountDigits(spent);
}

/**
 * What was spent and the limit as plain decimals, to the last digit that the service sent. What is
 * spent reads less than a limit that is not reached, if need be with the noise of a double.
 */
export function amountTexts(grant: Grant): { readonly spent: string; readonly limit: string } {
  const texts = { spent: spentOf(grant), limit: limitOf(grant) };
  if (isLimitReached(grant) || !isAtLeast(texts.spent, texts.limit)) return texts;
  return {
    spent: grant.spent_digits ?? plainDecimal(String(grant.spent)) ?? texts.spent,
    limit: grant.limit_digits ?? plainDecimal(String(grant.limit)) ?? texts.limit,
  };
}
