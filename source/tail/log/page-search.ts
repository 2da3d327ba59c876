/**
 * Searches for the page that holds a point of the log, such as a line or a time, by bisection. Lines have an
 * index that rises with their age, whatever the offsets of the service count from; see `Offsets.rangeOf`.
 */

/** The indexes of the newest and of the oldest row of a page. */
export interface PageRange {
  readonly newest: number;
  readonly oldest: number;
}

/** The indexes between which the point must be, and the one where it is looked for next. */
interface Search {
  /** The point is older than the line at `low`, and newer than the one at `high`. */
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

  /** The index of the newest line that the point may be older than; infinite without one. */
  get low(): number {
    return this.#search.low;
  }

  get high(): number {
    return this.#search.high;
  }

  /** The indexes at which the point may be. */
  get width(): number {
    return this.#search.high - this.#search.low;
  }

  /** Returns the index to look at: the one that was found, or else the expected one. */
  index(expected: number): number {
    const { low, high, guess } = this.#search;
    if (guess !== undefined && guess > low && guess < high) return guess;
    if (low > Number.NEGATIVE_INFINITY && high < Number.POSITIVE_INFINITY)
      return Math.floor((low + high) / 2);
    if (expected > low && expected < high) return expected;
    return high === Number.POSITIVE_INFINITY ? low + 1 : high - 1;
  }

  /** The point is directly behind the oldest row of a page, if there is any. */
  follow({ oldest }: PageRange): void {
    this.#search = { ...anywhere, low: oldest, guess: oldest + 1 };
  }

  /**
   * The point is older than a page, by about `distance` lines. Returns false when no line is left
   * between that page and a newer one.
   */
  goOlder(range: PageRange, distance?: number): boolean {
    const low = Math.max(range.oldest, this.#search.low);
    return this.#narrow(low, this.#search.high, distance, (misses) => {
      return range.oldest + stepOf(range, distance, misses);
    });
  }

  /** The point is newer than a page, by about `distance` lines. */
  goNewer(range: PageRange, distance?: number): boolean {
    const high = Math.min(range.newest, this.#search.high);
    return this.#narrow(this.#search.low, high, distance, (misses) => {
      return range.newest - stepOf(range, distance, misses);
    });
  }

  #narrow(
    low: number,
    high: number,
    distance: number | undefined,
    guessOf: (misses: number) => number,
  ): boolean {
    const { misses } = this.#search;
    const isHalved = 2 * (high - low) <= this.width;
    // Lines have moved since the bounds were seen: what lies there is looked at once more.
    if (high - low <= 1) this.#search = { ...anywhere, guess: guessOf(0), misses: 1 };
    else if (high - low === Number.POSITIVE_INFINITY)
      this.#search = { low, high, guess: guessOf(misses), misses: misses + 1 };
    // A guess that did not halve the range is followed by a look at its middle.
    else {
      const guess = isHalved && distance !== undefined ? guessOf(0) : undefined;
      this.#search = { low, high, guess, misses: 0 };
    }
    return high - low > 1;
  }
}

/** Returns the lines to go on from a page: more with each page that the point was not near. */
function stepOf(
  { newest, oldest }: PageRange,
  distance: number | undefined,
  misses: number,
): number {
  const isFirst = distance !== undefined && misses === 0;
  return Math.max(1, distance ?? 0, isFirst ? 0 : (oldest - newest + 1) * 4 ** misses);
}

/** A line of a page. */
export interface SeenLine {
  readonly index: number;
  /** Ms since the epoch. */
  readonly time: number | undefined;
}

/**
 * Returns by how many lines a time is older than a line, or newer if negative, if time goes on as between that
 * line and another one. Undefined where these tell no pace.
 */
export function linesTo(time: number, from: SeenLine, other: SeenLine): number | undefined {
  if (from.time === undefined || other.time === undefined) return undefined;
  const pace = (other.index - from.index) / (from.time - other.time);
  return pace > 0 && pace < Number.POSITIVE_INFINITY ? (from.time - time) * pace : undefined;
}

/**
 * Returns the index to look at between a line and an offset without one, far from all lines: most logs are much
 * shorter. Undefined where that is not far.
 * @param line distance of the line from the end of the log where indexes begin.
 */
export function nearer(line: number, empty: number): number | undefined {
  return empty > 16 * line ? Math.floor(Math.sqrt(line * empty)) : undefined;
}
