/**
 * Searches for the page that holds a line, by bisection. Lines have an index that rises with their
 * age, whatever the offsets of the service count from; see `Offsets.rangeOf`.
 */

/** The indexes of the newest and of the oldest row of a page. */
export interface PageRange {
  readonly newest: number;
  readonly oldest: number;
}

/** The indexes between which a line must be, and the one where it is looked for next. */
interface Search {
  /** The line is older than the one at `low`, and newer than the one at `high`. */
  readonly low: number;
  readonly high: number;
  readonly guess: number | undefined;
  readonly misses: number;
}

const anywhere: Search = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  guess: undefined,
  misses: 0,
};

export class PageSearch {
  #search = anywhere;

  restart(): void {
    this.#search = anywhere;
  }

  /** The indexes at which the line may be. */
  get width(): number {
    return this.#search.high - this.#search.low;
  }

  /** Returns the index to look at: the one that was found, or else the expected one. */
  index(expected: number): number {
    const { low, high, guess = expected } = this.#search;
    if (guess > low && guess < high) return guess;
    if (high === Number.POSITIVE_INFINITY) return low + 1;
    return low === Number.NEGATIVE_INFINITY ? high - 1 : Math.floor((low + high) / 2);
  }

  /** The line is directly behind the oldest one of a page, if there is any. */
  follow({ oldest }: PageRange): void {
    this.#search = { ...anywhere, low: oldest, guess: oldest + 1 };
  }

  /**
   * The line is older than a page, by about `distance` lines. Returns false when no line is left
   * between that page and a newer one.
   */
  goOlder({ newest, oldest }: PageRange, distance: number): boolean {
    const low = Math.max(oldest, this.#search.low);
    return this.#narrow(low, this.#search.high, oldest + this.#step(oldest - newest, distance));
  }

  /** The line is newer than a page, by about `distance` lines. */
  goNewer({ newest, oldest }: PageRange, distance: number): boolean {
    const high = Math.min(newest, this.#search.high);
    return this.#narrow(this.#search.low, high, newest - this.#step(oldest - newest, distance));
  }

  #step(rows: number, distance: number): number {
    const { misses } = this.#search;
    return Math.max(1, distance, misses === 0 ? 0 : (rows + 1) * 4 ** misses);
  }

  #narrow(low: number, high: number, guess: number): boolean {
    const misses = this.#search.misses + 1;
    const isClosed = high - low <= 1;
    // Lines have moved since the bounds were seen: what lies there is looked at once more.
    this.#search = isClosed ? { ...anywhere, guess, misses } : { low, high, guess, misses };
    return !isClosed;
  }
}
