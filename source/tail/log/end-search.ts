/**
 * Searches for the end of a log whose offsets count from its oldest line. Only pages tell where it is: behind
 * lines that they have, and before offsets at which they have none. Times are hints where to look.
 */
import { overlapOf, type PageSlice, smallPage } from './page-request.ts';
import { middleTime } from './time-walk.ts';

/** One of the last rows of a page, and the middle time of the page. */
interface Seen {
  readonly offset: number;
  readonly time: number | undefined;
}

/** Growth of the steps, in pages, while no end or no line is known. */
const growth = 4;

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
  /** The farthest page, and the one that was before it. */
  #low: Seen | undefined;
  #before: Seen | undefined;
  /** The lowest offset at which there was no line. */
  #high: number | undefined;
  #steps = 0;
  #pages = 0;
  #hints = 0;
  /** True when the page that was returned last follows a hint. */
  #isHinted = false;
  /** The offset behind a page that seems to end the log. */
  #behind: number | undefined;

  restart(): void {
    this.#low = undefined;
    this.#before = undefined;
    this.#high = undefined;
    this.#steps = 0;
    this.#pages = 0;
    this.#hints = 0;
    this.#behind = undefined;
  }

  /**
   * Returns the page to look at next.
   * @param expected offset of the page that is expected to end the log.
   * @param now the present time, ms since the epoch, if known: that of the last line in a busy log.
   */
  next(expected: number, pageSize: number, now: number | undefined): PageSlice {
    const small = Math.min(smallPage, pageSize);
    if (this.#behind !== undefined) return { offset: this.#behind, limit: small };
    const [low, high] = [this.#low, this.#high];
    this.#isHinted = false;
    if (low === undefined && high === undefined) return { offset: expected, limit: pageSize };
    const step = pageSize * growth ** this.#steps;
    if (low === undefined) return { offset: Math.max(0, (high ?? 0) - step), limit: small };
    const end = high ?? Number.POSITIVE_INFINITY;
    const hint = this.#hint(now, pageSize);
    this.#isHinted = hint !== undefined && hint < end;
    if (end - low.offset <= pageSize || hint === low.offset)
      return { offset: low.offset, limit: pageSize };
    if (hint !== undefined && hint < end) return { offset: hint, limit: small };
    if (high === undefined) return { offset: low.offset + step - pageSize, limit: small };
    // An empty page far behind tells less than a line: most logs are shorter than a hint has told.
    const isWide = high > growth ** 2 * Math.max(low.offset, pageSize);
    const middle = isWide
      ? Math.sqrt(Math.max(low.offset, pageSize) * high)
      : (low.offset + high) / 2;
    return { offset: Math.floor(middle), limit: small };
  }

  /** Returns the offset at which the log reaches the present time if it goes on at its pace. */
  #hint(now: number | undefined, pageSize: number): number | undefined {
    const [low, before] = [this.#low, this.#before];
    if (now === undefined || this.#hints >= mostHints) return undefined;
    if (low?.time === undefined || before?.time === undefined) return undefined;
    const pace = (low.offset - before.offset) / (low.time - before.time);
    const distance = (now - low.time) * pace;
    if (!(pace > 0 && distance >= 0 && distance <= longestHint)) return undefined;
    return low.offset + Math.max(0, Math.floor(distance * (1 - caution) - pageSize / 2));
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
    if (length > 0 && this.#pages > mostPages) return 'end';
    this.#behind = undefined;
    const hasGrown = this.#high !== undefined && offset + length > this.#high;
    if (hasGrown) this.#high = undefined;
    this.#steps = this.#isHinted || hasGrown ? 1 : this.#steps + 1;
    if (this.#isHinted) this.#hints += length === 0 ? missedHints : 1;
    if (length === 0) {
      // The log has lost lines, so that all others have moved.
      if (this.#low !== undefined && this.#low.offset >= offset) {
        this.#low = undefined;
        this.#steps = 1;
      }
      this.#high = offset;
      return 'far';
    }
    const end = offset + length;
    if (isShort) {
      this.#behind = end - Math.min(overlap, length - 1);
      return 'near';
    }
    const known = Math.min(length - 1, Math.max(1, overlapOf(length)));
    this.#before = this.#low;
    this.#low = { offset: end - known, time: middleTime(times) };
    return 'far';
  }
}
