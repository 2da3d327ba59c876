import type { GrantsClient, Read } from '../../client/client.ts';
import type { Grant } from '../../contract/grants.ts';
import { sameAddress } from './address.ts';
import type { Clock } from '../time/clock.ts';
import { memoizeLast } from '../lists/memoize-last.ts';
import { createListing, type ListingStore } from '../lists/listing.ts';

export {
  amountTexts,
  type Grant,
  type GrantState,
  grantState,
  isLimitReached,
} from '../../contract/grants.ts';

export interface GrantsStore extends Pick<GrantsClient, 'create' | 'revoke'> {
  readonly list: ListingStore<Grant>;
  /** The caller's wallet: configured, or told by the grants so far; undefined while it is not. */
  wallet(): string | undefined;
  /** Notes that a person makes or revokes it with this console: of that they need no notice. */
  noteChange(id: string): void;
  /** It was not done, or nobody knows: what becomes of it then is news. */
  forgetChange(id: string): void;
  isChangedHere(id: string): boolean;
}

export function createGrants(options: {
  readonly client: GrantsClient;
  readonly clock: Clock;
  /** Address that the profile is configured with. */
  readonly wallet?: string | undefined;
}): GrantsStore {
  const { client } = options;
  const changed = new Set<string>();
  const list = createListing<Grant>({
    clock: options.clock,
    key: (grant) => grant.id,
    fetchRows: (signal) => client.list(signal),
  });
  // What many grants told stays true when few are left.
  let told: string | undefined;
  list.state.subscribe(({ rows }) => {
    told = commonParty(rows) ?? told;
  });
  return {
    wallet: () => options.wallet ?? told,
    noteChange: (id) => void changed.add(id),
    forgetChange: (id) => void changed.delete(id),
    isChangedHere: (id) => changed.has(id),
    async create(request) {
      const result = await client.create(request);
      if (result.ok) told ??= result.value.value.grantor;
      return result;
    },
    revoke: (id) => client.revoke(id),
    list,
  };
}

/** Which way a grant goes, seen from the caller; `unknown` when it cannot be told who that is. */
export type GrantDirection = 'given' | 'received' | 'unknown';

/**
 * The caller's wallet: the one configured, else the single address that is a party of every grant
 * (open points, "Who the caller is"). One grant between two has two such addresses, so it decides
 * nothing.
 */
export function callerWallet(
  rows: readonly Read<Grant>[],
  configured: string | undefined,
): string | undefined {
  return configured ?? commonParty(rows);
}

const commonParty = memoizeLast<readonly Read<Grant>[], void, string | undefined>((rows) => {
  const first = rows[0]?.value;
  if (first === undefined) return undefined;
  const common = [first.grantor, first.grantee].filter((address) =>
    rows.every(
      ({ value }) => sameAddress(value.grantor, address) || sameAddress(value.grantee, address),
    ),
  );
  const [caller, ...others] = common;
  if (caller === undefined) return undefined;
  return others.every((address) => sameAddress(address, caller)) ? caller : undefined;
});

/** A grant to oneself counts as given: its grantor is who may revoke it. */
export function grantDirection(grant: Grant, caller: string | undefined): GrantDirection {
  if (caller === undefined) return 'unknown';
  if (sameAddress(grant.grantor, caller)) return 'given';
  return sameAddress(grant.grantee, caller) ? 'received' : 'unknown';
}
