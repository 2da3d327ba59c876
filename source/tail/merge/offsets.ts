import { defaultLogLimit } from '../../contract/logs.ts';
import type { Place } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import { compareAge, type RowOrder, rowOrder } from './page-order.ts';
import type { PageRequest } from './page-request.ts';
import { overlapOf, type PageRange } from './page-search.ts';
import { ageOf, type ReadPage, shownOrder } from './shown-order.ts';

type Slice = Pick<PageRequest, 'offset' | 'limit' | 'newest'>;

/** Smallest page worth a round trip. */
export const smallPage = 100;

/**
 * The meaning of a service's offsets, and the ends of its log, as far as pages have shown them. The
 * order of the rows in a page and the order of pages are two facts.
 */
export class Offsets<Line> {
  /** The line at offset 0; undefined while that is unknown. */
  order: 'newest' | 'oldest' | undefined;
  /** Most rows to request. */
  pageSize: number;
  /** True while only the rows of a page at offset 0, from new to old, speak for the order. */
  isGuess = false;
  #mustProve = false;
  /** Pages of different ages have shown the order, or nothing else can. */
  #isProven = false;
  #wasRefuted = false;
  /** A page has shown offsets that do not count from the newest line, though no ages tell it. */
  #isOldestLikely = false;
  /** Offset of the page to read while the order is unknown. */
  probe = 0;
  #rows: RowOrder | undefined;
  #before: ReadPage<Line> | undefined;
  #distance = 0;
  /** Times that the log had ended where a page was looked for, although pages differ in age. */
  #contradictions = 0;
  /** True once a page was newer than the one read before it. */
  #hasAges = false;
  /** The most rows that a page has had so far. */
  #most = 0;
  /** The lowest offset at which the log had no line while this was its newest known one. */
  #emptyFrom = Number.POSITIVE_INFINITY;
  #emptyNewest: Place | undefined;
  /** The highest offset behind a line that was seen. */
  #seenEnd = 0;

  constructor(pageSize: number) {
    this.pageSize = pageSize;
  }

  /** Forgets the order of pages, which is then found out anew. */
  forget(): void {
    this.order = undefined;
    this.isGuess = false;
    this.#mustProve = true;
    this.#restart();
  }

  /** Returns the rows of a page from old to new. */
  sorted(raw: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    this.#rows = rowOrder(raw) ?? this.#rows;
    return this.#rows === 'descending' ? raw.toReversed() : raw;
  }

  /** Notes the number of rows that a request has brought. */
  note({ offset, limit, newest }: Slice, rows: number): void {
    if (rows === 0) {
      this.#emptyFrom = newest === this.#emptyNewest ? Math.min(this.#emptyFrom, offset) : offset;
      this.#emptyNewest = newest;
      return;
    }
    const end = offset + rows;
    this.#most = Math.max(this.#most, rows);
    if (end > this.#emptyFrom) this.#emptyFrom = Number.POSITIVE_INFINITY;
    // There is a line behind the page: the service gives no more rows at once.
    if (rows < limit && end < this.#seenEnd) this.pageSize = Math.min(this.pageSize, this.#most);
    this.#seenEnd = Math.max(this.#seenEnd, end);
  }

  /** Requests no larger pages. Returns false when they are as small already. */
  shrink(): boolean {
    if (this.pageSize <= smallPage) return false;
    this.pageSize = smallPage;
    return true;
  }

  /**
   * Finds out the order of pages, see `shownOrder`. Returns the pages that can be joined,
   * newest first; undefined while more have to be read.
   *
   * @param hasNewest true when the newest known line is in the page.
   */
  learn(page: ReadPage<Line>, hasNewest: boolean): readonly ReadPage<Line>[] | undefined {
    const { request, rows } = page;
    if (this.order !== undefined && !this.isGuess) return this.#test(page, hasNewest);
    const isFirst = this.order === undefined && this.#before === undefined;
    // The whole log, as it was when no line was behind it.
    const isKnownEnd = request.offset === 0 && this.#endsOffsets(request, rows.length);
    if (isFirst && isKnownEnd && hasNewest && rows.length < defaultLogLimit) return [page];
    if (request.offset === 0 && (this.isGuess || (isFirst && this.#isHeadLikely(rows)))) {
      this.#before = page;
      this.#probeBehind(rows.length);
      this.order = 'newest';
      this.isGuess = true;
      return [page];
    }
    if (this.isGuess && rows.length > 0) {
      const isProven = shownOrder(page, this.#before) === 'newest';
      if (!isProven) this.forget();
      this.isGuess = false;
      this.#isProven = isProven;
      return isProven ? [page] : undefined;
    }
    this.isGuess = false;
    const before = this.#before;
    this.#before = page;
    if (before === undefined || rows.length === 0) return this.#learnEnd(page, before);
    const age = ageOf(rows, before.rows);
    const shown = shownOrder(page, before);
    if (shown === 'oldest') return this.#found('oldest', []);
    if (shown === 'newest') {
      const isNext = request.offset === before.rows.length;
      const isHead = before.request.offset === 0;
      return this.#found('newest', isHead ? (isNext ? [before, page] : [before]) : []);
    }
    this.#hasAges ||= age === 'newer';
    if (request.offset === 0 && age === 'newer') this.#isOldestLikely = false;
    if (request.offset > 0 && age === 'newer') this.probe = 0;
    else this.#probeBehind(this.#distance * 2);
    return undefined;
  }

  /** Holds an order that nothing has proven against each further page. */
  #test(page: ReadPage<Line>, hasNewest: boolean): readonly ReadPage<Line>[] | undefined {
    const { request, rows } = page;
    const before = this.#before;
    if (this.#isProven || rows.length === 0) return [page];
    this.#before = page;
    const age = ageOf(rows, before?.rows ?? []);
    const distance = request.offset - (before?.request.offset ?? 0);
    const shown = shownOrder(page, before);
    if (shown !== undefined) return this.#found(shown, shown === this.order ? [page] : []);
    // Other lines are said to be newer than a page with the newest line, and not all of one time.
    const isNewestBehind = hasNewest && (compareAge(rows[0], rows.at(-1)) ?? 0) < 0;
    const isDoubtful = distance > 0 && age === 'newer';
    if (this.order !== 'newest' || request.offset === 0 || !(isNewestBehind || isDoubtful))
      return [page];
    // Offsets count from the oldest line, or else the log has grown: the page at 0 tells it.
    this.forget();
    this.#isOldestLikely = isNewestBehind;
    this.#wasRefuted = true;
    this.#before = page;
    this.#distance = request.offset;
    return undefined;
  }

  /** Rows from new to old let offsets count from the newest line, as long as nothing refutes it. */
  #isHeadLikely(rows: readonly LogRow<Line>[]): boolean {
    return rows.length > 0 && this.#rows === 'descending' && !this.#mustProve;
  }

  #learnEnd(page: ReadPage<Line>, before: ReadPage<Line> | undefined) {
    const { request, rows } = page;
    if (rows.length > 0) {
      this.#probeBehind(request.offset === 0 ? rows.length : 0);
      return undefined;
    }
    const isWhole = before !== undefined && request.offset === before.rows.length;
    const hasAges = this.#hasAges;
    this.#restart();
    this.order = undefined;
    if (request.offset === 0) return [page];
    if (isWhole) return [before];
    // The log has grown meanwhile, or else nothing tells the age of its lines.
    if (hasAges && this.#contradictions === 0) {
      this.#contradictions += 1;
      return undefined;
    }
    this.order = this.#isOldestLikely ? 'oldest' : 'newest';
    // Found again after a page had refuted it: no page will tell more.
    this.#isProven = this.#wasRefuted;
    return [];
  }

  #found(order: 'newest' | 'oldest', pages: readonly ReadPage<Line>[]) {
    this.#restart();
    this.order = order;
    this.#isProven = true;
    return pages;
  }

  #probeBehind(distance: number): void {
    this.#distance = distance;
    this.probe = distance;
  }

  #restart(): void {
    this.#before = undefined;
    this.#hasAges = false;
    this.#probeBehind(0);
  }

  /** The index of the newest line that was seen at the end of a log that counts from the oldest. */
  get newestIndex(): number {
    return this.order === 'oldest' ? Math.min(0, 1 - this.#seenEnd) : 0;
  }

  /** Returns the indexes of a page's rows; that of an empty page where a row would be. */
  rangeOf({ offset }: Slice, rows: number): PageRange {
    const last = offset + Math.max(1, rows) - 1;
    return this.order === 'oldest'
      ? { newest: -last, oldest: -offset }
      : { newest: offset, oldest: last };
  }

  /** Returns the offset of a page that shows the line at an index and `newer` newer ones. */
  offsetOf(index: number, limit: number, newer = overlapOf(limit)): number {
    const newest = index - newer;
    return Math.max(0, this.order === 'oldest' ? -newest - limit + 1 : newest);
  }

  /** Returns true when the service had no more rows for a page. */
  isShort({ limit }: Slice, rows: number): boolean {
    return rows < Math.min(limit, this.#most);
  }

  /** Returns true when the log begins with the oldest line of a page. */
  beginsLog(request: Slice, rows: number): boolean {
    if (this.isGuess) return false;
    return this.order === 'oldest' ? request.offset === 0 : this.#endsOffsets(request, rows);
  }

  /** Returns true when a page ends with the newest line of the log. */
  endsLog(request: Slice, rows: number): boolean {
    if (this.isGuess) return false;
    return this.order === 'newest' ? request.offset === 0 : this.#endsOffsets(request, rows);
  }

  #endsOffsets(request: Slice, rows: number): boolean {
    const isEmptyBehind =
      request.newest === this.#emptyNewest && request.offset + rows >= this.#emptyFrom;
    return isEmptyBehind || this.isShort(request, rows);
  }
}
