/** Rule 5: the meaning of a service's offsets, and the direction of its pages. */
import type { LogId } from '../../contract/logs.ts';
import { comparePlaces, type Place } from '../arena/place.ts';
import { type LogRow, rowKey, rowTime } from '../arena/row.ts';
import { alignedAt } from './alignment.ts';
import { joiningOverlapOf, overlapOf, type PageSlice, smallPage } from './page-request.ts';
import type { PageRange } from './page-search.ts';

/** The rows of a page, oldest first. */
export interface SortedPage<Line> {
  readonly slice: PageSlice;
  readonly rows: readonly LogRow<Line>[];
}

/** Returns the place of a row whose line is known. */
type PlaceOf<Line> = (row: LogRow<Line>) => Place | undefined;

/** Doublings of the distance after which the direction of a page decides. */
const mostDoublings = 8;

type Step = 'first' | 'middle' | 'last';

/**
 * Finds out the meaning of offsets by asking for the pages at 0, d and 0, and knows the sizes of pages
 * and the ends of the log as far as pages have shown them.
 */
export class Offsets<Line> {
  #order: 'newest' | 'oldest' | undefined;
  #pageSize: number;
  #direction: 'ascending' | 'descending' = 'ascending';
  #isDirected = false;
  /** True when more than the direction of pages speaks for the order. */
  #isTold = false;
  #step: Step = 'first';
  #first: SortedPage<Line> | undefined;
  #middle: SortedPage<Line> | undefined;
  /** True when the middle page was older than the first one. */
  #isBefore = false;
  #placeOf: PlaceOf<Line> | undefined;
  #distance = 0;
  #doublings = 0;
  /** True while the page at offset 0 was joined although only its direction speaks for that. */
  #isGuess = false;
  /** True once the order was in doubt: no guess is joined any more. */
  #mustProve = false;
  #isWhole = false;
  /** The most rows that a page has had so far. */
  #most = 0;
  /** The lowest offset at which the log had no line while this was its newest known one. */
  #emptyFrom = Number.POSITIVE_INFINITY;
  #emptyNewest: Place | undefined;
  /** The highest offset behind a line that was seen. */
  #seenEnd = 0;
  /** The lowest offset that the service refused. */
  #refusedFrom = Number.POSITIVE_INFINITY;

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  /** The line at offset 0; undefined while that is unknown. */
  get order(): 'newest' | 'oldest' | undefined {
    return this.#order;
  }

  get pageSize(): number {
    return this.#pageSize;
  }

  /** True when the page that was learned last, with the one before, is all that the service has. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The most rows that a page has had so far. */
  get mostRows(): number {
    return this.#most;
  }

  /** True when the service refuses offsets that far back. */
  isRefused(offset: number): boolean {
    return offset >= this.#refusedFrom;
  }

  /**
   * Forgets the order of pages, which is then found out anew.
   * @param rows true where that of their rows was told wrongly, too.
   */
  forget(rows = false): void {
    if (rows) this.#isDirected = false;
    this.#order = undefined;
    this.#isTold = false;
    this.#isGuess = false;
    this.#mustProve = true;
    this.#restart();
  }

  /** Returns the rows of a page from old to new. */
  sorted(raw: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    const within = majority(raw, ({ id }) => id) ?? majority(raw, rowTime);
    const told = within ?? (this.#isDirected ? undefined : majority(raw, ({ id }) => id, false));
    if (told !== undefined) this.#setDirection(told);
    return this.#direction === 'descending' ? raw.toReversed() : raw;
  }

  /** True once ids, times or live lines have told the direction of pages. */
  get isDirected(): boolean {
    return this.#isDirected;
  }

  /** True when pages list the newest line first. */
  get isFalling(): boolean {
    return this.#direction === 'descending';
  }

  /** True once pages or live lines have told the line at offset 0. */
  get isCertain(): boolean {
    return this.#isDirected && this.#isTold;
  }

  /** A page of the newest lines had lines of the stream. */
  confirm(): void {
    this.#isTold = true;
  }

  /** The direction of pages whose rows do not tell it. The order is found out by it. */
  direct(direction: 'ascending' | 'descending'): void {
    this.forget();
    this.#setDirection(direction);
  }

  #setDirection(direction: 'ascending' | 'descending'): void {
    this.#isDirected = true;
    if (this.#direction === direction) return;
    this.#direction = direction;
    this.#first = this.#first && reversed(this.#first);
    this.#middle = this.#middle && reversed(this.#middle);
  }

  /** Takes the other end of the listing for the newest lines. */
  turn(): void {
    if (this.#order !== undefined) this.#order = this.#order === 'newest' ? 'oldest' : 'newest';
  }

  /** Notes the number of rows that a request has brought. */
  note({ offset, limit }: PageSlice, rows: number, newest: Place | undefined): void {
    if (rows === 0) {
      this.#emptyFrom = newest === this.#emptyNewest ? Math.min(this.#emptyFrom, offset) : offset;
      this.#emptyNewest = newest;
      return;
    }
    const end = offset + rows;
    this.#most = Math.max(this.#most, rows);
    if (end > this.#emptyFrom) this.#emptyFrom = Number.POSITIVE_INFINITY;
    // There is a line behind the page: the service gives no more rows at once.
    if (rows < limit && end < this.#seenEnd) this.#pageSize = Math.min(this.#pageSize, this.#most);
    this.#seenEnd = Math.max(this.#seenEnd, end);
  }

  /** The service refused a request. Returns false when no smaller or nearer page is left to try. */
  refuse({ offset, limit }: PageSlice): boolean {
    if (limit > smallPage) {
      this.#pageSize = smallPage;
      return true;
    }
    if (offset === 0) return false;
    this.#refusedFrom = Math.min(this.#refusedFrom, offset);
    if (this.#order !== undefined && !this.#isGuess) return true;
    if (this.#step === 'middle' && offset > 1) this.#distance = offset >> 1;
    else this.#guess();
    return true;
  }

  /** Returns the page to read while the order is unknown. */
  get probe(): PageSlice {
    // The page at 0 is read again for its ends alone.
    const limit = this.#step === 'last' ? Math.min(smallPage, this.#pageSize) : this.#pageSize;
    return { offset: this.#step === 'middle' ? this.#distance : 0, limit };
  }

  /**
   * Finds out the order of pages. Returns the pages that can be joined; undefined while more have to
   * be read.
   * @param isUnknown true for a page without known lines in a log that has some: no guess joins it.
   * @param placeOf in a log of several numberings, returns the place of a known line.
   */
  learn(
    page: SortedPage<Line>,
    isUnknown: boolean,
    placeOf?: PlaceOf<Line>,
  ): readonly SortedPage<Line>[] | undefined {
    this.#isWhole = false;
    this.#placeOf = placeOf;
    if (isUnknown && this.#step === 'first') this.#mustProve = true;
    if (this.#order !== undefined && !this.#isGuess) return [page];
    if (this.#step === 'first') return this.#learnFirst(page);
    return this.#step === 'middle' ? this.#learnMiddle(page) : this.#learnLast(page);
  }

  #learnFirst(page: SortedPage<Line>): readonly SortedPage<Line>[] | undefined {
    // The reading of pages began again since this one was requested.
    if (page.slice.offset !== 0) return undefined;
    const { length } = page.rows;
    if (length === 0) {
      this.#isWhole = true;
      return [page];
    }
    this.#first = page;
    const overlap = this.#isDirected ? overlapOf(length) : joiningOverlapOf(length);
    this.#distance = length < page.slice.limit ? length : Math.max(1, length - overlap);
    this.#step = 'middle';
    // Rows from new to old let offsets count from the newest line, as long as nothing refutes it.
    if (this.#direction !== 'descending' || this.#mustProve) return undefined;
    this.#isGuess = true;
    this.#order = 'newest';
    return [page];
  }

  #learnMiddle(page: SortedPage<Line>): readonly SortedPage<Line>[] | undefined {
    const first = this.#first;
    if (first === undefined || page.slice.offset === 0) {
      // Another request than the probe came first.
      this.#step = 'first';
      return this.#learnFirst(page);
    }
    if (page.rows.length === 0) {
      this.#isWhole = page.slice.offset === first.rows.length;
      const isKnown = this.#isGuess;
      const doublings = this.#isWhole ? 0 : this.#doublings + 1;
      if (doublings > mostDoublings) return this.#guess();
      this.#restart();
      // A log that grows fast, and keeps little, ends before a page that is far enough.
      this.#doublings = doublings;
      this.#isGuess = false;
      this.#order = undefined;
      if (!this.#isWhole) return undefined;
      return isKnown ? [] : [first];
    }
    // There are lines behind a short page: the service gives no more rows at once.
    if (first.rows.length < first.slice.limit)
      this.#pageSize = Math.min(this.#pageSize, Math.max(smallPage, this.#most));
    // Only rows that both pages show tell their order where numbers begin again.
    if (this.#distance === first.rows.length && first.rows.length > 1) {
      this.#distance -= Math.min(this.#distance - 1, Math.max(1, overlapOf(this.#distance)));
      return undefined;
    }
    const isBefore = this.#isOlder(page, first);
    if (isBefore && sharedSide(page.rows, first.rows) !== undefined)
      return this.#decide('newest', this.#isGuess ? [page] : [first, page]);
    // Numbers may have begun again between the pages: the one at 0 is to tell the same.
    this.#isBefore = isBefore;
    this.#middle = page;
    this.#step = 'last';
    return undefined;
  }

  #learnLast(page: SortedPage<Line>): readonly SortedPage<Line>[] | undefined {
    const middle = this.#middle;
    if (middle !== undefined && this.#isOlder(page, middle)) return this.#decide('oldest', []);
    if (middle !== undefined && this.#isBefore && this.#isOlder(middle, page))
      return this.#decide('newest', [page, middle]);
    this.#doublings += 1;
    if (middle === undefined || this.#doublings > mostDoublings) return this.#guess();
    this.#first = page;
    const { length } = page.rows;
    // Pages without ids and times, or of several numberings, are compared by the rows that they share.
    if (this.#placeOf !== undefined || endsOf(page.rows).size === 0)
      this.#distance = Math.max(1, length - joiningOverlapOf(length));
    else this.#distance *= 2;
    this.#step = 'middle';
    return undefined;
  }

  /** Returns whether a page lies before another one: known lines tell it before others do. */
  #isOlder(page: SortedPage<Line>, other: SortedPage<Line>): boolean {
    const placeOf = this.#placeOf;
    if (placeOf === undefined) return isOlder(page, other);
    const [places, others] = [page, other].map(({ rows }) =>
      rows.flatMap((row) => placeOf(row) ?? []),
    );
    const [first, last] = [places?.[0], places?.at(-1)];
    const [otherFirst, otherLast] = [others?.[0], others?.at(-1)];
    if (last !== undefined && otherFirst !== undefined && last < otherFirst) return true;
    if (first !== undefined && otherLast !== undefined && otherLast < first) return false;
    // The ids of several numberings tell nothing.
    return sharedSide(page.rows, other.rows) === 'last';
  }

  /** Nothing tells the order but the direction of a page. */
  #guess(): readonly SortedPage<Line>[] {
    const first = this.#first;
    const isNewest = this.#direction === 'descending' || !this.#isDirected;
    const pages = first === undefined || !isNewest ? [] : [first];
    const found = this.#decide(isNewest ? 'newest' : 'oldest', pages);
    this.#isTold = false;
    return found;
  }

  #decide(order: 'newest' | 'oldest', pages: readonly SortedPage<Line>[]) {
    this.#order = order;
    this.#isTold = true;
    this.#isGuess = false;
    this.#restart();
    return pages;
  }

  /** Pages that were read to find out the order no longer hold. */
  restart(): void {
    if (this.#order === undefined || this.#isGuess) this.#restart();
  }

  #restart(): void {
    this.#step = 'first';
    this.#first = undefined;
    this.#middle = undefined;
    this.#doublings = 0;
  }

  /** True while the page at offset 0 is taken for the newest one until others refute it. */
  get isGuessTrusted(): boolean {
    return this.#isGuess && !this.#mustProve;
  }

  /** True while only the direction of a page speaks for the order. */
  get isGuess(): boolean {
    return this.#isGuess;
  }

  /** The index of the newest line that was seen at the end of a log that counts from the oldest. */
  get newestIndex(): number {
    return this.#order === 'oldest' ? Math.min(0, 1 - this.#seenEnd) : 0;
  }

  /** Returns the indexes of a page's rows; that of an empty page where a row would be. */
  rangeOf({ offset }: PageSlice, rows: number): PageRange {
    const last = offset + Math.max(1, rows) - 1;
    return this.#order === 'oldest'
      ? { newest: -last, oldest: -offset }
      : { newest: offset, oldest: last };
  }

  /** Returns the offset of a page that shows the line at an index and `newer` newer ones. */
  offsetOf(index: number, limit: number, newer = overlapOf(limit)): number {
    const newest = index - newer;
    return Math.max(0, this.#order === 'oldest' ? -newest - limit + 1 : newest);
  }

  /** Returns true when the log begins with the oldest line of a page. */
  beginsLog(slice: PageSlice, rows: number, newest: Place | undefined): boolean {
    if (this.#order === 'oldest') return slice.offset === 0;
    return rows === 0 && this.#isEmptyBehind(slice, rows, newest);
  }

  /** Returns true when a page ends with the newest line of the log. */
  endsLog(slice: PageSlice, rows: number, newest: Place | undefined): boolean {
    if (this.#order === 'newest') return slice.offset === 0;
    if (this.#order === undefined) return this.#isWhole;
    return this.#isEmptyBehind(slice, rows, newest);
  }

  #isEmptyBehind({ offset }: PageSlice, rows: number, newest: Place | undefined): boolean {
    return newest === this.#emptyNewest && offset + rows >= this.#emptyFrom;
  }
}

function reversed<Line>({ slice, rows }: SortedPage<Line>): SortedPage<Line> {
  return { slice, rows: rows.toReversed() };
}

/** Returns the direction of most steps between rows, within each service or not. */
function majority(
  rows: readonly LogRow<unknown>[],
  valueOf: (row: LogRow<unknown>) => LogId | undefined,
  isWithin = true,
): 'ascending' | 'descending' | undefined {
  let balance = 0;
  const last = new Map<string | undefined, LogId>();
  for (const row of rows) {
    const value = valueOf(row);
    if (value === undefined) continue;
    const service = isWithin ? row.service : undefined;
    const before = last.get(service);
    if (before !== undefined) balance += comparePlaces(value, before);
    last.set(service, value);
  }
  if (balance === 0) return undefined;
  return balance > 0 ? 'ascending' : 'descending';
}

/**
 * Returns whether a page lies before another one: it ends with rows of that one and begins before it,
 * or begins and ends before it. Lines that come or go, and pages that grow, can show the opposite at
 * one end of a page, but never at both.
 */
function isOlder(page: SortedPage<unknown>, other: SortedPage<unknown>): boolean {
  const [ends, others] = [endsOf(page.rows), endsOf(other.rows)];
  if (ends.size === 0 || others.size === 0) {
    const begin = alignedAt(other.rows, page.rows) ?? 0;
    return begin < 0 && begin + page.rows.length < other.rows.length;
  }
  const shared = sharedSide(page.rows, other.rows);
  if (shared !== undefined) return shared === 'last';
  let isEarlier = false;
  for (const [service, left] of ends) {
    const right = others.get(service);
    if (right === undefined) continue;
    if (left.last > right.last || left.first > right.first) return false;
    isEarlier ||= left.last < right.last || left.first < right.first;
  }
  return isEarlier;
}

/** Returns the end at which a page has rows of another one; undefined when at none or at both. */
function sharedSide(
  rows: readonly LogRow<unknown>[],
  others: readonly LogRow<unknown>[],
): 'first' | 'last' | undefined {
  const keys = new Set(others.map(rowKey));
  const [first, last] = [rows[0], rows.at(-1)];
  const hasFirst = first !== undefined && keys.has(rowKey(first));
  const hasLast = last !== undefined && keys.has(rowKey(last));
  if (hasFirst === hasLast) return undefined;
  return hasFirst ? 'first' : 'last';
}

/** Returns the ends of a page within each service: by ids, else by times. */
function endsOf(rows: readonly LogRow<unknown>[]) {
  const isById = rows.every(({ id }) => id !== undefined);
  const ends = new Map<string | undefined, { readonly first: LogId; readonly last: LogId }>();
  for (const row of rows) {
    const value = isById ? row.id : rowTime(row);
    if (value === undefined) continue;
    ends.set(row.service, { first: ends.get(row.service)?.first ?? value, last: value });
  }
  return ends;
}
