import { formatAmountDigits, isAtLeast, normaliseDecimal } from './amount.ts';

/** A spend grant (contract, part 2). Amounts are decimals; fields are in snake_case. */
export interface Grant {
  readonly id: string;
  readonly grantor: string;
  readonly grantee: string;
  readonly limit: number;
  readonly spent: number;
  /** Plain decimals, set when a double cannot represent all digits that the service sent. */
  readonly limit_digits?: string | undefined;
  readonly spent_digits?: string | undefined;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  /** Time of revocation, from services that list revoked grants. */
  readonly revoked_at?: string | undefined;
  /** State in the service's own word. */
  readonly status?: string | undefined;
}

/** Body of "create grant". */
export interface GrantRequest {
  readonly grantee: string;
  /** Decimal such as `50` or `0.1`, sent as a JSON number with exactly these digits. */
  readonly limit: string;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** The conditions of a grant (contract, part 3). They are derived, never stored. */
export type GrantState = 'active' | 'revoked' | 'expired' | 'limit reached';

/**
 * Returns the state of a grant at `now` (ms since the epoch, by the service's clock). Revocation has
 * priority over expiry, and expiry over a reached limit.
 * @param expiresAt its expiry in ms; NaN if unknown. Callers with many grants parse it once.
 */
export function deriveGrantState(
  grant: Grant,
  now: number,
  expiresAt = Date.parse(grant.expires_at),
): GrantState {
  if (grant.revoked_at !== undefined || grant.status?.toLowerCase() === 'revoked') return 'revoked';
  if (grant.status?.toLowerCase() === 'expired') return 'expired';
  if (!Number.isNaN(expiresAt) && now >= expiresAt) return 'expired';
  if (isLimitReached(grant)) return 'limit reached';
  return 'active';
}

/** Returns true when the whole limit is spent, compared digit by digit when the service sent them. */
export function isLimitReached(grant: Grant): boolean {
  const { limit, spent } = grant;
  const isNear = Math.abs(limit - spent) <= Math.abs(limit) * Number.EPSILON * 4;
  const isExact = grant.limit_digits !== undefined || grant.spent_digits !== undefined;
  return isExact && isNear ? isAtLeast(spentDigits(grant), limitDecimal(grant)) : spent >= limit;
}

/** Returns the limit as a plain decimal. */
export function limitDecimal({ limit, limit_digits: digits }: Grant): string {
  return digits ?? formatAmountDigits(limit);
}

function spentDigits({ spent, spent_digits: digits }: Grant): string {
  return digits ?? formatAmountDigits(spent);
}

/**
 * Returns the spent amount and the limit as plain decimals with every digit that the service sent.
 * The spent amount is below a limit that is not reached, even if that takes float noise.
 */
export function formatGrantAmounts(grant: Grant): {
  readonly spent: string;
  readonly limit: string;
} {
  const texts = { spent: spentDigits(grant), limit: limitDecimal(grant) };
  if (isLimitReached(grant) || !isAtLeast(texts.spent, texts.limit)) return texts;
  return {
    spent: grant.spent_digits ?? normaliseDecimal(String(grant.spent)) ?? texts.spent,
    limit: grant.limit_digits ?? normaliseDecimal(String(grant.limit)) ?? texts.limit,
  };
}
