/**
 * Finds the page of history that holds a time, by bisection over offsets. Lines have an index that
 * rises with their age, whatever the offsets of the service count from; see `Offsets.rangeOf`.
 */
import { type LogRow, rowTime } from '../arena/row.ts';
import type { PageSlice } from './page-request.ts';
import type { PageRange } from './page-search.ts';

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

/** Growth of the steps back, in lines, while nothing is known to be older than the time. */
const firstStep = 1000;
const stepGrowth = 8;

/** Most lines that the pace of the known lines lets one step back; the pace may be another there. */
const longestStep = 1e7;

/** Pages without a time in a row after which a bisection ends. */
const maxUntimed = 3;

/** An index on one side of the time; without a time, no line is known there. */
interface Bound {
  readonly index: number;
  readonly time: number | undefined;
}

export class TimeBisection {
  requests = 0;
  end: BisectionEnd | undefined;
  readonly #start: BisectionStart;
  #limit: number;
  /** Rows that the next page is expected to have. */
  #rows: number;
  /** The most rows of a page so far, and whether the service gives no more of them at once. */
  #most = 0;
  #isLimited = false;
  /** Oldest row of the last page, if that was short. */
  #shortKey: string | undefined;
  /** True when the last page ends with the same row again, which new lines have moved. */
  #isOldest = false;
  /** The oldest index known to be at or after the time, and the newest time of its page. */
  #low: Bound;
  #lowNewest: number;
  /** The newest index known to be before the time, or behind the oldest line of the log. */
  #high: Bound | undefined;
  /** True when the service refused the offset of `#high`. */
  #isRefused = false;
  #steps = 0;
  /** True once a page was newer than one that lies behind it. */
  #hasContradicted = false;
  #untimed = 0;
  /** The range before an interpolation, which must halve it. */
  #rangeBefore: number | undefined;
  /** The index around which the next page must be. */
  #wanted: number | undefined;
  /** Lines that came since the start; bounds are kept without them. */
  #shift = 0;
  readonly #offsets = new Map<string, number>();

  constructor(start: BisectionStart) {
    this.#start = start;
    this.#rows = start.pageSize;
    this.#limit = start.pageSize;
    this.#low = { index: start.index, time: start.indexTime };
    this.#lowNewest = start.indexTime;
    if (start.order === 'oldest') this.#high = { index: 1, time: undefined };
  }

  /** Returns the time of the oldest line that was seen at or after the time. */
  get reached(): number {
    return this.#low.time ?? this.#start.indexTime;
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
    const index = (this.#wanted ?? this.#guess()) + this.#shift;
    this.#wanted = undefined;
    const offset = Math.round((isNewest ? index : -index) - this.#rows / 2);
    return { offset: Math.max(0, offset), limit: this.#limit };
  }

  /** Notes the page of a request. @param rows from old to new. */
  page(request: PageSlice, rows: readonly LogRow<unknown>[]): void {
    const { offset } = request;
    const times = rows.map(rowTime);
    const [row] = rows;
    if (row === undefined) {
      this.#noteEmpty(offset);
      return;
    }
    const key = [row.id, row.timestamp, row.service, row.text].join('\n');
    const before = this.#offsets.get(key);
    const isWhole = times.length >= this.#most;
    if (isWhole && before !== undefined && Math.abs(offset - before) >= this.#limit) {
      this.end = 'fixed';
      return;
    }
    this.#offsets.set(key, offset);
    const range = this.#rangeOf(offset, times.length);
    const known = times.filter((time) => time !== undefined);
    this.#noteRows(request, times.length, key);
    const split = timeSplit(known, this.#start.time);
    if (known.length === 0) this.#noteUntimed(range);
    else if (split > 0 && split < known.length) this.end = 'found';
    // Between services, clocks differ: a page is out of order when all its times are.
    else if (split === 0) this.#noteNewer(range, Math.min(...known), Math.max(...known));
    else this.#noteOlder(range, known.at(-1));
  }

  /** Notes that the service refused a request, for its size or for its offset. */
  refused({ offset, limit }: PageSlice, smallestPage: number): void {
    if (limit > smallestPage) {
      this.#wanted = this.#middle(offset);
      this.#limit = smallestPage;
      this.#rows = Math.min(this.#rows, smallestPage);
    } else {
      this.#noteEmpty(offset);
      this.#isRefused = true;
      if (this.#rangeOf(offset, 1).newest <= this.#low.index + 1) this.end = 'refused';
    }
  }

  /** Returns the index in the middle of a page. */
  #middle(offset: number): number {
    const middle = offset + this.#rows / 2;
    return (this.#start.order === 'newest' ? middle : -middle) - this.#shift;
  }

  /** A short page ends the log, or else the service gives no more rows at once. */
  #noteRows({ limit }: PageSlice, rows: number, key: string): void {
    const before = this.#shortKey;
    if (before !== undefined && before !== key) this.#isLimited = true;
    const isShort = rows < (this.#isLimited ? this.#most : limit);
    this.#isOldest = isShort && before === key;
    this.#shortKey = isShort ? key : undefined;
    this.#most = Math.max(this.#most, rows);
    this.#rows = this.#isLimited || isShort ? this.#most : limit;
  }

  #rangeOf(offset: number, rows: number): PageRange {
    const [first, last] = [offset - this.#shift, offset + rows - 1 - this.#shift];
    const isNewest = this.#start.order === 'newest';
    return isNewest ? { newest: first, oldest: last } : { newest: -last, oldest: -first };
  }

  #guess(): number {
    const [low, high] = [this.#low, this.#high];
    const half = this.#rows / 2;
    const expected = this.#expected();
    if (high === undefined) {
      const step = this.#steps === 0 ? 0 : firstStep * stepGrowth ** this.#steps;
      return low.index + Math.max(half, Math.min(expected ?? 0, longestStep), step);
    }
    const range = high.index - low.index;
    const wasSlow = this.#rangeBefore !== undefined && range * 2 > this.#rangeBefore;
    const needed = Math.ceil(Math.log2(Math.max(1, range / this.#rows))) + 2;
    const isAffordable = maxBisectionRequests - this.requests > needed;
    this.#rangeBefore = undefined;
    // Most logs are much shorter than the first step.
    const isWide = high.time === undefined && high.index > 8 * Math.max(firstStep, low.index);
    if (isWide && isAffordable && (expected === undefined || wasSlow))
      return Math.sqrt(Math.max(firstStep, low.index) * high.index);
    if (expected === undefined || wasSlow || !isAffordable || range <= this.#rows)
      return low.index + range / 2;
    this.#rangeBefore = range;
    return Math.min(low.index + Math.max(expected, half), high.index - half);
  }

  /** Returns the lines that the time is expected behind `#low`, by the pace of lines around it. */
  #expected(): number | undefined {
    const { time, pace } = this.#start;
    const [low, high] = [this.#low, this.#high];
    if (low.time === undefined) return undefined;
    if (high?.time === undefined) return pace > 0 ? (low.time - time) / pace : undefined;
    const share = (low.time - time) / Math.max(1, low.time - high.time);
    return share * (high.index - low.index);
  }

  /** No line is at an offset: the log ends before it. */
  #noteEmpty(offset: number): void {
    const { newest } = this.#rangeOf(offset, 1);
    if (this.#start.order === 'oldest') {
      // The log has lost lines, so that all others have moved.
      this.#low = { index: newest, time: undefined };
      if (this.#high === undefined || newest >= this.#high.index) this.end = 'disordered';
    } else {
      this.#isRefused = false;
      this.#narrow({ index: Math.max(newest, this.#low.index + 1), time: undefined });
    }
  }

  /** All rows of a page are at or after the time. */
  #noteNewer(range: PageRange, oldest: number, newest: number): void {
    this.#untimed = 0;
    this.#steps += 1;
    if (range.newest > this.#low.index && oldest > this.#lowNewest) {
      // The same page again would tell that the service ignores offsets.
      if (this.#hasContradicted) this.end = 'disordered';
      this.#hasContradicted = true;
      this.#wanted = range.oldest + this.#limit;
      return;
    }
    if (range.oldest >= this.#low.index) {
      this.#low = { index: range.oldest, time: oldest };
      this.#lowNewest = newest;
    }
    const high = this.#high;
    if (this.#isOldest && high?.time === undefined) {
      this.end = 'begins';
      return;
    }
    const isShort = this.#shortKey !== undefined || this.#start.order === 'oldest';
    // Behind a short page may be no line: the next page tells.
    if (this.#start.order === 'newest' && high?.time === undefined && isShort)
      this.#wanted = this.#low.index + 1 + this.#rows / 2;
    if (high === undefined || this.#low.index < high.index - 1) return;
    const isAtEnd = this.#low.index === high.index - 1 && isShort;
    if (high.time === undefined && (this.#isRefused || isAtEnd))
      this.end = this.#isRefused ? 'refused' : 'begins';
    else {
      // Lines that came meanwhile have moved the older bound: it is behind this page.
      if (this.#low.index >= high.index) {
        this.#high = undefined;
        this.#steps = 0;
      }
      this.#wanted = this.#low.index + (this.#high === undefined ? this.#rows / 4 : 0.5);
    }
  }

  /** All rows of a page are before the time. */
  #noteOlder(range: PageRange, newest: number | undefined): void {
    this.#untimed = 0;
    if (range.newest <= this.#low.index) {
      // The log has lost lines, so that all others have moved.
      this.#low = { index: range.newest - firstStep * stepGrowth, time: undefined };
    }
    this.#narrow({ index: range.newest, time: newest });
  }

  #narrow(high: Bound): void {
    if (this.#high === undefined || high.index <= this.#high.index) this.#high = high;
    // Between two pages, the next one must hold the lines on both sides.
    if (this.#high.index - this.#low.index <= 1) this.#wanted = this.#low.index + 0.5;
  }

  #noteUntimed({ newest, oldest }: PageRange): void {
    this.#untimed += 1;
    if (this.#untimed >= maxUntimed) this.end = 'untimed';
    const hasRoom = this.#high === undefined || oldest + 1 < this.#high.index;
    this.#wanted = hasRoom ? oldest + 1 + this.#rows / 2 : newest - this.#rows / 2;
  }
}

/**
 * Returns how many of some nearly sorted times lie before a time: the split with the fewest times on
 * the wrong side, the first of these.
 */
function timeSplit(times: readonly number[], time: number): number {
  let misplaced = times.filter((each) => each < time).length;
  let fewest = misplaced;
  let split = 0;
  for (const [index, each] of times.entries()) {
    misplaced += each < time ? -1 : 1;
    if (misplaced < fewest) {
      fewest = misplaced;
      split = index + 1;
    }
  }
  return split;
}
