/** Finds the page of history that holds a time. */
import { type LogRow, rowKey, rowTime } from '../arena/row.ts';
import { splitOf } from '../arena/time-search.ts';
import type { PageSlice } from './page-request.ts';
import { linesTo, nearer, type PageRange, PageSearch, type SeenLine } from './page-search.ts';

/**
 * The end of a bisection. `found`: the last page holds the time, with lines on both sides of it.
 * `begins`: the last page begins the log, after the time. `refused`: the service answers no offset
 * that far back. `fixed`: it ignores offsets. `disordered`: its pages are not in the order of times.
 */
export type BisectionEnd =
  | 'found'
  | 'begins'
  | 'refused'
  | 'fixed'
  | 'untimed'
  | 'disordered'
  | 'exhausted';

export interface BisectionStart {
  /** The time to find, ms since the epoch. */
  readonly time: number;
  /** The line at offset 0. */
  readonly order: 'newest' | 'oldest';
  /** Most rows to request at once. */
  readonly pageSize: number;
  /** Index and time of a known line after the time. */
  readonly index: number;
  readonly indexTime: number;
  /** Milliseconds between two lines there; 0 when unknown. */
  readonly pace: number;
}

/** Most requests of a bisection: enough for ten million lines at a thousand a page. */
export const maxBisectionRequests = 25;

/** Requests after which each one halves the range. */
const mostGuesses = 8;

/** Most lines that the pace of the known lines lets one step back; the pace may be another there. */
const longestStep = 1e7;

/** Lines that a log is expected to have at least. */
const shortLog = 1000;

/** Pages in a row that tell nothing, after which a bisection ends. */
const mostUseless = 3;

export class TimeBisection {
  requests = 0;
  end: BisectionEnd | undefined;
  readonly #start: BisectionStart;
  readonly #search = new PageSearch();
  #limit: number;
  /** Rows that the next page is expected to have. */
  #rows: number;
  /** The most rows of a page so far, and whether the service gives no more of them at once. */
  #most = 0;
  #isLimited = false;
  /** The oldest row of the last page, its offset, and whether it had fewer rows than others. */
  #last: { readonly key: string; readonly offset: number; readonly isShort: boolean } | undefined;
  /** The last lines that were seen on either side of the time. */
  #newer: SeenLine;
  #older: SeenLine | undefined;
  /** The newest time of the oldest page at or after the time: the index of the known line is a guess. */
  #newest = Number.POSITIVE_INFINITY;
  /** True when the service refused an offset. */
  #isRefused = false;
  /** Pages in a row without times, or that are newer than one that lies before them. */
  #useless = 0;
  /** The index around which the next page must be. */
  #wanted: number | undefined;
  /** Lines that came since the start; indexes are kept without them. */
  #shift = 0;

  constructor(start: BisectionStart) {
    const { time, index, indexTime, order, pageSize, pace } = start;
    this.#start = start;
    this.#rows = pageSize;
    this.#limit = pageSize;
    this.#newer = { index, time: indexTime };
    if (order === 'oldest') this.#search.goNewer({ newest: 1, oldest: 1 }, 0);
    const expected = pace > 0 ? (indexTime - time) / pace : 0;
    const most = Math.min(longestStep, this.#search.high - index - pageSize / 2);
    const distance = Math.max(pageSize / 2, Math.min(expected, most));
    this.#search.goOlder({ newest: index, oldest: index }, distance);
  }

  /** Returns the time of the oldest line that was seen at or after the time. */
  get reached(): number {
    return this.#newer.time ?? this.#start.indexTime;
  }

  /**
   * Returns the page to request next; undefined at the end.
   * @param shift lines that are known to have come since the start.
   */
  next(shift = 0): PageSlice | undefined {
    if (this.end === undefined && this.requests >= maxBisectionRequests) this.end = 'exhausted';
    if (this.end !== undefined) return undefined;
    this.requests += 1;
    const isNewest = this.#start.order === 'newest';
    this.#shift = isNewest ? shift : 0;
    const index = (this.#wanted ?? this.#search.index(this.#start.index)) + this.#shift;
    this.#wanted = undefined;
    const offset = Math.round((isNewest ? index : -index) - this.#rows / 2);
    return { offset: Math.max(0, offset), limit: this.#limit };
  }

  /** Notes the page of a request. @param rows from old to new. */
  page(request: PageSlice, rows: readonly LogRow<unknown>[]): void {
    const [row] = rows;
    if (row === undefined) {
      this.#noteEmpty(request);
      return;
    }
    const isOldest = this.#noteRows(request, rows.length, rowKey(row));
    if (this.end !== undefined) return;
    const range = this.#rangeOf(request.offset, rows.length);
    const times = rows.map(rowTime).filter((time) => time !== undefined);
    const split = splitOf(times.map((time) => time < this.#start.time));
    if (times.length === 0) this.#leaveOut(range, 'untimed');
    else if (split > 0 && split < times.length) this.end = 'found';
    else if (split > 0) this.#noteOlder(range, times.at(-1));
    else if (isOldest) this.end = 'begins';
    else this.#noteNewer(range, Math.min(...times), Math.max(...times));
  }

  /** Notes that the service refused a request, for its size or for its offset. */
  refused(request: PageSlice, smallestPage: number): void {
    const { offset, limit } = request;
    if (limit > smallestPage) {
      const middle = offset + this.#rows / 2;
      this.#wanted = (this.#start.order === 'newest' ? middle : -middle) - this.#shift;
      this.#limit = smallestPage;
      this.#rows = Math.min(this.#rows, smallestPage);
      return;
    }
    this.#isRefused = true;
    this.#noteEmpty(request);
  }

  /**
   * Notes the oldest row of a page. Returns whether it is the oldest one of the log: a page with fewer rows than
   * others ends with the same row again.
   */
  #noteRows({ offset, limit }: PageSlice, rows: number, key: string): boolean {
    const before = this.#last;
    const isSame = before?.key === key;
    if (before?.isShort === true && !isSame) this.#isLimited = true;
    const isShort = rows < (this.#isLimited ? this.#most : limit);
    if (isSame && rows >= this.#most && Math.abs(offset - before.offset) >= this.#limit)
      this.end = 'fixed';
    this.#most = Math.max(this.#most, rows);
    this.#rows = this.#isLimited || isShort ? this.#most : limit;
    this.#last = { key, offset, isShort };
    return isShort && isSame && this.#older === undefined;
  }

  #rangeOf(offset: number, rows: number): PageRange {
    const [first, last] = [offset - this.#shift, offset + rows - 1 - this.#shift];
    const isNewest = this.#start.order === 'newest';
    return isNewest ? { newest: first, oldest: last } : { newest: -last, oldest: -first };
  }

  /** Returns the lines between one that was seen and the time, if times go on as up to a line on its other side. */
  #distance(seen: SeenLine, other: SeenLine, bound: number): number | undefined {
    if (this.requests > mostGuesses) return undefined;
    const most = Math.abs(bound - seen.index) - this.#rows / 2;
    return Math.min(Math.abs(linesTo(this.#start.time, seen, other) ?? 0), longestStep, most);
  }

  /** No line is at an offset: the log ends before it. */
  #noteEmpty({ offset, limit }: PageSlice): void {
    const range = this.#rangeOf(offset, limit);
    const { low, high } = this.#search;
    if (this.#start.order === 'oldest') {
      // The log has lost lines, so that all others have moved.
      if (!this.#search.goOlder(range, 0)) this.end = 'disordered';
      return;
    }
    const end = Math.max(range.newest, low + 1);
    const known = Math.max(shortLog, low);
    const middle = nearer(known, Math.min(end, high));
    const distance = middle === undefined ? undefined : end - middle;
    if (this.#search.goNewer({ newest: end, oldest: end + limit }, distance)) return;
    if (this.#isRefused) this.end = 'refused';
    else {
      // The guess was wrong, and the search begins anew.
      this.#newest = Number.POSITIVE_INFINITY;
      this.#wanted = low + 0.5;
    }
  }

  /** All rows of a page are at or after the time. */
  #noteNewer(range: PageRange, oldest: number, newest: number): void {
    // Between services, clocks differ: a page is out of order when all its times are.
    if (range.newest > this.#search.low && oldest > this.#newest) {
      this.#leaveOut(range, 'disordered');
      return;
    }
    this.#useless = 0;
    this.#newest = newest;
    const seen = { index: range.oldest, time: oldest };
    const distance = this.#distance(seen, this.#older ?? this.#newer, this.#search.high);
    this.#newer = seen;
    // The service may give fewer rows than the steps are to grow by.
    const isOpen = this.#search.goOlder({ ...range, newest: range.oldest - this.#limit }, distance);
    if (!isOpen && this.#older === undefined && (this.#isRefused || this.#start.order === 'oldest'))
      this.end = this.#isRefused ? 'refused' : 'begins';
    // Between two pages, the next one must hold the lines on both sides.
    else if (!isOpen) this.#wanted = range.oldest + 0.5;
    // Behind a short page may be no line: the next page tells.
    else if (this.#last?.isShort === true && this.#older === undefined)
      this.#wanted = range.oldest + 1 + this.#rows / 2;
  }

  /** All rows of a page are before the time. */
  #noteOlder(range: PageRange, newest: number | undefined): void {
    this.#useless = 0;
    this.#older = { index: range.newest, time: newest };
    const distance = this.#distance(this.#older, this.#newer, this.#search.low);
    if (!this.#search.goNewer(range, distance)) this.#wanted = range.newest - 0.5;
  }

  /** A page tells nothing: the one beside it is next. */
  #leaveOut({ newest, oldest }: PageRange, end: BisectionEnd): void {
    this.#useless += 1;
    if (this.#useless >= mostUseless) this.end = end;
    const hasRoom = oldest + 1 < this.#search.high;
    this.#wanted = hasRoom ? oldest + 1 + this.#rows / 2 : newest - this.#rows / 2;
  }
}
