import { maxPlace, minPlace, type Place, shiftPlace } from '../arena/place.ts';
import type { PlacedRow } from '../arena/row.ts';
import { cover, spanAt, type Spans } from '../arena/spans.ts';
import type { Doubts } from './doubts.ts';
import { haveRisingIds, placeById } from './id-lines.ts';
import type { PageInstant } from './page-instants.ts';
import { bucketEdge } from './instants.ts';
import type { JoinedLines } from './joined-lines.ts';
import type { Change } from '../arena/change.ts';
import type { Offsets } from './offsets.ts';
import type { ReadPage } from './shown-order.ts';
import { overlapOf } from './page-search.ts';
import type { PageWork } from './wanted-pages.ts';

/** Rows of a page as they were placed. */
export interface PlacedPage<Line> {
  readonly change: Pick<Change<Line>, 'put' | 'drop'>;
  /** The range between whose ends the page has every line. */
  readonly covers: readonly [Place, Place];
  /** The range of which the page shows every line; the first place is higher when there is none. */
  readonly shows: readonly [Place, Place];
  /** Places of the oldest and of the newest row, or of the starts of their instants. */
  readonly ends: readonly [Place, Place];
  readonly instants: readonly PageInstant[];
  /** The range of which the page has every line, in an instant that is larger than a page. */
  readonly part: readonly [Place, Place] | undefined;
}

/** The relation of a page to the place that it was requested for. */
export interface PageSight {
  /** All rows are older or newer than the place, or they reach it. */
  readonly relation: 'empty' | 'older' | 'newer' | 'touching';
  /** About so many rows lie between the page and the place. */
  readonly distance: number;
  /** Rows that are newer than the place and all lines of its instant. */
  readonly newerRows: number;
  /** True when all rows are of the instant of the place. */
  readonly isOneInstant: boolean;
}

/** Adds the lines of pages. */
export class PageLines<Line> {
  readonly #joined: JoinedLines<Line>;
  readonly #doubts: Doubts;
  readonly #offsets: Offsets<Line>;
  readonly #isAppendOnly: boolean;

  constructor(
    joined: JoinedLines<Line>,
    doubts: Doubts,
    offsets: Offsets<Line>,
    isAppendOnly: boolean,
  ) {
    this.#joined = joined;
    this.#doubts = doubts;
    this.#offsets = offsets;
    this.#isAppendOnly = isAppendOnly;
  }

  /** Places the rows of a page; undefined when the ids do not order them. */
  place(page: ReadPage<Line>, isWhole: boolean, work: PageWork): PlacedPage<Line> | undefined {
    return this.#joined.order === 'id' ? this.#placeById(page) : this.#place(page, isWhole, work);
  }

  /**
   * Applies a page, but not its lines behind all that are known once the open stream has brought
   * some: it will bring these as well. A stream with much under way would else never catch up.
   */
  apply({ change, covers: [from, to], part }: PlacedPage<Line>, isFlowing: boolean): void {
    const top = this.#joined.spans.at(-1);
    const newest = this.#joined.newest();
    const isLimited = isFlowing && newest !== undefined;
    const behind = isLimited ? this.#joined.behind(newest) : undefined;
    const put = change.put.filter(({ place }) => behind === undefined || place < behind);
    const end = isLimited && top !== undefined ? minPlace(top.to, to) : to;
    const isPart = part === undefined && from > end;
    const covered = isPart ? this.#withPart(put[0]) : cover(this.#joined.spans, from, end);
    const spans = part === undefined ? covered : cover(covered, ...part);
    this.#joined.apply({ put, drop: change.drop, lean: 'newer', spans });
  }

  /** Marks lines in the midst of a gap, where a page holds a part of one instant. */
  #withPart(first: PlacedRow<Line> | undefined): Spans {
    const { spans } = this.#joined;
    const start = first && this.#joined.startOf(first.place);
    if (start === undefined || spanAt(spans, shiftPlace(start, bucketEdge.end)) >= 0) return spans;
    const from = shiftPlace(start, bucketEdge.start);
    return spanAt(spans, from) < 0 ? cover(spans, from, from) : spans;
  }

  /** Returns the place of the newest line in a page that was applied. */
  newestOf({ ends: [, newest] }: PlacedPage<Line>): Place {
    const end = shiftPlace(this.#joined.behind(newest), -1);
    return this.#joined.log.upTo(end, 1)[0]?.place ?? newest;
  }

  /** Returns the relation of a page to the place that it was requested for. */
  sight({ request, rows }: ReadPage<Line>, placed: PlacedPage<Line>, work: PageWork): PageSight {
    const { start } = request;
    const [oldest, newest] = placed.ends;
    const last = placed.instants.at(-1);
    // A page within the instant of the edge helps only behind the page with its newest lines.
    const isKnownEnd = work.sawNewest || this.#offsets.endsLog(request, rows.length);
    const isSingle = placed.instants.length === 1;
    const isCut = last?.start === start && !last.isWhole && !(isSingle && isKnownEnd);
    const relation =
      newest < start || isCut ? 'older' : oldest > start ? 'newer' : ('touching' as const);
    const step = Number(shiftPlace(newest, -BigInt(oldest))) / Math.max(1, rows.length - 1);
    const places = relation === 'newer' ? [start, oldest] : [newest, start];
    const between = Number(shiftPlace(places[1] ?? 0, -BigInt(places[0] ?? 0)));
    return {
      relation,
      distance: step > 0 && between > 0 ? Math.floor((between / step) * trust) : 1,
      newerRows: this.#newerRows({ request, rows }),
      isOneInstant: relation === 'touching' && this.#isInside({ request, rows }, work),
    };
  }

  /** Returns the number of rows behind the instant that a page is to hold. */
  #newerRows({ request, rows }: ReadPage<Line>): number {
    return rows.filter((row) => this.#joined.placeOf(row) > request.start).length;
  }

  /** Returns whether the instant that a page is to hold is larger than a page. */
  #isInside({ request, rows }: ReadPage<Line>, work: PageWork): boolean {
    const [first] = rows;
    if (first === undefined || this.#joined.placeOf(first) !== request.start) return false;
    return (
      work.sawNewest &&
      request.limit >= this.#offsets.pageSize &&
      // At the end of the log, only the row behind the instant is missing.
      !this.#offsets.isShort(request, rows.length + 1) &&
      this.#newerRows({ request, rows }) <= 2 * overlapOf(request.limit)
    );
  }

  #placeById({ rows }: ReadPage<Line>): PlacedPage<Line> | undefined {
    const { log, fields } = this.#joined;
    if (!haveRisingIds(rows)) return undefined;
    const placed = placeById(rows, log, fields, this.#joined.newest());
    if (placed === undefined) return undefined;
    const covers: readonly [Place, Place] = [placed[0]?.place ?? 0, placed.at(-1)?.place ?? 0];
    const put = placed.filter(({ isKnown }) => !isKnown);
    return {
      change: { put, drop: [] },
      covers,
      shows: covers,
      ends: covers,
      instants: [],
      part: undefined,
    };
  }

  #place(page: ReadPage<Line>, isWholeLog: boolean, work: PageWork): PlacedPage<Line> {
    const { request, rows } = page;
    const isInside = work.isInside || this.#isInside(page, work);
    const inside = isInside ? { start: Number(request.start), edge: Number(work.edge) } : undefined;
    const placing = this.#joined.instants;
    const isNewest = isWholeLog || this.#offsets.endsLog(request, rows.length);
    const { put, drop, instants } = placing.page(rows, {
      begins: isWholeLog || this.#offsets.beginsLog(request, rows.length),
      // Lines of its last instant may have come after the page was cut.
      ends: isNewest && placing.startOf(rows.at(-1)) <= request.settled,
      isNewest,
      inside,
      mayMove: !this.#isAppendOnly,
      mayLower: (start, surplus) => this.#doubts.isConfirmed(start, surplus),
    });
    const first = instants[0]?.start ?? 0;
    const last = instants.at(-1)?.start ?? 0;
    const from = instants[0]?.from ?? 0;
    const hasLast = instants.at(-1)?.isWhole === true;
    const to = hasLast ? this.#joined.behind(last) : last + bucketEdge.end;
    const whole = instants.filter(({ isWhole }) => isWhole);
    const shown = shiftPlace(this.#joined.behind(whole.at(-1)?.start ?? -1), -1);
    return {
      change: { put, drop },
      // The newest page has the newest lines of an instant that is larger than it.
      covers: [from, isNewest ? maxPlace(from, to) : to],
      shows: [whole[0]?.start ?? 0, shown],
      ends: [first, last],
      instants,
      part:
        inside?.start === last && !hasLast
          ? [instants.at(-1)?.from ?? inside.edge, inside.edge - 1]
          : undefined,
    };
  }
}

/** The share of a distance in rows that is trusted: ids and instants may lie closer elsewhere. */
const trust = 0.9;
