import type { DecodedRecord } from '../../client/decode/fields.ts';
import { type Grant, deriveGrantState } from '../../contract/grants.ts';
import { parseListFilter } from '../lists/filter.ts';
import type { ListSource } from '../lists/list-source.ts';
import { memoizeLast } from '../lists/memoize-last.ts';
import { firstOrders, type ListOrder } from '../lists/order.ts';
import { idsOf } from '../lists/row-with-id.ts';
import {
  type AddressBook,
  type AddressBookStore,
  addressName,
  emptyAddressBook,
} from './address-book.ts';
import type { GrantsStore } from './grants.ts';
import {
  endlessSpan,
  type GrantOrdering,
  isTimedOrder,
  isInSpan,
  orderGrants,
  type QuietSpan,
  quietSpan,
} from './order.ts';

interface TimedGrants {
  readonly rows: readonly DecodedRecord<Grant>[];
  readonly span: QuietSpan;
}

const orderedGrants = memoizeLast(
  (rows: readonly DecodedRecord<Grant>[], ordering: GrantOrdering): TimedGrants => ({
    rows: orderGrants(rows, ordering),
    span: isTimedOrder(ordering.order) ? quietSpan(rows, ordering.now) : endlessSpan,
  }),
  (before, { order, wallet, book, now }, { span }) =>
    before.order === order &&
    before.wallet === wallet &&
    before.book === book &&
    isInSpan(span, now),
);

interface GrantFiltering {
  readonly typed: string;
  readonly book: AddressBook;
  readonly now: number;
}

const matchingGrants = memoizeLast(
  (rows: readonly DecodedRecord<Grant>[], { typed, book, now }: GrantFiltering): TimedGrants => {
    const filter = parseListFilter(typed);
    return {
      rows: rows.filter(({ value }) =>
        filter.matches({
          text: `${addressText(value.grantor, book)} ${addressText(value.grantee, book)}`,
          state: filter.asksState ? deriveGrantState(value, now) : undefined,
        }),
      ),
      span: filter.asksState ? quietSpan(rows, now) : endlessSpan,
    };
  },
  (before, { typed, book, now }, { span }) =>
    before.typed === typed && before.book === book && isInSpan(span, now),
);

function addressText(address: string, book: AddressBook): string {
  return `${address} ${addressName(book, address) ?? ''}`;
}

/**
 * Returns the grants whose addresses or names match the filter; the same array until a grant changes
 * its state.
 */
export function visibleGrants(
  rows: readonly DecodedRecord<Grant>[],
  typed: string,
  serviceNow: number,
  book: AddressBook = emptyAddressBook,
  order: ListOrder = firstOrders.grants,
  wallet?: string,
): readonly DecodedRecord<Grant>[] {
  const ordered = orderedGrants(rows, { order, wallet, book, now: serviceNow }).rows;
  if (typed.trim() === '') return ordered;
  return matchingGrants(ordered, { typed, book, now: serviceNow }).rows;
}

/** Returns the grants as a list pane uses them; their states follow the clock of the service. */
export function grantList(
  { list, wallet }: Pick<GrantsStore, 'list' | 'wallet'>,
  addressBook: AddressBookStore,
  serviceNow: () => number,
): ListSource {
  return {
    state: list.state,
    ids({ filter, order }) {
      const { rows } = list.state.getState();
      const book = addressBook.getState();
      return idsOf(visibleGrants(rows, filter, serviceNow(), book, order, wallet()));
    },
    subscribe: (changed) => list.state.subscribe(changed),
  };
}
