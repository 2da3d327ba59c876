import { deriveGrantState, type Grant } from '../../contract/grants.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { grantDirection } from './grants.ts';
import { type GrantEnd, grantEnd } from './runway.ts';

/** Milliseconds before its end from which on a grant needs attention. */
const shortRunway = 86_400_000;

/**
 * Returns the ends of the grants that stop paying for the caller soon, by the id of the grant.
 * Grants that the caller gave to others are left out.
 * @param now ms since the epoch, by the clock of the service.
 */
export function grantEndings(
  rows: readonly DecodedRecord<Grant>[],
  {
    rateOf,
    caller,
    now,
    within = shortRunway,
  }: {
    readonly rateOf: (id: string) => number | undefined;
    readonly caller: string | undefined;
    readonly now: number;
    /** Milliseconds; a day by default. */
    readonly within?: number | undefined;
  },
): ReadonlyMap<string, GrantEnd> {
  const endings = new Map<string, GrantEnd>();
  for (const { value: grant } of rows) {
    if (grantDirection(grant, caller) === 'given') continue;
    if (deriveGrantState(grant, now) !== 'active') continue;
    const left = Math.max(0, grant.limit - grant.spent);
    const end = grantEnd(left, rateOf(grant.id) ?? 0, now, Date.parse(grant.expires_at));
    if (end.at !== undefined && end.at - now <= within) endings.set(grant.id, end);
  }
  return endings;
}
