import type { LogRow, PlacedRow } from '../arena/row.ts';
import { countOf, InstantCounts } from './instant-counts.ts';
import { bucketEdge, instantOf, placeBehind } from './instants.ts';
import type { MergedLog } from '../arena/change.ts';
import { PageInstants, type PageOptions, type PagePlacing } from './page-instants.ts';
import type { ShownFields } from './shown-fields.ts';

/** Live lines, and the range that the stream vouches for with them. */
export interface LivePlacing<Line> {
  readonly put: readonly PlacedRow<Line>[];
  /** Start of the first line's bucket, and the place behind the lines known there before. */
  readonly first: number | undefined;
  readonly from: number;
  /** Start of the highest bucket that a line is in. */
  readonly last: number | undefined;
  /** Buckets of which only history tells the number or the order of the lines. */
  readonly doubts: readonly number[];
}

/**
 * Places lines by their instants. Lines of one instant are told apart by their keys, and equal keys
 * are counted: copies add up within one connection and within one page, and between those the
 * greatest number holds.
 */
export class InstantLines<Line> {
  readonly #counts: InstantCounts<Line>;
  readonly #pages: PageInstants<Line>;
  /** Bucket of the last live line: one without an instant follows the line before it. */
  #last: number | undefined;
  /** Time of the youngest live line of this connection. */
  #newest = Number.NEGATIVE_INFINITY;
  /** The connection has sent no line so far. */
  #isFresh = true;

  constructor(log: MergedLog<Line>, fields: ShownFields) {
    this.#counts = new InstantCounts(log, fields);
    this.#pages = new PageInstants(this.#counts);
  }

  /** Begins to count the copies of a connection, which has sent some of the known lines already. */
  opened(sent: readonly LogRow<Line>[] = []): void {
    this.#counts.restart();
    this.#last = undefined;
    this.#isFresh = true;
    this.#newest = Number.NEGATIVE_INFINITY;
    for (const row of sent) {
      this.#last = this.#counts.startOf(row, this.#last);
      const bucket = this.#counts.bucket(this.#last);
      const count = countOf(bucket, this.#counts.fields.keyOf(row));
      if (count.sent === count.shown) continue;
      count.sent += 1;
      bucket.sent += 1;
    }
  }

  /**
   * Returns those of the live lines that the connection has sent: where it repeats lines, the last ones
   * are yet to come.
   */
  sentOf(live: readonly PlacedRow<Line>[]): readonly LogRow<Line>[] {
    const last = this.#last ?? Number.POSITIVE_INFINITY;
    const before = live.filter(({ place }) => place < last).length;
    return live.slice(0, before + this.#counts.sentIn(last)).map(({ row }) => row);
  }

  /** True once the stream has turned out to swap lines. */
  get isDisordered(): boolean {
    return this.#counts.isDisordered;
  }

  /** Length of an instant in places. */
  get size(): number {
    return this.#counts.size;
  }

  bucketOf(place: number): number {
    return this.#counts.bucketOf(place);
  }

  /** Returns the start of the bucket of a row. */
  startOf(row: LogRow<Line> | undefined): number {
    return row === undefined ? 0 : this.#counts.startOf(row, undefined);
  }

  /** Lays a page, oldest row first, over the known lines. */
  page(rows: readonly LogRow<Line>[], options: PageOptions): PagePlacing<Line> {
    return this.#pages.page(rows, options);
  }

  /** @param floor lines of earlier buckets are left to history. */
  live(rows: readonly LogRow<Line>[], floor: number | undefined): LivePlacing<Line> {
    const put: PlacedRow<Line>[] = [];
    const doubts = new Set<number>();
    let first: number | undefined;
    let from = 0;
    let last: number | undefined;
    for (const row of rows) {
      const start = this.#counts.withRoom(this.#counts.startOf(row, this.#last));
      this.#last = start;
      if (floor !== undefined && start < floor) continue;
      if (first === undefined)
        from = (this.#counts.bucket(start).last ?? start + bucketEdge.start - 1) + 1;
      first ??= start;
      last = Math.max(last ?? start, start);
      // Once a line comes after a younger one, the order within an instant is in doubt as well.
      const time = instantOf(row)?.time ?? this.#newest;
      if (time < this.#newest) this.#counts.isDisordered = true;
      this.#newest = Math.max(this.#newest, time);
      const bucket = this.#counts.bucket(start);
      const count = countOf(bucket, this.#counts.fields.keyOf(row));
      // With an id in its key, a line has no copies: it was sent twice.
      count.sent = this.#counts.fields.ids ? 1 : count.sent + 1;
      if (count.sent > 1) doubts.add(start);
      if (count.sent <= count.shown) {
        bucket.sent += 1;
        continue;
      }
      // Among lines that came another way, the position of a new one is not known.
      if (bucket.shown > bucket.sent || this.#counts.isDisordered) doubts.add(start);
      count.shown += 1;
      bucket.shown += 1;
      bucket.sent += 1;
      // Lines before the first one of a connection may come from history.
      bucket.last = placeBehind(bucket.last, start, this.size, this.#isFresh) ?? start;
      this.#isFresh = false;
      put.push({ place: bucket.last, row });
    }
    put.sort((left, right) => Number(left.place) - Number(right.place));
    return { put, first, from, last, doubts: [...doubts] };
  }

  /** Returns the place of every line by its instant, in the order of `rows`. */
  replaced(rows: readonly LogRow<Line>[]): readonly number[] {
    const last = new Map<number, number>();
    let before: number | undefined;
    return rows.map((row) => {
      let start = this.#counts.startOf(row, before);
      before = start;
      let place = placeBehind(last.get(start), start, this.size);
      while (place === undefined) {
        start += this.size;
        place = placeBehind(last.get(start), start, this.size);
      }
      last.set(start, place);
      return place;
    });
  }
}
