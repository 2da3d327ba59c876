/**
 * Searches for the end of a log whose offsets count from its oldest line. Only pages tell where it is: behind
 * lines that they have, and before offsets at which they have none. Times are hints where to look.
 */
import { overlapOf, type PageSlice, smallPage } from './page-request.ts';
import { linesTo, nearer, PageSearch, type SeenLine } from './page-search.ts';
import { middleTime } from './time-walk.ts';

/** The first step towards the end, in pages. */
const firstStep = 4;

/** Most pages that are looked at because of times; one without a line counts as several. */
const mostHints = 8;
const missedHints = 4;

/** The longest distance in lines that times let one look ahead. */
const longestHint = 1e9;

/** Pages after which any lines count as the last ones: the log grows as quickly as it is read. */
const mostPages = 64;

/** The share of the expected distance by which a hint stays before the end, since a line tells a time. */
const caution = 1 / 64;

export class EndSearch {
  /** The index of an offset is its negative. */
  readonly #search = new PageSearch();
  /** One of the last rows of the farthest page, and that of the page before. */
  #last: SeenLine | undefined;
  #before: SeenLine | undefined;
  #pages = 0;
  #hints = 0;
  /** True when the page that was returned last follows a hint. */
  #isHinted = false;
  /** The offset behind a page that seems to end the log. */
  #behind: number | undefined;
  /** The lowest offset that the service refused: no page can begin there. */
  #refusedFrom = Number.POSITIVE_INFINITY;
  #isCutOff = false;

  /** True when lines may follow the page that ended the last search: the service refused the offset behind it. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  restart(): void {
    this.#search.restart();
    this.#last = undefined;
    this.#before = undefined;
    this.#pages = 0;
    this.#hints = 0;
    this.#behind = undefined;
    this.#refusedFrom = Number.POSITIVE_INFINITY;
  }

  /** Notes a refused offset, behind which no line can be read. Returns false when no offset before it is left. */
  refused({ offset }: PageSlice): boolean {
    this.#pages += 1;
    this.#hints = mostHints;
    this.#behind = undefined;
    this.#refusedFrom = Math.min(this.#refusedFrom, offset);
    return this.#search.goOlder({ newest: -offset, oldest: -offset });
  }

  /**
   * Returns the page to look at next.
   * @param expected offset of the page that is expected to end the log.
   * @param now the present time, ms since the epoch, if known: that of the last line in a busy log.
   */
  next(expected: number, pageSize: number, now: number | undefined): PageSlice {
    const small = Math.min(smallPage, pageSize);
    if (this.#behind !== undefined) return { offset: this.#behind, limit: small };
    if (this.#pages === 0) return { offset: expected, limit: pageSize };
    const { low, high, width } = this.#search;
    const hint = this.#hint(now, pageSize);
    this.#isHinted = hint !== undefined && -hint > low;
    if (width <= pageSize || hint === -high) return { offset: -high, limit: pageSize };
    const index = hint !== undefined && this.#isHinted ? -hint : this.#search.index(-expected);
    return { offset: Math.max(0, -index), limit: small };
  }

  /** Returns the offset at which the log reaches the present time if it goes on at its pace. */
  #hint(now: number | undefined, pageSize: number): number | undefined {
    const [last, before] = [this.#last, this.#before];
    if (now === undefined || this.#hints >= mostHints) return undefined;
    if (last === undefined || before === undefined) return undefined;
    const distance = -(linesTo(now, last, before) ?? 1);
    if (!(distance >= 0 && distance <= longestHint)) return undefined;
    return Math.max(0, Math.floor(distance * (1 - caution) - pageSize / 2)) - last.index;
  }

  /**
   * Notes a page. `near`: it seems to end the log, and the page behind it will tell; `far`: the end is looked
   * for further.
   * @param times those of its rows, ms since the epoch.
   * @param overlap rows that the page behind it is to show once more.
   */
  page(
    { offset, limit }: PageSlice,
    times: readonly (number | undefined)[],
    overlap: number,
  ): 'end' | 'near' | 'far' {
    const { length } = times;
    const isShort = length < limit;
    if (length === 0 && offset === 0) return 'end';
    if (offset === this.#behind && isShort) return 'end';
    this.#pages += 1;
    const isRefused = offset + length >= this.#refusedFrom;
    // A short page has all lines: some services refuse what lies behind the last one.
    this.#isCutOff = isRefused && !isShort;
    if (length > 0 && (isRefused || this.#pages > mostPages)) return 'end';
    this.#behind = undefined;
    if (this.#isHinted) this.#hints += length === 0 ? missedHints : 1;
    if (length === 0) {
      const isKnown = this.#search.high < Number.POSITIVE_INFINITY;
      const middle = isKnown ? nearer(Math.max(limit, -this.#search.high), offset) : undefined;
      const distance = middle === undefined ? undefined : offset - middle;
      this.#narrowed(
        this.#search.goOlder({ newest: 1 - offset - limit, oldest: -offset }, distance),
      );
      return 'far';
    }
    const end = offset + length;
    if (isShort) {
      this.#behind = end - Math.min(overlap, length - 1);
      return 'near';
    }
    const known = Math.min(length - 1, Math.max(1, overlapOf(length)));
    this.#before = this.#last;
    const index = known - end;
    this.#last = { index, time: middleTime(times) };
    // Steps grow by what was asked for, not by what one page shows.
    this.#narrowed(this.#search.goNewer({ newest: index, oldest: index + firstStep * limit }));
    return 'far';
  }

  /** A log that grew past the bounds of the search ends close behind them: times lead farther away. */
  #narrowed(isLeft: boolean): void {
    if (!isLeft) this.#hints = mostHints;
  }
}
