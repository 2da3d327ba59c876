import type { DecodedRecord } from '../../client/decode/fields.ts';
import { type Grant, deriveGrantState } from '../../contract/grants.ts';
import { parseListFilter } from '../lists/filter.ts';
import type { ListSource } from '../lists/list-source.ts';
import { deriveEach, memoizeEach, memoizeLast } from '../lists/memoize-last.ts';
import { firstOrders, type ListOrder, ordersOf } from '../lists/order.ts';
import { matchingRows, type OrderedRows } from '../lists/ordered-rows.ts';
import { idsOf } from '../lists/row-with-id.ts';
import { joinTexts, sameIndexes, type SearchedTexts } from '../lists/searched-texts.ts';
import {
  type AddressBook,
  type AddressBookStore,
  addressName,
  emptyAddressBook,
} from './address-book.ts';
import { expiryTimes, type GrantsStore } from './grants.ts';
import {
  endlessSpan,
  type GrantOrdering,
  hasSameParties,
  isTimedOrder,
  isInSpan,
  orderGrants,
  type QuietSpan,
  quietSpan,
} from './order.ts';

const listWithOrder = memoizeEach((rows: readonly DecodedRecord<Grant>[], order: ListOrder) => ({
  rows,
  order,
}));

/** Each order of a list is kept, so that the key `o` shows what was prepared. */
const sorted = memoizeLast(
  (
    { rows }: ReturnType<typeof listWithOrder>,
    ordering: GrantOrdering,
  ): OrderedRows<DecodedRecord<Grant>> & { readonly span: QuietSpan } => ({
    ...orderGrants(rows, ordering),
    span: isTimedOrder(ordering.order) ? quietSpan(rows, ordering.now) : endlessSpan,
  }),
  (before, { wallet, book, now }, { span }) =>
    before.wallet === wallet && before.book === book && isInSpan(span, now),
);

function orderedGrants(rows: readonly DecodedRecord<Grant>[], ordering: GrantOrdering) {
  return sorted(listWithOrder(rows, ordering.order), ordering);
}

interface GrantFiltering {
  readonly typed: string;
  readonly book: AddressBook;
  readonly now: number;
}

interface FoundGrants {
  /** Indexes of the rows, the same array while these stay. */
  readonly found: readonly number[];
  readonly span: QuietSpan;
}

/** Returns the rows that the filter matches, until a grant changes its state. */
const foundGrants = memoizeLast<readonly DecodedRecord<Grant>[], GrantFiltering, FoundGrants>(
  (rows, { typed, book, now }, last) => {
    const filter = parseListFilter(typed);
    const searched = searchedTexts(textsWith(book)(rows));
    const found = filter.findTexts(searched);
    if (filter.asksTextOnly) {
      return { found: sameIndexes(last?.found, found), span: endlessSpan };
    }
    const expiries = filter.asksState ? expiryTimes(rows) : [];
    const matching = found.filter((index) => {
      const grant = filter.asksState ? rows[index]?.value : undefined;
      const state = grant && deriveGrantState(grant, now, expiries[index]);
      return filter.matches({ text: searched.texts[index] ?? '', state });
    });
    return { found: matching, span: filter.asksState ? quietSpan(rows, now) : endlessSpan };
  },
  (before, { typed, book, now }, { span }) =>
    before.typed === typed && before.book === book && isInSpan(span, now),
);

const searchedTexts = memoizeLast<readonly string[], void, SearchedTexts>(joinTexts);

const matchingGrants = memoizeLast(matchingRows<DecodedRecord<Grant>>);

type DerivedTexts = ReturnType<typeof deriveEach<Grant, string>>;

/** Texts that filters search, with the names of a book; each typed letter searches them again. */
const textsWith = memoizeLast<AddressBook, void, DerivedTexts>((book) =>
  deriveEach(
    ({ grantor, grantee }: Grant) =>
      `${addressText(grantor, book)} ${addressText(grantee, book)}`.toLowerCase(),
    hasSameParties,
  ),
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
  const ordered = orderedGrants(rows, { order, wallet, book, now: serviceNow });
  if (typed.trim() === '') return ordered.rows;
  return matchingGrants(ordered, foundGrants(rows, { typed, book, now: serviceNow }).found);
}

/**
 * Returns steps of a few milliseconds each that compute what the first key of each order and the first
 * letter of a filter need of a long list.
 */
export function grantPreparations(
  rows: readonly DecodedRecord<Grant>[],
  ordering: Omit<GrantOrdering, 'order'>,
): readonly (() => void)[] {
  return [
    () => void textsWith(ordering.book)(rows),
    () => void searchedTexts(textsWith(ordering.book)(rows)),
    ...grantOrders.flatMap((order) => {
      const ordered = () => orderedGrants(rows, { ...ordering, order }).rows;
      return [() => void ordered(), () => void idsOf(ordered())];
    }),
  ];
}

const grantOrders = ordersOf('grants');

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
