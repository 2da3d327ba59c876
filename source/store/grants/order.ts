import type { DecodedRecord } from '../../client/decode/fields.ts';
import { type AddressBook, addressName } from './address-book.ts';
import { callerWallet, expiryTimes, grantDirection } from './grants.ts';
import { deriveEach, memoizeEach } from '../lists/memoize-last.ts';
import type { ListOrder, OrderName } from '../lists/order.ts';
import { createRowSort, type OrderedRows, type SortKeys } from '../lists/ordered-rows.ts';
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

const sortRows = createRowSort<DecodedRecord<Grant>>();

/** Returns the grants in an order; the same array for the order of the service. */
export function orderGrants(
  rows: readonly DecodedRecord<Grant>[],
  ordering: GrantOrdering,
): OrderedRows<DecodedRecord<Grant>> {
  return sortRows(rows, ordering.order, keysOf[ordering.order.by]?.(rows, ordering));
}

type KeysOf = (rows: readonly DecodedRecord<Grant>[], ordering: GrantOrdering) => SortKeys;

/** Returns the sort keys of rows; an order that is not here is that of the service. */
const keysOf: Readonly<Partial<Record<OrderName, KeysOf>>> = {
  party: (rows, { wallet, book }) => partyKeys(book, callerWallet(rows, wallet))(rows),
  state(rows, { now }) {
    const expiries = expiryTimes(rows);
    return rows.map(({ value }, index) => ranks[deriveGrantState(value, now, expiries[index])]);
  },
  spent: (rows) => rows.map(({ value: { spent, limit } }) => (limit > 0 ? -(spent / limit) : -1)),
  'time left'(rows, { now }) {
    const expiries = expiryTimes(rows);
    return rows.map(({ value }, index) => {
      const at = expiries[index];
      // A grant that has ended has no time left, whatever its expiry.
      const isActive = deriveGrantState(value, now, at) === 'active';
      return isActive && !Number.isNaN(at) ? at : undefined;
    });
  },
};

const partyKeys = memoizeEach((book: AddressBook, caller: string | undefined) =>
  deriveEach((grant: Grant) => {
    const party = partyOf(grant, caller);
    const name = addressName(book, party);
    return name === undefined ? party.toLowerCase() : naturalKey(name);
  }, hasSameParties),
);

/** Returns whether two grants are between the same addresses. */
export function hasSameParties(left: Grant, right: Grant): boolean {
  return left.grantor === right.grantor && left.grantee === right.grantee;
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
  for (const at of expiryTimes(rows)) {
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
