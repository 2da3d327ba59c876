import type { Read } from '../../client/client.ts';
import { type AddressBook, nameOf } from './address-book.ts';
import { callerWallet, type Grant, grantDirection, type GrantState, grantState } from './grants.ts';
import { type ListOrder, type OrderKey, orderRows, timeKey } from '../lists/order.ts';
import { naturalKey } from '../lists/natural-order.ts';

/** What needs a look comes first. */
const ranks: Readonly<Record<GrantState, number>> = {
  'limit reached': 0,
  active: 1,
  expired: 2,
  revoked: 3,
};

/** What an order of grants depends on, beside the grants. */
export interface GrantOrdering {
  readonly order: ListOrder;
  /** Address that the profile is configured with. */
  readonly wallet: string | undefined;
  readonly book: AddressBook;
  /** Ms since the epoch, by the clock of the service. */
  readonly now: number;
}

/** The grants in this order; the very array where it is the service's own. */
export function orderGrants(
  rows: readonly Read<Grant>[],
  { order, wallet, book, now }: GrantOrdering,
): readonly Read<Grant>[] {
  const { by, reversed } = order;
  const ordered = (keyOf: (grant: Grant) => OrderKey | undefined) =>
    orderRows(rows, ({ value }) => keyOf(value), reversed);
  switch (by) {
    case 'party': {
      const caller = callerWallet(rows, wallet);
      return ordered((grant) => {
        const party = partyOf(grant, caller);
        const name = nameOf(book, party);
        return name === undefined ? party.toLowerCase() : naturalKey(name);
      });
    }
    case 'state':
      return ordered((grant) => ranks[grantState(grant, now)]);
    case 'spent':
      return ordered(({ spent, limit }) => (limit > 0 ? -(spent / limit) : -1));
    case 'time left':
      // What is over has none left, whenever it was to end.
      return ordered((grant) =>
        grantState(grant, now) === 'active' ? timeKey(grant.expires_at) : undefined,
      );
    case 'service':
    case 'name':
    case 'age':
    case 'size':
    case 'time':
      return reversed ? rows.toReversed() : rows;
  }
}

/** The other side; of a grant between others, who may be spent from. */
function partyOf(grant: Grant, caller: string | undefined): string {
  return grantDirection(grant, caller) === 'given' ? grant.grantee : grant.grantor;
}

/** Whether an order changes as grants expire, without any answer of the service. */
export function isTimedOrder({ by }: ListOrder): boolean {
  return by === 'state' || by === 'time left';
}

/** Between which moments no grant expires, so that each keeps its state. */
export interface QuietSpan {
  readonly from: number;
  readonly until: number;
}

export function quietSpan(rows: readonly Read<Grant>[], now: number): QuietSpan {
  let from = Number.NEGATIVE_INFINITY;
  let until = Number.POSITIVE_INFINITY;
  for (const { value } of rows) {
    const at = Date.parse(value.expires_at);
    if (at <= now) from = Math.max(from, at);
    else if (at > now) until = Math.min(until, at);
  }
  return { from, until };
}

/** The same at any moment. */
export const always: QuietSpan = {
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
};

export function isWithin({ from, until }: QuietSpan, now: number): boolean {
  return from <= now && now < until;
}
