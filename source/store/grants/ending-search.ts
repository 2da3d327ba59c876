import type { StoreApi } from 'zustand/vanilla';
import type { Grant } from '../../contract/grants.ts';
import type { Listing } from '../lists/listing.ts';
import type { Clock } from '../time/clock.ts';
import { grantEndings } from './endings.ts';
import type { GrantEnd } from './runway.ts';

/** Milliseconds between two searches of the grants, because lists are long. */
const searchInterval = 10_000;

/** The grants that are searched, and what their ends depend on. */
export interface EndingSources {
  readonly grants: Pick<StoreApi<Listing<Grant>>, 'getState'>;
  /** Returns the amount that a grant spends per hour; undefined while it is unknown. */
  readonly rateOf: (id: string) => number | undefined;
  readonly wallet: () => string | undefined;
  readonly clock: Clock & { serviceNow(): number };
}

/**
 * Returns a search for the grants that end soon. It searches each list once, and seldom: the result
 * stays the same object until then.
 *
 * @param within milliseconds before its end from which on a grant is found; a day by default.
 */
export function createEndingSearch(
  { grants, rateOf, wallet, clock }: EndingSources,
  within?: number,
): () => ReadonlyMap<string, GrantEnd> {
  let endings: ReadonlyMap<string, GrantEnd> = new Map();
  let searched: { readonly at: number; readonly list: Listing<Grant> } | undefined;
  return () => {
    const list = grants.getState();
    const now = clock.now();
    if (list.loadedAt === undefined || list.loadedAt === searched?.list.loadedAt) return endings;
    const isRecent = searched !== undefined && Math.abs(now - searched.at) < searchInterval;
    if (isRecent && list.rows.length === searched?.list.rows.length) return endings;
    searched = { at: now, list };
    const facts = { rateOf, caller: wallet(), now: clock.serviceNow(), within };
    endings = grantEndings(list.rows, facts);
    return endings;
  };
}
