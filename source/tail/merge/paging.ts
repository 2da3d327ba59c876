/**
 * Finds the pages that hold given lines. The meaning of an offset is found out by looking: it counts
 * from the newest line or from the oldest one. An index is the offset of one line.
 */

/** The line at offset 0; undefined while that is unknown. */
export type OffsetOrder = 'newest' | 'oldest' | undefined;

/** The indexes between which a line must be, and the one where it is looked for next. */
interface Search {
  /** The line has a higher index; -1 at first. */
  readonly low: number;
  /** The line has a lower index; undefined while nothing is known. */
  readonly high: number | undefined;
  readonly guess: number | undefined;
  readonly misses: number;
}

const anywhere: Search = { low: -1, high: undefined, guess: undefined, misses: 0 };

/** Rows that neighbouring pages have in common, so that lines moving between two answers show. */
export function overlapOf(limit: number): number {
  return Math.min(32, limit >> 2);
}

/** The position of a page's rows in the log. */
export interface PagePlace {
  readonly offset: number;
  readonly rows: number;
}

/** Searches for the page that holds a line. */
export class PageSearch {
  #search = anywhere;

  restart(): void {
    this.#search = anywhere;
  }

  /** Returns the index to look at: the one that was found, or else the expected one. */
  index(expected: number): number {
    const { low, high, guess } = this.#search;
    return Math.max(0, between(guess ?? expected, low, high));
  }

  /** The line was seen at an index, or must be exactly there. */
  found(index: number): void {
    this.#search = { ...anywhere, guess: index };
  }

  /** The line has a higher index than the page's rows, by about `distance`. */
  isBehind({ offset, rows }: PagePlace, distance: number): void {
    const low = offset + rows - 1;
    const { high, misses } = this.#search;
    const guess = low + Math.max(1, distance, misses === 0 ? 0 : rows * 2 ** misses);
    // Nothing lies between: the rows up to the end are looked at once more.
    if (high !== undefined && high - low <= 1) this.#narrow(low, undefined, low + 1);
    else this.#narrow(Math.max(low, this.#search.low), high, guess);
  }

  /** The line has a lower index than the page's rows, by about `distance`. */
  isBefore({ offset, rows }: PagePlace, distance: number): void {
    const { low, misses } = this.#search;
    const guess = offset - Math.max(1, distance, misses === 0 ? 0 : rows * 2 ** misses);
    const high = Math.min(offset, this.#search.high ?? offset);
    if (high - low <= 1) this.#narrow(-1, high, high - 1);
    else this.#narrow(low, high, guess);
  }

  #narrow(low: number, high: number | undefined, guess: number): void {
    const misses = this.#search.misses + 1;
    this.#search = { low, high, guess, misses };
  }
}

/** Returns an index strictly between two bounds: the guess, or else the middle. */
function between(guess: number, low: number, high: number | undefined): number {
  if (high === undefined) return Math.max(low + 1, guess);
  return guess > low && guess < high ? guess : Math.floor((low + high) / 2);
}

/** Searches for the end of a log whose offsets count from the oldest line. */
export class EndSearch {
  /** The highest index at which a line is known to be, and a lower bound of those without one. */
  #low = -1;
  #high: number | undefined;
  /** The highest index whose page was read. */
  #read = -1;
  #step = 1;
  #isNear = true;

  /**
   * Begins behind an index at which a line was.
   *
   * @param isNear true when the end may well be in the page behind it.
   */
  restart(index: number, isNear = true): void {
    this.#isNear = isNear;
    this.#low = index;
    this.#high = undefined;
    this.#read = -1;
    this.#step = 1;
  }

  get isFound(): boolean {
    return this.#high !== undefined && this.#read + 1 >= this.#high;
  }

  /** Returns the next offset to look at, with 1 as limit where only the existence counts. */
  next(limit: number): { readonly offset: number; readonly limit: number } {
    const low = this.#low;
    const high = this.#high;
    if (high !== undefined) {
      // The page that was read last ended sooner than it could have.
      if (this.#read === low && low >= 0) return { offset: low + 1, limit: 1 };
      if (high - 1 - low <= limit - overlapOf(limit)) {
        return { offset: Math.max(0, high - limit), limit };
      }
      return { offset: Math.floor((low + high) / 2), limit: 1 };
    }
    if (this.#isNear || low < 0) return { offset: Math.max(0, low - overlapOf(limit)), limit };
    return { offset: low + this.#step, limit: 1 };
  }

  /** @param isShort the page has fewer rows than the service could have given. */
  look({ offset, rows }: PagePlace, limit: number, isShort: boolean): void {
    if (rows === 0) {
      if (offset <= this.#low) this.restart(-1);
      this.#high = Math.min(this.#high ?? offset, offset);
      return;
    }
    const last = offset + rows - 1;
    if (limit > 1) {
      this.#read = Math.max(this.#read, last);
      this.#isNear = false;
    }
    if (last >= (this.#high ?? last + 1)) this.#high = undefined;
    this.#low = Math.max(this.#low, last);
    if (limit === 1) this.#step = Math.max(limit, this.#step) * 8;
    if (isShort) this.#high = last + 1;
  }
}
