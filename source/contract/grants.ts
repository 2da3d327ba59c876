/** A spend grant (contract, part 2). Amounts are decimals; fields are snake_case as shown there. */
export interface Grant {
  readonly id: string;
  readonly grantor: string;
  readonly grantee: string;
  readonly limit: number;
  readonly spent: number;
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
  readonly limit: number;
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
  if (grant.spent >= grant.limit) return 'limit reached';
  return 'active';
}
