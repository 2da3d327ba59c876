/** Pages of history away from the known lines: the search for a time, and the lines found by it. */
import type { Place } from '../arena/place.ts';
import { type LogRow, rowTime } from '../arena/row.ts';
import type { Log } from './log.ts';
import { overlapOf, type PageSlice } from './page-request.ts';
import { TimeBisection } from './time-bisection.ts';
import { middleTime } from './time-walk.ts';

/** Known lines, at most so many, among which one with a time is looked for. */
const maxUntimed = 100;

export class PastPages<Line> {
  readonly #log: Log<Line>;

  constructor(log: Log<Line>) {
    this.#log = log;
  }

  get #offsets() {
    return this.#log.pages.offsets;
  }

  /**
   * Returns a search for a time before a known line; undefined while the meaning of offsets or the
   * times of the known lines are unknown.
   * @param from place of the line.
   */
  search(time: number, from: Place, pageSize: number): TimeBisection | undefined {
    const { order, isGuess } = this.#offsets;
    const { held, pages } = this.#log;
    const known = held.from(from, maxUntimed);
    const timed = known.find(({ row }) => rowTime(row) !== undefined);
    // The clocks of services differ.
    const indexTime = middleTime(known.map(({ row }) => rowTime(row)));
    if (order === undefined || isGuess || timed === undefined) return undefined;
    if (indexTime === undefined) return undefined;
    const newest = held.upTo(Number.POSITIVE_INFINITY, 1)[0];
    const span = ((newest && rowTime(newest.row)) ?? indexTime) - indexTime;
    return new TimeBisection({
      time,
      order,
      pageSize,
      index: pages.indexOf(held, timed.place),
      indexTime,
      pace: Math.max(0, span) / Math.max(1, held.linesFrom(timed.place)),
    });
  }

  /**
   * Returns a search for the last line before a time among lines that the service itself has chosen;
   * undefined while the meaning of offsets is unknown.
   */
  hintSearch(time: number, pageSize: number): TimeBisection | undefined {
    const newest = this.#log.held.upTo(Number.POSITIVE_INFINITY, 1)[0];
    const indexTime = newest && rowTime(newest.row);
    const { order } = this.#offsets;
    if (order === undefined || indexTime === undefined) return undefined;
    // No more lines are chosen than there are.
    const index = order === 'newest' ? -1 : this.#offsets.newestIndex - 1;
    return new TimeBisection({ time, order, pageSize, index, indexTime, pace: 0 });
  }

  /**
   * Returns the page so many lines older than another one, or newer if negative. Its offset is below 0 beyond
   * one end of the log.
   */
  shifted({ offset, limit }: PageSlice, lines: number): PageSlice {
    return { offset: this.#offsets.order === 'oldest' ? offset - lines : offset + lines, limit };
  }

  /** Returns the page that follows another one of so many rows. */
  next(slice: PageSlice, rows: number, side: 'older' | 'newer'): PageSlice {
    const limit = Math.min(slice.limit, this.#offsets.pageSize);
    // Offsets that count towards the walk lead behind the rows, others before the next page.
    if ((this.#offsets.order === 'oldest') === (side === 'newer'))
      return this.shifted(slice, side === 'older' ? rows : -rows);
    return this.shifted({ ...slice, limit }, side === 'older' ? limit : -limit);
  }

  /** Returns a request for the same lines after others have come. */
  moved(slice: PageSlice, lines: number): PageSlice {
    if (this.#offsets.order === 'oldest') return slice;
    return { ...slice, offset: slice.offset + lines };
  }

  /** Notes the number of rows of a page, and returns these from old to new. */
  page(slice: PageSlice, raw: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    this.#offsets.note(slice, raw.length, this.#log.held.newest);
    return this.sorted(raw);
  }

  /** Returns the rows of a page from old to new. */
  sorted(raw: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    return this.#offsets.sorted(raw);
  }

  /**
   * Returns the page with the lines beside a gap: those directly before its end, or directly after
   * its start, and some known ones. A page that would reach the place with its last rows has no more of
   * them than services are known to give.
   */
  beside(place: Place, side: 'older' | 'newer', most: number): PageSlice {
    const index = this.#log.pages.indexOf(this.#log.held, place);
    const isFirst = this.#offsets.order !== 'oldest' && side === 'older';
    const limit = isFirst ? most : Math.min(most, this.#offsets.pageSize);
    const newer = side === 'older' ? overlapOf(limit) : limit - overlapOf(limit);
    return { offset: this.#offsets.offsetOf(index, limit, newer), limit };
  }
}
