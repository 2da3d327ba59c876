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
import { expiryTimes, grantDirection, type GrantsStore } from './grants.ts';
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
  /** The caller's; undefined if unknown. */
  readonly wallet: string | undefined;
  readonly now: number;
}

/** A result for the rows of a list, valid until a grant changes its state. */
interface Timed<T> {
  readonly value: T;
  readonly span: QuietSpan;
}

/** Returns the indexes of the rows that the filter matches, the same array while these stay. */
const foundGrants = memoizeLast<
  readonly DecodedRecord<Grant>[],
  GrantFiltering,
  Timed<readonly number[]>
>(
  (rows, filtering, last) => {
    const filter = parseListFilter(filtering.typed);
    const { value: searched, span } = searchedTexts(rows, filtering);
    const found = filter.findTexts(searched);
    if (filter.asksTextOnly) return { value: sameIndexes(last?.value, found), span };
    const expiries = filter.asksState ? expiryTimes(rows) : [];
    const matching = found.filter((index) => {
      const grant = filter.asksState ? rows[index]?.value : undefined;
      const state = grant && deriveGrantState(grant, filtering.now, expiries[index]);
      return filter.matches({ text: searched.texts[index] ?? '', state });
    });
    return { value: matching, span };
  },
  (before, now, { span }) =>
    before.typed === now.typed && isSameReader(before, now) && isInSpan(span, now.now),
);

type TextReading = Omit<GrantFiltering, 'typed'>;

/** Texts that filters search, as rows show them; each typed letter searches them again. */
const searchedTexts = memoizeLast<
  readonly DecodedRecord<Grant>[],
  TextReading,
  Timed<SearchedTexts>
>(
  (rows, { book, wallet, now }) => {
    const expiries = expiryTimes(rows);
    const texts = textsFor(
      book,
      wallet,
    )(rows).map((text, index) => {
      const grant = rows[index]?.value;
      return grant && `${text} ${deriveGrantState(grant, now, expiries[index])}`;
    });
    return { value: joinTexts(texts), span: quietSpan(rows, now) };
  },
  (before, now, { span }) => isSameReader(before, now) && isInSpan(span, now.now),
);

function isSameReader(before: TextReading, now: TextReading): boolean {
  return before.book === now.book && before.wallet === now.wallet;
}

const matchingGrants = memoizeLast(matchingRows<DecodedRecord<Grant>>);

/** Texts in lower case of all that does not depend on time: addresses, their names in a book, direction. */
const textsFor = memoizeLast((book: AddressBook, wallet: string | undefined) =>
  deriveEach((grant: Grant) => {
    const { grantor, grantee } = grant;
    const direction = directionWords[grantDirection(grant, wallet)];
    return `${direction} ${addressText(grantor, book)} ${addressText(grantee, book)}`.toLowerCase();
  }, hasSameParties),
);

/** Words of a wide row; a narrow one shortens them. */
const directionWords = { given: 'given to', received: 'received from', unknown: '' } as const;

function addressText(address: string, book: AddressBook): string {
  return `${address} ${addressName(book, address) ?? ''}`;
}

/**
 * Returns the grants whose direction, addresses, names or state match the filter; the same array until a
 * grant changes its state.
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
  const found = foundGrants(rows, { typed, book, wallet, now: serviceNow });
  return matchingGrants(ordered, found.value);
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
    () => void textsFor(ordering.book, ordering.wallet)(rows),
    () => void searchedTexts(rows, ordering),
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
