import type { LogRow, PlacedRow } from '../arena/row.ts';
import { type BucketLine, type BucketSide, orderBucket } from './bucket-order.ts';
import {
  bucketAt,
  bucketEdge,
  bucketOf,
  bucketSize,
  instantOf,
  placeApart,
  placeBehind,
  placesBetween,
} from './instants.ts';
import type { MergedLog } from './merged-log.ts';
import { orderAmong, type RowOrder } from './page-order.ts';
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

/** The part of the log that a page holds, and the changes that it brings. */
export interface PagePlacing<Line> {
  readonly drop: readonly (readonly [number, number])[];
  readonly put: readonly PlacedRow<Line>[];
  /** Oldest first. */
  readonly buckets: readonly PageBucket[];
}

/** The rows of one instant in a page. */
export interface PageBucket {
  readonly start: number;
  /** The place from which on the page has every line of the instant. */
  readonly from: number;
  readonly rows: number;
  /** False when the page may lack some lines of the instant. */
  readonly isWhole: boolean;
  /** Known copies of lines that the page shows, beyond the number that it shows. */
  readonly surplus: number;
  /** False when known lines are missing in the page, which may be older than they are. */
  readonly hasAllKnown: boolean;
}

export interface PageOptions {
  /** True when the log begins with the page, or ends with it. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** True when the page ends with the newest line of the log at that time. */
  readonly isNewest: boolean;
  /** Bucket of an instant larger than a page, while it is read from its newest line on. */
  readonly inside: number | undefined;
  /** False when known lines must stay where they are. */
  readonly mayMove: boolean;
  /** Returns whether so many copies that the page lacks are to be removed from a bucket. */
  readonly mayLower: (start: number, surplus: number) => boolean;
}

interface KeyCount {
  shown: number;
  /** Copies that the present connection has sent. */
  sent: number;
}

interface Bucket {
  readonly counts: Map<string, KeyCount>;
  /** Lines that are shown, and those of them that the present connection has sent. */
  shown: number;
  sent: number;
  /** The highest place in it. */
  last: number | undefined;
}

/** A line of a bucket that a page was laid over. Its place is undefined while it has none. */
interface BucketEntry<Line> {
  readonly place: number | undefined;
  readonly row: LogRow<Line>;
  readonly key: string;
}

/** Buckets whose counts are remembered: a copy that comes later than that is taken as known. */
const mostBuckets = 4096;

/**
 * Places lines by their instants. Lines of one instant are told apart by their keys, and equal keys
 * are counted: copies add up within one connection and within one page, and between those the
 * greatest number holds.
 */
export class InstantLines<Line> {
  readonly #log: MergedLog<Line>;
  readonly #fields: ShownFields;
  readonly #buckets = new Map<number, Bucket>();
  /** Bucket of the last live line: one without an instant follows the line before it. */
  #last: number | undefined;
  /** Time of the youngest live line of this connection. */
  #newest = Number.NEGATIVE_INFINITY;
  #isDisordered = false;
  /** The connection has sent no line so far. */
  #isFresh = true;

  constructor(log: MergedLog<Line>, fields: ShownFields) {
    this.#log = log;
    this.#fields = fields;
  }

  /** Begins to count the copies of another connection. */
  opened(): void {
    this.#buckets.clear();
    this.#last = undefined;
    this.#isFresh = true;
    this.#newest = Number.NEGATIVE_INFINITY;
  }

  /** Goes on counting the copies of a connection that has sent the lines, which are shown. */
  resume(rows: readonly LogRow<Line>[]): void {
    for (const row of rows) {
      this.#last = this.#startOf(row, this.#last);
      const bucket = this.#bucket(this.#last);
      const count = bucket.counts.get(this.#fields.keyOf(row));
      if (count === undefined || count.sent === count.shown) continue;
      count.sent += 1;
      bucket.sent += 1;
    }
  }

  get size(): number {
    return bucketSize(this.#fields.digits);
  }

  bucketOf(place: number): number {
    return bucketOf(place, this.size);
  }

  /** Returns the start of the bucket of a row. */
  startOf(row: LogRow<Line> | undefined): number {
    return row === undefined ? 0 : this.#startOf(row, undefined);
  }

  /** Returns the order of rows of one instant, by the lines of it that are known. */
  orderOf(rows: readonly LogRow<Line>[]): RowOrder | undefined {
    const known = this.#lines(this.startOf(rows[0]));
    return orderAmong(
      rows.map((row) => this.#fields.keyOf(row)),
      known.map(({ row }) => this.#fields.keyOf(row)),
    );
  }

  /** @param floor lines of earlier buckets are left to history. */
  live(rows: readonly LogRow<Line>[], floor: number | undefined): LivePlacing<Line> {
    const put: PlacedRow<Line>[] = [];
    const doubts = new Set<number>();
    let first: number | undefined;
    let from = 0;
    let last: number | undefined;
    for (const row of rows) {
      const start = this.#withRoom(this.#startOf(row, this.#last));
      this.#last = start;
      if (floor !== undefined && start < floor) continue;
      if (first === undefined)
        from = (this.#bucket(start).last ?? start + bucketEdge.start - 1) + 1;
      first ??= start;
      last = Math.max(last ?? start, start);
      // Once a line comes after a younger one, the order within an instant is in doubt as well.
      const time = instantOf(row)?.time ?? this.#newest;
      if (time < this.#newest) this.#isDisordered = true;
      this.#newest = Math.max(this.#newest, time);
      const bucket = this.#bucket(start);
      const key = this.#fields.keyOf(row);
      const count = bucket.counts.get(key) ?? { shown: 0, sent: 0 };
      bucket.counts.set(key, count);
      // With an id in its key, a line has no copies: it was sent twice.
      count.sent = this.#fields.ids ? 1 : count.sent + 1;
      if (count.sent > 1) doubts.add(start);
      if (count.sent <= count.shown) {
        bucket.sent += 1;
        continue;
      }
      // Among lines that came another way, the position of a new one is not known.
      if (bucket.shown > bucket.sent || this.#isDisordered) doubts.add(start);
      count.shown += 1;
      bucket.shown += 1;
      bucket.sent += 1;
      // Lines before the first one of a connection may come from history.
      const behind = this.#isFresh ? placeApart : placeBehind;
      this.#isFresh = false;
      bucket.last = behind(bucket.last, start, this.size) ?? start;
      put.push({ place: bucket.last, row });
    }
    put.sort((left, right) => Number(left.place) - Number(right.place));
    return { put, first, from, last, doubts: [...doubts] };
  }

  /**
   * Lays a page over the known lines.
   *
   * @param rows oldest first.
   */
  page(rows: readonly LogRow<Line>[], options: PageOptions): PagePlacing<Line> {
    const groups = this.#grouped(rows);
    const parts = groups.map(([start, group], at) =>
      this.#layOver(start, group, options, {
        begins: at === 0 && options.begins,
        isFirst: at === 0 && !options.begins,
        isLast: at === groups.length - 1 && !options.ends,
      }),
    );
    return {
      drop: parts.flatMap(({ drop }) => drop),
      put: parts.flatMap(({ put }) => put),
      buckets: parts.map(({ bucket }) => bucket),
    };
  }

  /** Returns the place of every line by its instant, in the order of `rows`. */
  replaced(rows: readonly LogRow<Line>[]): readonly number[] {
    const last = new Map<number, number>();
    let before: number | undefined;
    return rows.map((row) => {
      let start = this.#startOf(row, before);
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

  #layOver(
    start: number,
    group: readonly LogRow<Line>[],
    options: PageOptions,
    { begins, isFirst, isLast }: Record<'begins' | 'isFirst' | 'isLast', boolean>,
  ) {
    const { mayMove, mayLower } = options;
    const keyed = (row: LogRow<Line>, place: number | undefined): BucketEntry<Line> => ({
      place,
      row,
      key: this.#fields.keyOf(row),
    });
    const known = this.#lines(start).map(({ place, row }) => keyed(row, Number(place)));
    const side = sideOf(isFirst, isLast, options, start);
    // Only a page that holds the rest of the instant as well tells which of its lines are missing.
    const isLeft = side === 'start' && known.length > 0 && !options.isNewest;
    const page = isLeft ? [] : group.map((row) => keyed(row, undefined));
    const shown = new Set(page.map(({ key }) => key));
    const order = orderBucket(
      known.map(({ key }) => key),
      page.map(({ key }) => key),
      side,
      mayMove,
      isFirst,
    );
    // Lines from before the oldest one that the service still has: others may have been between.
    const lacks = order.unseen.some((index) => !shown.has(known[index]?.key ?? ''));
    const hasOlder = this.#log.linesFrom(start) < this.#log.lines;
    const isCut = begins && (lacks || (hasOlder && order.unseen.length > 0));
    const isWhole = !isFirst && !isLast && !isCut;
    const surplus = order.unseen.filter((index) => isWhole && shown.has(known[index]?.key ?? ''));
    if (order.isMoved) this.#isDisordered = true;
    const isLowered = surplus.length > 0 && mayMove && mayLower(start, surplus.length);
    const removed = new Set(isLowered ? surplus : []);
    const isRewritten = order.isMoved || isLowered;
    const entries = order.lines.flatMap(({ kind, index }: BucketLine) => {
      if (kind === 'row') return page[index] ?? [];
      const line = known[index];
      if (line === undefined || removed.has(index)) return [];
      return isRewritten ? { ...line, place: undefined } : line;
    });
    const unseen = new Set(order.unseen);
    const isShown = ({ kind, index }: BucketLine): boolean => kind === 'row' || !unseen.has(index);
    const above = isFirst ? entries[order.lines.findIndex(isShown) - 1]?.place : undefined;
    const bucket: PageBucket = {
      start,
      from: isWhole ? start : (above ?? start + bucketEdge.start - 1) + 1,
      rows: group.length,
      isWhole,
      surplus: surplus.length - removed.size,
      hasAllKnown: !lacks,
    };
    return { bucket, ...this.#placed(start, entries, above, known.length > 0, mayMove) };
  }

  /** Gives the entries of a bucket their places; all of them others when there is no room. */
  #placed(
    start: number,
    entries: readonly BucketEntry<Line>[],
    above: number | undefined,
    isKnown: boolean,
    mayMove: boolean,
  ) {
    if (entries.every(({ place }) => place !== undefined)) return { put: [], drop: [] };
    const end = start + this.size;
    const between = placesOf(entries, start, end, above);
    if (between === undefined && !mayMove) return this.#appended(start, entries);
    const places =
      between ??
      // The second half of a bucket is left to lines that are to come.
      placesBetween(start + bucketEdge.start, (start + end) / 2, entries.length) ??
      placesBetween(start + bucketEdge.start, end, entries.length) ??
      entries.map((_, index) => start + bucketEdge.line + index);
    const isNew = (index: number): boolean => places[index] !== entries[index]?.place;
    const isRewritten = between === undefined || entries.every(({ place }) => place === undefined);
    const put = entries.flatMap(({ row }, index) =>
      isRewritten || isNew(index) ? { place: places[index] ?? start, row } : [],
    );
    this.#recount(start, entries, places.at(-1));
    const drop = isRewritten && isKnown ? [[start, end - 1] as const] : [];
    return { put, drop };
  }

  /** Places new entries behind all known ones, as far as there is room. */
  #appended(start: number, entries: readonly BucketEntry<Line>[]) {
    const known = entries.filter(({ place }) => place !== undefined);
    const fresh = entries.filter(({ place }) => place === undefined);
    const last = known.reduce((highest, { place = 0 }) => Math.max(highest, place), start);
    const places = placesBehind(last, start, start + this.size, fresh.length) ?? [];
    const put = fresh.slice(0, places.length).map(({ row }, at) => ({ place: places[at] ?? 0, row }));
    this.#recount(start, [...known, ...fresh.slice(0, places.length)], places.at(-1) ?? last);
    return { put, drop: [] };
  }

  #recount(start: number, entries: readonly BucketEntry<Line>[], last: number | undefined): void {
    const bucket = this.#buckets.get(start);
    if (bucket === undefined) return;
    for (const count of bucket.counts.values()) count.shown = 0;
    bucket.shown = entries.length;
    for (const { key } of entries) {
      const count = bucket.counts.get(key) ?? { shown: 0, sent: 0 };
      count.shown += 1;
      bucket.counts.set(key, count);
    }
    bucket.last = last;
  }

  /** Returns the rows by bucket, oldest first, and in their order within each. */
  #grouped(rows: readonly LogRow<Line>[]): readonly (readonly [number, LogRow<Line>[]])[] {
    const groups = new Map<number, LogRow<Line>[]>();
    let before: number | undefined;
    for (const row of rows) {
      const start = this.#startOf(row, before);
      before = start;
      const group = groups.get(start);
      if (group === undefined) groups.set(start, [row]);
      else group.push(row);
    }
    return [...groups].toSorted(([left], [right]) => left - right);
  }

  #startOf(row: LogRow<Line>, before: number | undefined): number {
    const instant = instantOf(row);
    if (instant !== undefined) return bucketAt(instant.time, this.size);
    return before ?? this.bucketOf(this.#highest() ?? 0);
  }

  #highest(): number | undefined {
    const [last] = this.#log.upTo(Number.MAX_SAFE_INTEGER, 1);
    return last && Number(last.place);
  }

  /** Returns the bucket, or else the next one that has room for another line. */
  #withRoom(start: number): number {
    const { last } = this.#bucket(start);
    if (placeBehind(last, start, this.size) !== undefined) return start;
    return this.#withRoom(start + this.size);
  }

  #bucket(start: number): Bucket {
    const known = this.#buckets.get(start);
    if (known !== undefined) return known;
    const bucket: Bucket = { counts: new Map(), shown: 0, sent: 0, last: undefined };
    for (const { place, row } of this.#lines(start)) {
      const key = this.#fields.keyOf(row);
      const count = bucket.counts.get(key) ?? { shown: 0, sent: 0 };
      count.shown += 1;
      bucket.shown += 1;
      bucket.counts.set(key, count);
      bucket.last = Number(place);
    }
    this.#buckets.set(start, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostBuckets && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket;
  }

  #lines(start: number): readonly PlacedRow<Line>[] {
    const end = start + this.size;
    const count = this.#log.linesFrom(start) - this.#log.linesFrom(end);
    return count === 0 ? [] : this.#log.from(start, count);
  }
}

/** Returns the part of an instant that a page shows. */
function sideOf(
  isFirst: boolean,
  isLast: boolean,
  { isNewest, inside }: PageOptions,
  start: number,
): BucketSide {
  if (isLast && (start === inside || (isFirst && !isNewest))) return 'before';
  return isLast && !isFirst ? 'start' : 'end';
}

/**
 * Returns rising places for all entries, keeping those that have one; undefined without room.
 *
 * @param above the place of a line behind which others are missing.
 */
function placesOf(
  entries: readonly { readonly place: number | undefined }[],
  start: number,
  end: number,
  above: number | undefined,
): readonly number[] | undefined {
  const places: number[] = [];
  let index = 0;
  while (index < entries.length) {
    const own = entries[index]?.place;
    if (own !== undefined) {
      places.push(own);
      index += 1;
      continue;
    }
    const next = entries.findIndex(({ place }, at) => at > index && place !== undefined);
    const count = (next < 0 ? entries.length : next) - index;
    const before = places.at(-1);
    const between =
      next < 0
        ? placesBehind(before, start, end, count, before === above)
        : placesBetween(before ?? start + bucketEdge.start, entries[next]?.place ?? end, count);
    if (between === undefined) return undefined;
    places.push(...between);
    index += count;
  }
  return places;
}

function placesBehind(
  before: number | undefined,
  start: number,
  end: number,
  count: number,
  isApart = false,
): readonly number[] | undefined {
  const places: number[] = [];
  let last = before;
  for (let left = count; left > 0; left -= 1) {
    const behind = isApart && left === count ? placeApart : placeBehind;
    last = behind(last, start, end - start);
    if (last === undefined) return undefined;
    places.push(last);
  }
  return places;
}
