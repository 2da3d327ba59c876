import type { Place } from '../arena/place.ts';
import type { MergedLog } from './merged-log.ts';
import type { PageRequest, PageTarget } from './page-request.ts';
import { EndSearch, type OffsetOrder, overlapOf, PageSearch } from './paging.ts';

/** The page to fetch for a target. */
export interface PagePlan {
  readonly offset: number;
  readonly limit: number;
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

/**
 * The way to go on after a page that brought no progress. `again`: with another page. `beginning`: the
 * log has nothing before the place. `behind`: the page is the newest one and does not hold the place.
 */
export type PageVerdict = 'again' | 'beginning' | 'behind';

/** A line whose index was seen. */
interface Anchor {
  readonly place: Place;
  readonly index: number;
  /** Lines before it by index, less the known ones: lines that are not known here. */
  readonly drift: number;
}

/** Smallest page worth a round trip. */
const smallPage = 100;

/** Decides which pages to request for the lines that are wanted. */
export class PagePlanner {
  order: OffsetOrder;
  /** The order is a guess: a page at offset 0 may be at the other end of the log. */
  isGuess = false;
  readonly end = new EndSearch();
  readonly #search = new PageSearch();
  readonly #log: MergedLog<unknown>;
  #pageSize: number;
  /** The most rows that a page has had so far. */
  #most = 0;
  /** The lowest offset at which the log had no line when it was looked at last. */
  #emptyFrom = Number.POSITIVE_INFINITY;
  /** The highest offset behind a line that was seen. */
  #seenEnd = 0;
  #anchor: Anchor | undefined;
  /** The offset behind a short page, which tells whether the log begins with that. */
  #probe: { readonly offset: number } | undefined;
  /** A small page brought nothing new: an instant may be larger than it. */
  #isSmallTooSmall = false;

  constructor(log: MergedLog<unknown>, pageSize: number) {
    this.#log = log;
    this.#pageSize = pageSize;
  }

  /** Begins to look for another place. */
  restart(): void {
    this.#search.restart();
    this.#probe = undefined;
    this.#isSmallTooSmall = false;
  }

  /** Forgets the meaning of offsets, which is then found out anew. */
  forgetOrder(): void {
    this.order = undefined;
    this.#anchor = undefined;
    this.#search.restart();
    this.end.restart(-1);
  }

  /** Forgets the lines whose indexes were seen: their places have changed. */
  forgetAnchor(): void {
    this.#anchor = undefined;
  }

  /** Requests no larger pages. Returns false when they are as small already. */
  shrink(): boolean {
    if (this.#pageSize <= smallPage) return false;
    this.#pageSize = smallPage;
    return true;
  }

  /**
   * Returns the page that holds a place, or the newest lines.
   *
   * @param lines lines wanted.
   * @param linesAbove known lines that are newer than the instant of the place.
   */
  plan(target: PageTarget, edge: Place | undefined, lines: number, linesAbove: number): PagePlan {
    const isSmall = (target === 'head' || target === 'older') && !this.#isSmallTooSmall;
    const wanted = isSmall ? lines : this.#pageSize;
    const overlap = edge === undefined ? 0 : overlapOf(this.#pageSize);
    const limit = Math.min(this.#pageSize, Math.max(smallPage, wanted + overlap));
    if (this.order === undefined) return { offset: 0, limit };
    if (edge === undefined) {
      return this.order === 'newest' ? { offset: 0, limit } : this.end.next(this.#pageSize);
    }
    if (this.#probe !== undefined) return { offset: this.#probe.offset, limit };
    const index = this.#search.index(this.#expected(linesAbove));
    const newer = overlapOf(limit);
    const offset = this.order === 'newest' ? index - newer : index + newer - limit + 1;
    return { offset: Math.max(0, offset), limit };
  }

  /** Returns the index at which the newest line of an instant is expected. */
  #expected(linesAbove: number): number {
    const { order } = this;
    const anchor = this.#anchor;
    if (order === 'newest') return linesAbove + (anchor?.drift ?? 0);
    if (anchor === undefined) return 0;
    return anchor.index + this.#log.linesFrom(anchor.place) - 1 - linesAbove;
  }

  noteRows({ offset, limit }: PageRequest, rows: number): void {
    if (rows === 0) {
      this.#emptyFrom = Math.min(this.#emptyFrom, offset);
      return;
    }
    const end = offset + rows;
    this.#most = Math.max(this.#most, rows);
    if (end > this.#emptyFrom) this.#emptyFrom = Number.POSITIVE_INFINITY;
    // There is a line behind the page: the service gives no more rows at once.
    if (rows < limit && end < this.#seenEnd) this.#pageSize = Math.min(this.#pageSize, this.#most);
    this.#seenEnd = Math.max(this.#seenEnd, end);
  }

  /** Returns true when no larger page can be requested. */
  isLargest({ limit }: PageRequest): boolean {
    return limit >= this.#pageSize;
  }

  /** Returns true when the service had no more rows for a page. */
  isShort({ limit }: PageRequest, rows: number): boolean {
    return rows < Math.min(limit, this.#most);
  }

  /** Returns true when the log begins with the oldest line of a page. */
  beginsLog(request: PageRequest, rows: number): boolean {
    if (this.isGuess) return false;
    if (this.order === 'oldest') return request.offset === 0;
    return this.isShort(request, rows) || request.offset + rows >= this.#emptyFrom;
  }

  /** Returns true when a page ends with the newest line of the log. */
  endsLog(request: PageRequest, rows: number): boolean {
    if (this.isGuess) return false;
    if (this.order === 'newest') return request.offset === 0;
    return this.isShort(request, rows) || request.offset + rows >= this.#emptyFrom;
  }

  /** Remembers the index of the newest line of a page. */
  anchor(place: Place, { offset }: PageRequest, rows: number): void {
    const above = this.#log.linesFrom(place) - 1;
    const index = this.order === 'oldest' ? offset + rows - 1 : offset;
    this.#anchor = { place, index, drift: index - above };
  }

  /** Begins the search for the end at the newest line whose index is known. */
  restartEnd(): void {
    const anchor = this.#anchor;
    const known = anchor === undefined ? -1 : this.#expected(0);
    this.end.restart(Math.max(-1, known));
  }

  /** Decides how to go on after a page without progress. */
  judge(request: PageRequest, rows: number, sight: PageSight): PageVerdict {
    const { offset, limit } = request;
    const page = { offset, rows };
    const isNewestFirst = this.order === 'newest';
    const begins = this.beginsLog(request, rows);
    const ends = this.endsLog(request, rows);
    const { relation, distance, newerRows, isOneInstant } = sight;
    const probe = this.#probe;
    this.#probe = undefined;
    if (offset === probe?.offset) {
      if (relation === 'empty') return isNewestFirst ? 'beginning' : 'behind';
    }
    if (relation === 'empty') {
      if (offset === 0) return 'behind';
      this.#search.isBefore(page, limit);
      return 'again';
    }
    if (relation === 'older') {
      if (ends) return 'behind';
      if (isNewestFirst) this.#search.isBefore(page, distance);
      else this.#goBehind(request, rows, distance);
      return 'again';
    }
    if (begins) return 'beginning';
    if (relation === 'newer') {
      if (isNewestFirst) this.#goBehind(request, rows, distance);
      else this.#search.isBefore(page, distance);
    } else if (isOneInstant) {
      // The instant is larger than a page: it is read from its newest line to its oldest.
      this.#search.found(isNewestFirst ? offset + rows : offset - 1);
      if (isNewestFirst && rows < limit) this.#probe = { offset: offset + rows };
    } else {
      this.#isSmallTooSmall = true;
      this.#search.found(isNewestFirst ? offset + newerRows : offset + rows - newerRows - 1);
      // Either the log begins with the page, or the service gives no more rows at once.
      if (isNewestFirst && rows < limit) {
        this.#probe = { offset: offset + rows };
      }
    }
    return 'again';
  }

  /** Looks behind a page; directly behind a short one, which may be the last of the log. */
  #goBehind({ offset, limit }: PageRequest, rows: number, distance: number): void {
    this.#search.isBehind({ offset, rows }, distance);
    if (rows < limit) this.#probe = { offset: offset + rows };
  }
}
