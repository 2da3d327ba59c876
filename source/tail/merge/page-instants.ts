import type { Place } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import type { InstantCounts } from './instant-counts.ts';
import { keepOrder, layOver } from './instant-order.ts';
import { bucketEdge, placesOf } from './instants.ts';

/** The part of the log that a page holds, and the changes that it brings. */
export interface PagePlacing<Line> {
  readonly drop: readonly (readonly [Place, Place])[];
  readonly put: readonly PlacedRow<Line>[];
  /** Oldest first. */
  readonly instants: readonly PageInstant[];
}

/** The rows of one instant in a page. */
export interface PageInstant {
  readonly start: number;
  /** The place from which on the page has every line of the instant. */
  readonly from: number;
  /** False when the page may lack some lines of the instant. */
  readonly isWhole: boolean;
  /** False when known lines are missing in the page, which may be older than they are. */
  readonly hasAllKnown: boolean;
  /** True when lines of the instant are equal, and the page does not tell how many. */
  readonly mayHaveCopies: boolean;
}

export interface PageOptions {
  /** True when the log begins with the page, or ends with it. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** True when the page ends with the newest line of the log at that time. */
  readonly isNewest: boolean;
  /**
   * Start of an instant larger than a page, while it is read from its newest line on, and the first
   * place from which on its lines are known.
   */
  readonly inside: { readonly start: number; readonly edge: number } | undefined;
  /** False when known lines must stay where they are. */
  readonly mayMove: boolean;
  /** Returns whether so many copies that the page lacks are to be removed from an instant. */
  readonly mayLower: (start: number, surplus: number) => boolean;
}

/** The ends of an instant that lie in a page. */
interface PagePart {
  /** The log begins with the instant. */
  readonly begins: boolean;
  /** The page may lack the first lines of the instant, or the last ones. */
  readonly lacksFirst: boolean;
  readonly lacksLast: boolean;
}

/** A line of an instant with what tells it apart there, and its place while it has one. */
interface KeyedRow<Line> {
  readonly row: LogRow<Line>;
  readonly key: string;
  readonly place: number | undefined;
}

/** A line of an instant that a page is laid over. */
interface LaidRow<Line> {
  readonly line: KeyedRow<Line>;
  readonly isInPage: boolean;
}

/** The lines of an instant in their new order, and the changes that this takes. */
interface PlacedInstant<Line> {
  readonly places: readonly number[];
  readonly drop: readonly (readonly [number, number])[];
  readonly put: readonly PlacedRow<Line>[];
}

/** Lays pages over the known lines, instant by instant. */
export class PageInstants<Line> {
  readonly #counts: InstantCounts<Line>;

  constructor(counts: InstantCounts<Line>) {
    this.#counts = counts;
  }

  /** @param rows oldest first. */
  page(rows: readonly LogRow<Line>[], options: PageOptions): PagePlacing<Line> {
    const groups = this.#grouped(rows);
    const parts = groups.map(([start, group], at) =>
      this.#layOver(start, group, options, {
        begins: at === 0 && options.begins,
        lacksFirst: at === 0 && !options.begins,
        lacksLast: at === groups.length - 1 && !options.ends,
      }),
    );
    return {
      drop: parts.flatMap(({ drop }) => drop),
      put: parts.flatMap(({ put }) => put),
      instants: parts.map(({ instant }) => instant),
    };
  }

  #layOver(start: number, group: readonly LogRow<Line>[], options: PageOptions, part: PagePart) {
    const { mayMove, mayLower, inside } = options;
    const known = this.#counts
      .lines(start)
      .map(({ place, row }) => this.#keyed(row, Number(place)));
    const rows = group.map((row) => this.#keyed(row));
    const isInside = start === inside?.start;
    const isIgnored =
      !isInside && known.length > 0 && !canBeCounted(options, part, keysOf(known), keysOf(rows));
    const page = isIgnored ? [] : rows;
    const shown = new Set(keysOf(page));
    const mayLackFirst = part.lacksFirst || part.begins;
    const laid = layOver(keysOf(known), keysOf(page), mayLackFirst).flatMap<LaidRow<Line>>((at) => {
      const line = known[at.known ?? -1] ?? page[at.row ?? -1];
      return line === undefined ? [] : { line, isInPage: at.row !== undefined };
    });
    const unseen = laid.flatMap(({ line, isInPage }) => (isInPage ? [] : line));
    const hasAllKnown = unseen.every(({ key }) => shown.has(key));
    // Lines from before the oldest one that the service still has: others may have been between.
    const { log } = this.#counts;
    const isCut = part.begins && (!hasAllKnown || log.linesFrom(start) < log.lines);
    const isWhole = !part.lacksFirst && !part.lacksLast && !isCut;
    const surplus = isWhole && mayMove ? unseen.filter(({ key }) => shown.has(key)) : [];
    const isLowered = surplus.length > 0 && mayLower(start, surplus.length);
    const removed = new Set(isLowered ? surplus : []);
    const fresh = laid.filter(({ line }) => line.place === undefined);
    // Part of an instant larger than a page: it lies before the part that was read already.
    const isBefore = part.lacksLast && (isInside || (part.lacksFirst && !options.isNewest));
    const edge = isInside ? (inside?.edge ?? start) : start;
    const rest = isBefore
      ? [...fresh, ...known.map((line) => ({ line, isInPage: false }))]
      : laid.filter(({ line }) => !removed.has(line));
    // Lines from below a gap stay where they are: the page holds lines of the gap.
    const isBelow = ({ line: { place = edge }, isInPage }: LaidRow<Line>): boolean =>
      place < edge && !isInPage;
    const lines = [...rest.filter(isBelow), ...rest.filter((line) => !isBelow(line))];
    const placed = this.#place(
      start,
      lines.map(({ line }) => line),
      known.filter((line) => !removed.has(line)),
      mayMove,
      part.lacksFirst || isCut,
    );
    if (placed.put.length + placed.drop.length + removed.size > 0) this.#counts.changed(start);
    const firstInPage = lines.findIndex(({ isInPage }) => isInPage);
    const above = placed.places[firstInPage - 1] ?? start + bucketEdge.start - 1;
    const isWrittenOut = isIgnored && part.lacksFirst && !part.lacksLast;
    const isKnownPart = isBefore && firstInPage < 0;
    const from = isWrittenOut ? start + this.#counts.size : isKnownPart ? edge : above + 1;
    return {
      put: placed.put,
      drop: [...placed.drop, ...[...removed].map(({ place = 0 }) => [place, place] as const)],
      instant: {
        start,
        from: isWhole ? start : from,
        isWhole,
        hasAllKnown,
        mayHaveCopies: !isWhole && new Set(lines.map(({ line }) => line.key)).size < lines.length,
      },
    };
  }

  /**
   * Places the lines of an instant. Known ones keep their places where they keep their order and
   * there is room between them; else all get new ones, or new lines follow where none may move.
   */
  #place(
    start: number,
    lines: readonly KeyedRow<Line>[],
    known: readonly KeyedRow<Line>[],
    mayMove: boolean,
    isApart: boolean,
  ): PlacedInstant<Line> {
    const { size } = this.#counts;
    const fresh = lines.filter(({ place }) => place === undefined);
    for (const order of mayMove ? [lines] : [lines, [...known, ...fresh]]) {
      const kept = keepOrder(keysOf(known), keysOf(order))?.map((index) => known[index ?? -1]);
      const places =
        kept &&
        placesOf(
          kept.map((line) => line?.place),
          start,
          size,
          isApart,
        );
      if (kept === undefined || places === undefined) continue;
      const put = places.flatMap((place, at) => {
        const row = order[at]?.row;
        return row === undefined || kept[at] !== undefined ? [] : { place, row };
      });
      return { places, put, drop: [] };
    }
    if (!mayMove) return { places: [], put: [], drop: [] };
    this.#counts.isDisordered ||= keepOrder(keysOf(known), keysOf(lines)) === undefined;
    const places =
      placesOf(
        lines.map(() => undefined),
        start,
        size,
        false,
      ) ?? [];
    const put = places.flatMap((place, at) => {
      const row = lines[at]?.row;
      return row === undefined ? [] : { place, row };
    });
    return { places, put, drop: [[start, start + size - 1]] };
  }

  #keyed(row: LogRow<Line>, place?: number): KeyedRow<Line> {
    return { row, key: this.#counts.fields.keyOf(row), place };
  }

  /** Returns the rows by instant, oldest first, and in their order within each. */
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

/**
 * Returns whether the rows of an instant in a page tell which of its known lines they are. Without
 * the last ones, they do only at the end of the log. Copies of lines that are written out cannot be
 * put in order later: these have to be in the page, and the first lines of the instant as well.
 */
function canBeCounted(
  { isNewest, mayMove }: PageOptions,
  { lacksFirst, lacksLast }: PagePart,
  known: readonly string[],
  page: readonly string[],
): boolean {
  if (lacksLast && !isNewest) return false;
  if (mayMove) return true;
  return !lacksFirst && (!lacksLast || layOver(known, page, false).length === page.length);
}

function keysOf(rows: readonly KeyedRow<unknown>[]): readonly string[] {
  return rows.map(({ key }) => key);
}
