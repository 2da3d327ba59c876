/** Pages of history away from the known lines: the search for a time, and the lines found by it. */
import type { Place } from '../arena/place.ts';
import { type LogRow, rowTime } from '../arena/row.ts';
import { giveUp, spanAt } from '../arena/spans.ts';
import type { JoinedLines } from './joined-lines.ts';
import type { LinePlaces } from './line-places.ts';
import type { Offsets } from './offsets.ts';
import type { PageLines } from './page-lines.ts';
import type { PageRequest } from './page-request.ts';
import { overlapOf } from './page-search.ts';
import type { BisectedPage, BisectionRequest } from './bisection-request.ts';
import { TimeBisection } from './time-bisection.ts';
import { noWork, type WantedPages } from './wanted-pages.ts';

/** Known lines, at most so many, among which one with a time is looked for. */
const maxUntimed = 100;

/** The parts of the merge that a page goes through. */
export interface PageParts<Line> {
  readonly joined: JoinedLines<Line>;
  readonly offsets: Offsets<Line>;
  readonly wanted: WantedPages<Line>;
  readonly pages: PageLines<Line>;
  readonly places: LinePlaces<Line>;
  /** Returns whether the open stream has brought lines. */
  readonly isFlowing: () => boolean;
}

export class PastPages<Line> {
  readonly #joined: JoinedLines<Line>;
  readonly #offsets: Offsets<Line>;
  readonly #wanted: WantedPages<Line>;
  readonly #pages: PageLines<Line>;
  readonly #places: LinePlaces<Line>;
  readonly #isFlowing: () => boolean;

  constructor({ joined, offsets, wanted, pages, places, isFlowing }: PageParts<Line>) {
    this.#joined = joined;
    this.#offsets = offsets;
    this.#wanted = wanted;
    this.#pages = pages;
    this.#places = places;
    this.#isFlowing = isFlowing;
  }

  /**
   * Returns a search for a time before a known line; undefined while the meaning of offsets or the
   * times of the known lines are unknown.
   * @param from place of the line.
   */
  search(time: number, from: Place, pageSize: number): TimeBisection | undefined {
    const { order } = this.#offsets;
    const { log } = this.#joined;
    const timed = log.from(from, maxUntimed).find(({ row }) => rowTime(row) !== undefined);
    const indexTime = timed && rowTime(timed.row);
    if (order === undefined || this.#offsets.isGuess || timed === undefined) return undefined;
    if (indexTime === undefined) return undefined;
    const newest = log.upTo(Number.POSITIVE_INFINITY, 1)[0];
    const span = ((newest && rowTime(newest.row)) ?? indexTime) - indexTime;
    return new TimeBisection({
      time,
      order,
      pageSize,
      index: this.#wanted.indexOf(timed.place),
      indexTime,
      pace: Math.max(0, span) / Math.max(1, log.linesFrom(timed.place)),
    });
  }

  /**
   * Returns a search for the last line before a time among lines that the service itself has chosen;
   * undefined while the meaning of offsets is unknown.
   */
  hintSearch(time: number, pageSize: number): TimeBisection | undefined {
    const newest = this.#joined.log.upTo(Number.POSITIVE_INFINITY, 1)[0];
    const indexTime = newest && rowTime(newest.row);
    const { order } = this.#offsets;
    if (order === undefined || indexTime === undefined) return undefined;
    // No more lines are chosen than there are.
    const index = order === 'newest' ? -1 : this.#offsets.newestIndex - 1;
    return new TimeBisection({ time, order, pageSize, index, indexTime, pace: 0 });
  }

  /** Returns the request for the lines before a page; undefined when that begins the log. */
  olderThan({ offset, limit }: BisectionRequest, rows: number): BisectionRequest | undefined {
    if (this.#offsets.order !== 'oldest') return { offset: offset + rows, limit };
    if (offset === 0) return undefined;
    return { offset: Math.max(0, offset - limit), limit: Math.min(limit, offset) };
  }

  /** Returns the request for the lines after a page; undefined when that ends the log. */
  newerThan({ offset, limit }: BisectionRequest, rows: number): BisectionRequest | undefined {
    if (this.#offsets.order === 'oldest') return { offset: offset + rows, limit };
    if (offset === 0) return undefined;
    return { offset: Math.max(0, offset - limit), limit: Math.min(limit, offset) };
  }

  /** Returns a request for the same lines after others have come. */
  moved(request: BisectionRequest, lines: number): BisectionRequest {
    if (this.#offsets.order === 'oldest') return request;
    return { ...request, offset: request.offset + lines };
  }

  /** Returns the rows of a page from old to new. */
  sorted(raw: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    return this.#offsets.sorted(raw);
  }

  /** Returns the rows of a page as a search reads them. */
  read(raw: readonly LogRow<Line>[]): BisectedPage {
    const rows = this.sorted(raw);
    const [row] = rows;
    const key = row && [row.id, row.timestamp, row.service, row.text].join('\n');
    return { times: rows.map(rowTime), key: key ?? '' };
  }

  /**
   * Returns the page with the lines beside a gap: those directly before its end, or directly after
   * its start, and some known ones. A page that would reach the place with its last rows has no more of
   * them than services are known to give.
   */
  beside(place: Place, side: 'older' | 'newer', most: number): BisectionRequest {
    const index = this.#wanted.indexOf(place);
    const isFirst = this.#offsets.order !== 'oldest' && side === 'older';
    const limit = isFirst ? most : Math.min(most, this.#offsets.pageSize);
    const newer = side === 'older' ? overlapOf(limit) : limit - overlapOf(limit);
    return { offset: this.#offsets.offsetOf(index, limit, newer), limit };
  }

  /** Notes the number of rows that a page had. */
  note(request: BisectionRequest, rows: number): void {
    this.#offsets.note({ ...request, newest: this.#joined.newest() }, rows);
  }

  /** Joins a page. Lines between it and the known ones stay unread. */
  join(request: BisectionRequest, raw: readonly LogRow<Line>[]): void {
    if (this.#joined.note('http', raw)) this.#places.placedAnew();
    if (this.#join(request, raw)) return;
    this.#places.endIds();
    this.#join(request, raw);
  }

  /** Joins a page. Returns false when the ids do not order its lines. */
  #join(slice: BisectionRequest, raw: readonly LogRow<Line>[]): boolean {
    const rows = this.#offsets.sorted(raw);
    const request: PageRequest = {
      ...slice,
      number: 0,
      attempt: 0,
      target: 'older',
      edge: undefined,
      start: 0,
      connection: 0,
      newest: this.#joined.newest(),
      settled: 0,
    };
    const [first] = this.#joined.spans;
    const placed = this.#pages.place({ request, rows }, false, noWork);
    if (placed === undefined) return false;
    this.#pages.apply(placed, this.#isFlowing());
    if (first !== undefined) this.#leaveUnread(first.from);
    this.#wanted.anchor(
      this.#pages.newestOf(placed),
      this.#offsets.rangeOf(request, rows.length).newest,
    );
    if (this.#offsets.beginsLog(request, rows.length)) this.#wanted.beginAt(placed.ends[0]);
    return true;
  }

  /** Reads no lines below a place that was the oldest one before. */
  #leaveUnread(oldest: Place): void {
    const { spans } = this.#joined;
    const index = spanAt(spans, oldest);
    if (index < 1 || spans[index]?.from !== oldest || spans[index]?.below?.kind !== 'filling')
      return;
    this.#joined.apply({ spans: giveUp(spans, index, 'unread') });
  }
}
