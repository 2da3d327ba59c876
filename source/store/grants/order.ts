import type { DecodedRecord } from '../../client/decode/fields.ts';
import { type AddressBook, addressName } from './address-book.ts';
import { callerWallet, grantDirection } from './grants.ts';
import {
  type ListOrder,
  type OrderKey,
  type OrderName,
  orderRows,
  timeKey,
} from '../lists/order.ts';
import { naturalKey } from '../lists/natural-order.ts';
import type { Grant, GrantState } from '../../contract/grants.ts';
import { deriveGrantState } from '../../contract/grants.ts';

/** Rank of each state: grants that need attention come first. */
const ranks: Readonly<Record<GrantState, number>> = {
  'limit reached': 0,
  active: 1,
  expired: 2,
  revoked: 3,
};

/** Parameters of an order of grants. */
export interface GrantOrdering {
  readonly order: ListOrder;
  /** Address from the profile. */
  readonly wallet: string | undefined;
  readonly book: AddressBook;
  /** Current time by the clock of the service, ms since the epoch. */
  readonly now: number;
}

/** Returns the grants in an order; the same array for the order of the service. */
export function orderGrants(
  rows: readonly DecodedRecord<Grant>[],
  ordering: GrantOrdering,
): readonly DecodedRecord<Grant>[] {
  const { by, reversed } = ordering.order;
  const keyOf = sortKeys(rows, ordering)[by];
  if (keyOf !== undefined) return orderRows(rows, ({ value }) => keyOf(value), reversed);
  return reversed ? rows.toReversed() : rows;
}

type KeyOf = (grant: Grant) => OrderKey | undefined;

function sortKeys(
  rows: readonly DecodedRecord<Grant>[],
  { wallet, book, now }: GrantOrdering,
): Readonly<Partial<Record<OrderName, KeyOf>>> {
  const caller = callerWallet(rows, wallet);
  return {
    party(grant) {
      const party = partyOf(grant, caller);
      const name = addressName(book, party);
      return name === undefined ? party.toLowerCase() : naturalKey(name);
    },
    state: (grant) => ranks[deriveGrantState(grant, now)],
    spent: ({ spent, limit }) => (limit > 0 ? -(spent / limit) : -1),
    // A grant that has ended has no time left, whatever its expiry.
    'time left': (grant) =>
      deriveGrantState(grant, now) === 'active' ? timeKey(grant.expires_at) : undefined,
  };
}

/** Returns the other party of a grant; the grantor for a grant between others. */
function partyOf(grant: Grant, caller: string | undefined): string {
  return grantDirection(grant, caller) === 'given' ? grant.grantee : grant.grantor;
}

/** Returns whether an order changes when a grant expires, without a new answer. */
export function isTimedOrder({ by }: ListOrder): boolean {
  return by === 'state' || by === 'time left';
}

/** Period in which no grant expires, so that each keeps its state. */
export interface QuietSpan {
  readonly from: number;
  readonly until: number;
}

export function quietSpan(rows: readonly DecodedRecord<Grant>[], now: number): QuietSpan {
  let from = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  for (const { value } of rows) {
    const at = Date.parse(value.expires_at);
    if (at <= now) from = Math.max(from, at);
    else if (at > now) until = Math.min(until, at);
  }
  return { from, until };
}

/** Period without an end, for orders that do not depend on time. */
export const endlessSpan: QuietSpan = {
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
};

export function isInSpan({ from, until }: QuietSpan, now: number): boolean {
  return from <= now && now < until;
}
