import type { GrantsClient } from '../../client/grants.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Grant } from '../../contract/grants.ts';
import { sameAddress } from './address.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';
import { deriveEach, memoizeLast } from '../lists/memoize-last.ts';
import { createListing, type ListingStore } from '../lists/listing.ts';

export interface GrantsStore extends Pick<GrantsClient, 'create' | 'revoke'> {
  readonly list: ListingStore<Grant>;
  /** Returns the caller's wallet: configured, or derived from the grants; undefined if unknown. */
  wallet(): string | undefined;
  /** Records a grant that this console creates or revokes, so that no notice is shown for it. */
  noteChange(id: string): void;
  /** Removes that record after a failed or unconfirmed request. */
  forgetChange(id: string): void;
  isChangedHere(id: string): boolean;
}

export function createGrants(options: {
  readonly client: GrantsClient;
  readonly clock: Clock;
  readonly keyPause?: Pick<KeyPause, 'workTurn'>;
  /** Address from the profile. */
  readonly wallet?: string | undefined;
}): GrantsStore {
  const { client } = options;
  const ownChanges = new Set<string>();
  const list = createListing<Grant>({
    clock: options.clock,
    key: (grant) => grant.id,
    fetchRows: (signal) => client.list(signal),
    keyPause: options.keyPause,
  });
  list.prepareWith((rows) => [() => void expiryTimes(rows)]);
  // The wallet derived from many grants stays valid when few are left.
  let derivedWallet: string | undefined;
  list.state.subscribe(({ rows }) => {
    derivedWallet = commonParty(rows) ?? derivedWallet;
  });
  return {
    wallet: () => options.wallet ?? derivedWallet,
    noteChange: (id) => void ownChanges.add(id),
    forgetChange: (id) => void ownChanges.delete(id),
    isChangedHere: (id) => ownChanges.has(id),
    async create(request) {
      const result = await client.create(request);
      if (result.ok) derivedWallet ??= result.value.value.grantor;
      return result;
    },
    revoke: (id) => client.revoke(id),
    list,
  };
}

/** Returns the expiry of each listed grant in ms; NaN where it is unknown. */
export const expiryTimes = deriveEach(
  (grant: Grant) => Date.parse(grant.expires_at),
  (before, now) => before.expires_at === now.expires_at,
);

/** Direction of a grant from the caller's side; `unknown` when the caller is unknown. */
export type GrantDirection = 'given' | 'received' | 'unknown';

/**
 * Returns the caller's wallet: the configured one, else the only address that is a party of every
 * grant. A single grant has two such addresses and decides nothing.
 */
export function callerWallet(
  rows: readonly DecodedRecord<Grant>[],
  configured: string | undefined,
): string | undefined {
  return configured ?? commonParty(rows);
}

const commonParty = memoizeLast<readonly DecodedRecord<Grant>[], void, string | undefined>(
  (rows) => {
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
  },
);

/** Returns the direction of a grant. A grant to oneself is `given`: its grantor may revoke it. */
export function grantDirection(grant: Grant, caller: string | undefined): GrantDirection {
  if (caller === undefined) return 'unknown';
  if (sameAddress(grant.grantor, caller)) return 'given';
  return sameAddress(grant.grantee, caller) ? 'received' : 'unknown';
}
