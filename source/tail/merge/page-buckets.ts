import type { LogRow, PlacedRow } from '../arena/row.ts';
import { type BucketLine, type BucketSide, orderBucket } from './bucket-order.ts';
import { placesOf, placesBehind } from './bucket-places.ts';
import { bucketEdge, placesBetween } from './instants.ts';
import type { InstantCounts } from './instant-counts.ts';

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

/** A line of a bucket that a page was laid over. Its place is undefined while it has none. */
interface BucketEntry<Line> {
  readonly place: number | undefined;
  readonly row: LogRow<Line>;
  readonly key: string;
}

/** Lays pages over the known lines, instant by instant. */
export class PageBuckets<Line> {
  readonly #counts: InstantCounts<Line>;

  constructor(counts: InstantCounts<Line>) {
    this.#counts = counts;
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
      key: this.#counts.fields.keyOf(row),
    });
    const known = this.#counts.lines(start).map(({ place, row }) => keyed(row, Number(place)));
    const side = sideOf(isFirst, isLast, options, start);
    // Only a page that holds the rest of the instant as well tells which of its lines are missing.
    const lacksEnd = side === 'start' && known.length > 0 && !options.isNewest;
    // Copies of known lines that are written out cannot be put in order once the rest is known.
    const isPart = isFirst && !isLast && start !== options.inside;
    const lacksStart = isPart && !mayMove && known.length > 0;
    // Nothing tells how many lines lie between a page of one instant and its known lines.
    const isApart = isFirst && isLast && !options.isNewest && start !== options.inside;
    const isIgnored = lacksEnd || lacksStart || (isApart && known.length > 0);
    const page = isIgnored ? [] : group.map((row) => keyed(row, undefined));
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
    const hasOlder = this.#counts.log.linesFrom(start) < this.#counts.log.lines;
    const isCut = begins && (lacks || hasOlder);
    const isWhole = !isFirst && !isLast && !isCut;
    const surplus = order.unseen.filter((index) => isWhole && shown.has(known[index]?.key ?? ''));
    if (order.isMoved) this.#counts.isDisordered = true;
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
    const above = isFirst || isCut ? entries[order.lines.findIndex(isShown) - 1]?.place : undefined;
    const bucket: PageBucket = {
      start,
      from: lacksStart
        ? start + this.#counts.size
        : isWhole
          ? start
          : (above ?? start + bucketEdge.start - 1) + 1,
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
    const end = start + this.#counts.size;
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
    this.#counts.recount(
      start,
      entries.map(({ key }) => key),
      places.at(-1),
    );
    const drop = isRewritten && isKnown ? [[start, end - 1] as const] : [];
    return { put, drop };
  }

  /** Places new entries behind all known ones, as far as there is room. */
  #appended(start: number, entries: readonly BucketEntry<Line>[]) {
    const known = entries.filter(({ place }) => place !== undefined);
    const fresh = entries.filter(({ place }) => place === undefined);
    const last = known.reduce((highest, { place = 0 }) => Math.max(highest, place), start);
    const places = placesBehind(last, start, start + this.#counts.size, fresh.length) ?? [];
    const put = fresh
      .slice(0, places.length)
      .map(({ row }, at) => ({ place: places[at] ?? 0, row }));
    this.#counts.recount(
      start,
      [...known, ...fresh.slice(0, places.length)].map(({ key }) => key),
      places.at(-1) ?? last,
    );
    return { put, drop: [] };
  }

  /** Returns the rows by bucket, oldest first, and in their order within each. */
  #grouped(rows: readonly LogRow<Line>[]): readonly (readonly [number, LogRow<Line>[]])[] {
    const groups = new Map<number, LogRow<Line>[]>();
    let before: number | undefined;
    for (const row of rows) {
      const start = this.#counts.startOf(row, before);
      before = start;
      const group = groups.get(start);
      if (group === undefined) groups.set(start, [row]);
      else group.push(row);
    }
    return [...groups].toSorted(([left], [right]) => left - right);
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
