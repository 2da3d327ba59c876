/** Rule 7: a log whose ids order nothing. Lines stand as they came, history above. */
import { maxPlace, type Place, shiftPlace } from '../arena/place.ts';
import { type LogRow, type PlacedRow, rowsOf } from '../arena/row.ts';
import { cover } from '../arena/spans.ts';
import { alignedAt, joined } from './alignment.ts';
import { isAgreeing } from './copies.ts';
import type { Held } from './held.ts';
import type { SortedPage } from './offsets.ts';
import type { PageRequest } from './page-request.ts';
import { PageDirection } from './page-direction.ts';
import type { PageVerdict, Pages } from './pages.ts';

/** Places that stay free between the lines of two connections. */
const room = 2 ** 32;

/** Held lines on each side that are compared with a page. */
const mostCompared = 4000;

/** Pages that are read back for the held end on one connection. */
const mostPages = 20;

/** A page that shows known lines alone. */
const touching = { relation: 'touching', distance: 0 } as const;
const empty = { relation: 'empty', distance: 0 } as const;

/** The result of a page of the newest lines. `deeper`: the page before it is needed, too. */
type NewestResult = 'joined' | 'behind' | 'deeper' | 'again';

export class Unnumbered<Line> {
  readonly #held: Held<Line>;
  readonly #pages: Pages<Line>;
  readonly #direction: PageDirection<Line>;
  #isOpen = false;
  /** The first line of the open connection. */
  #liveFrom: Place | undefined;
  /** True when the lines before the live ones are not joined to them yet. */
  #needsJoin = false;
  /** The newest pages so far, oldest row first. */
  #rows: readonly LogRow<Line>[] = [];
  /** Lines that pages showed before the open stream has brought them. */
  #ahead: readonly LogRow<Line>[] = [];
  /** Pages that were read for this connection. */
  #read = 0;

  constructor(held: Held<Line>, pages: Pages<Line>) {
    this.#held = held;
    this.#pages = pages;
    this.#direction = new PageDirection(held, pages);
  }

  /** True when the newest page is needed to join the live lines. */
  get needsHead(): boolean {
    return this.#needsJoin && this.#liveFrom !== undefined;
  }

  /** The rows of the newest pages that were read; the next page is to show those before. */
  get depth(): number {
    return this.#rows.length;
  }

  /** The live lines, before which others are looked for. */
  get ahead(): number {
    return this.#liveFrom === undefined ? 0 : this.#held.linesFrom(this.#liveFrom);
  }

  opened(): void {
    this.#isOpen = true;
    this.#needsJoin = true;
    this.#read = 0;
  }

  /** Leaves a row above lines that are not joined by now. */
  closed(): void {
    this.giveUp();
    this.#isOpen = false;
    this.#ahead = [];
    this.#liveFrom = undefined;
    this.#read = 0;
  }

  /** Entries before a place are about to be dropped from memory. */
  forgetBefore(place: Place): void {
    if (this.#liveFrom === undefined || this.#liveFrom > place) return;
    // Nothing is left to be joined.
    this.#liveFrom = place;
    this.#needsJoin = false;
    this.#rows = [];
  }

  /** Appends lines of the open stream. */
  live(all: readonly LogRow<Line>[]): void {
    const rows = this.#notAhead(all);
    if (rows.length === 0) return;
    const { newest } = this.#held;
    const isFirst = this.#liveFrom === undefined && this.#isOpen;
    const first = newest === undefined ? 0 : shiftPlace(newest, isFirst ? room : 1);
    const put = placedFrom(first, rows);
    if (isFirst) this.#liveFrom = first;
    const from = isFirst ? first : (this.#held.spans.at(-1)?.from ?? first);
    this.#held.noteStart(first);
    this.#held.apply(cover(this.#held.spans, from, put.at(-1)?.place ?? first), put, [], 'older');
  }

  /** Returns the lines that no page showed before. Others than those that are expected begin anew. */
  #notAhead(rows: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    const ahead = this.#ahead.slice(0, rows.length);
    const known = ahead.findIndex((row, at) => !isAgreeing(row, rows[at] ?? row));
    this.#ahead = known < 0 ? this.#ahead.slice(rows.length) : [];
    if (known >= 0) {
      this.#liveFrom = undefined;
      this.#needsJoin = true;
    }
    return rows.slice(known < 0 ? ahead.length : known);
  }

  /** Lines that can't be joined stand below a row. */
  giveUp(): void {
    this.#needsJoin = false;
    this.#rows = [];
    this.#held.giveUpAll('unclear');
  }

  /** Adds a page. Returns true when it has lines that the open stream has not delivered. */
  page(request: PageRequest, page: SortedPage<Line>, isProbe: boolean): boolean {
    const oldest = this.#held.spans[0]?.from;
    const isHead = isProbe ? page.slice.offset === 0 : request.target === 'head';
    const isBehind = isHead && this.#addNewest(request, page);
    if (!isHead) this.#addOlder(request, page, isProbe);
    const first = this.#held.spans[0]?.from;
    if (first !== undefined && first !== oldest && page.rows.length > 0) {
      const { oldest: index } = this.#pages.offsets.rangeOf(page.slice, page.rows.length);
      this.#pages.anchor(this.#held, first, index);
    }
    return isBehind;
  }

  #addNewest(request: PageRequest, { rows, slice }: SortedPage<Line>): boolean {
    if (rows.length === 0 && this.#rows.length === 0 && !this.needsHead) {
      this.#pages.noteHead(request);
      if (request.offset === 0 && this.#held.spans.length === 0) this.#pages.complete();
      return false;
    }
    const result = this.#newest(rows);
    if (result === 'joined' || result === 'behind') {
      this.#rows = [];
      this.#pages.noteHead(request);
      return result === 'behind';
    }
    const mayGoDeeper = result === 'deeper' && this.#read < mostPages;
    if (mayGoDeeper && this.#pages.wantDeeper(slice, rows.length)) return false;
    const { newest } = request;
    const isStale =
      this.#liveFrom !== undefined && (newest === undefined || newest < this.#liveFrom);
    // The page was requested before the lines came that it is to show.
    if (!isStale && this.#pages.later(true) !== undefined) this.#leave();
    else if (!isStale && !this.#pages.offsets.isCertain) this.#pages.turn();
    this.#rows = [];
    return false;
  }

  /** Joins the newest pages at both ends. */
  #newest(page: readonly LogRow<Line>[]): NewestResult {
    this.#read += 1;
    const rows = this.#rows.length === 0 ? page : joined(page, this.#rows);
    if (rows === undefined) return 'again';
    this.#rows = rows;
    const isAudit = this.#pages.isAuditing;
    if (!isAudit && this.#liveFrom !== undefined && !this.#needsJoin) return 'joined';
    const live = isAudit ? [] : this.#live;
    const below = this.#below(live);
    const isUsable = this.#pages.offsets.isDirected || live.length === 0;
    if (!isUsable || !this.#direction.isUsable(below)) return 'again';
    const bottom = live.length === 0 ? rows.length : alignedAt(rows, rowsOf(live));
    if (bottom === undefined) return 'again';
    if (live.length > 0) this.#pages.offsets.confirm();
    const begin = below.length === 0 ? Math.min(0, bottom) : alignedAt(rows, rowsOf(below));
    // A page that can't be compared tells nothing of the stream.
    if (begin === undefined) return isAudit ? 'joined' : 'deeper';
    const end = begin + below.length;
    const doubled = live.length === 0 ? 0 : Math.max(0, end - bottom);
    const ahead = Math.max(0, doubled - live.length);
    if (ahead > 0 && live.length < this.ahead) return 'again';
    if (ahead > 0) this.#ahead = rowsOf(below.slice(-ahead));
    const between = rows.slice(Math.max(0, end), Math.max(0, end, bottom));
    this.#insert(between, below, live, Math.min(doubled, live.length));
    if (below.length > 0 && begin > 0) this.older(rows, false);
    if (live.length > 0 || !this.#isOpen) this.#needsJoin = false;
    return isAudit && between.length > 0 ? 'behind' : 'joined';
  }

  /** The first lines of the open stream. */
  get #live(): readonly PlacedRow<Line>[] {
    return this.#liveFrom === undefined ? [] : this.#held.from(this.#liveFrom, mostCompared);
  }

  /** Returns the last lines before the live ones, up to a row: nothing joins the lines before it. */
  #below([live]: readonly PlacedRow<Line>[]): readonly PlacedRow<Line>[] {
    const { newest } = this.#held;
    if (newest === undefined) return [];
    const last = live === undefined ? newest : shiftPlace(live.place, -1);
    const rows = this.#held.upTo(last, mostCompared);
    const end = rows.at(-1)?.place;
    const from = end === undefined ? undefined : this.#held.spanFrom(end);
    return from === undefined ? rows : rows.filter(({ place }) => place >= from);
  }

  /** Finds out the direction of a page that does not tell it. Returns true once it is known. */
  direct(page: SortedPage<Line>): boolean {
    const live = this.#live;
    return this.#direction.find(page, live, this.#below(live));
  }

  /**
   * Puts lines behind the held end and before the live ones.
   * @param doubled live lines at the start that the held end has, too.
   */
  #insert(
    rows: readonly LogRow<Line>[],
    below: readonly PlacedRow<Line>[],
    live: readonly PlacedRow<Line>[],
    doubled: number,
  ): void {
    const [end, liveFrom] = [below.at(-1)?.place, live[0]?.place];
    const first = end === undefined ? shiftPlace(liveFrom ?? 0, -rows.length) : shiftPlace(end, 1);
    const put = placedFrom(first, rows);
    const drop = live.slice(0, doubled).map(({ place }) => [place, place] as const);
    const isAllDoubled = doubled > 0 && doubled === this.ahead;
    const spans = isAllDoubled
      ? this.#held.spans.filter((span) => span.from !== liveFrom)
      : this.#held.spans;
    const to = (isAllDoubled ? undefined : liveFrom) ?? put.at(-1)?.place ?? end;
    if (to === undefined) return;
    const from = below[0]?.place ?? first;
    this.#held.apply(cover(spans, from, maxPlace(from, to)), put, drop);
    if (isAllDoubled) this.#liveFrom = shiftPlace(to, 1);
    this.#direction.noteShown(put);
  }

  /** The newest pages can't be joined to the held lines: they are shown below a row. */
  #leave(): void {
    const live = this.#live;
    const below = this.#below(live);
    // Nothing tells whether such a page is upside down: it serves as the first history alone.
    const isShown = this.#pages.offsets.isDirected || below.length === 0;
    const rows = isShown ? this.#rows : [];
    const bottom = live.length === 0 ? rows.length : alignedAt(rows, rowsOf(live));
    const shown = bottom === undefined ? rows : rows.slice(0, Math.max(0, bottom));
    const end = below.at(-1)?.place;
    const first =
      end === undefined ? shiftPlace(live[0]?.place ?? 0, -room / 2) : shiftPlace(end, room / 2);
    const put = placedFrom(first, shown);
    const to = bottom === undefined ? put.at(-1)?.place : (live[0]?.place ?? put.at(-1)?.place);
    if (put.length > 0 && to !== undefined) {
      this.#held.apply(cover(this.#held.spans, first, to), put);
      this.#direction.noteShown(put);
    }
    this.giveUp();
  }

  #addOlder(request: PageRequest, page: SortedPage<Line>, isProbe: boolean): void {
    const { rows, slice } = page;
    const { offsets } = this.#pages;
    const added = rows.length === 0 ? undefined : this.older(rows, false);
    if (isProbe || request.target !== 'older') return;
    const isEmpty = rows.length === 0 && this.#pages.isBehind;
    if (added === undefined && !isEmpty) this.#pages.later(true);
    else if (rows.length > 0 && offsets.beginsLog(slice, rows.length, request.newest))
      this.#begin();
    else if (added !== undefined && added > 0) this.#pages.restart();
    else this.#follow(this.#pages.judge(this.#held, request, page, isEmpty ? empty : touching));
  }

  #follow(verdict: PageVerdict): void {
    if (verdict === 'beginning') this.#begin();
    else if (verdict === 'refused') this.#pages.abandon();
    else if (verdict === 'behind' || this.#pages.isIdle) this.#pages.later(true);
  }

  /** The service has nothing before the oldest known line. */
  #begin(): void {
    this.#pages.complete();
    this.#pages.restart();
  }

  /** Returns whether the lines of a page are at hand, with those before them. */
  isHeld(rows: readonly LogRow<Line>[]): boolean {
    return (alignedAt(rows, rowsOf(this.#below([]))) ?? 1) <= 0;
  }

  /** The oldest lines, down to a row. */
  get #oldest(): readonly PlacedRow<Line>[] {
    const [first] = this.#held.spans;
    if (first === undefined) return [];
    return this.#held.from(first.from, mostCompared).filter(({ place }) => place <= first.to);
  }

  /**
   * Puts the rows of a page above the oldest lines. Returns the number of lines that were new; undefined
   * when nothing joins the page.
   * @param mayLeave true to show the page over a row when nothing joins it.
   */
  older(rows: readonly LogRow<Line>[], mayLeave: boolean): number | undefined {
    const [first] = this.#held.spans;
    if (first === undefined || rows.length === 0) return undefined;
    const oldest = this.#oldest;
    if (!this.#direction.isUsable(oldest)) return undefined;
    const begin = alignedAt(rows, rowsOf(oldest));
    if (begin === undefined && !mayLeave) return undefined;
    const shown = begin === undefined ? rows : rows.slice(0, Math.max(0, begin));
    if (shown.length === 0) return 0;
    const from = shiftPlace(first.from, -(shown.length + (begin === undefined ? room / 2 : 0)));
    const put = placedFrom(from, shown);
    const to = begin === undefined ? (put.at(-1)?.place ?? from) : first.from;
    this.#held.apply(cover(this.#held.spans, from, to), put);
    if (begin === undefined) this.#held.giveUpBelow(first.from, 'unclear');
    return shown.length;
  }
}

function placedFrom<Line>(first: Place, rows: readonly LogRow<Line>[]): readonly PlacedRow<Line>[] {
  return rows.map((row, index) => ({ place: shiftPlace(first, index), row }));
}
