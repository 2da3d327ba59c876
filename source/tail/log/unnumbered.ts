/** Rule 7: a log whose ids order nothing. Lines stand as they came, history above. */
import type { LogId } from '../../contract/logs.ts';
import { maxPlace, type Place, shiftPlace } from '../arena/place.ts';
import { type LogRow, type PlacedRow, rowKey, rowsOf } from '../arena/row.ts';
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

/** Lines that a stream must repeat to join the known ones without a page. */
const fewestRepeated = 8;

/** Lines in which copies are looked for. */
const mostSeen = 2000;

/** Pages that are read back for the held end on one connection. */
const mostPages = 20;

/** A page that shows known lines alone. */
const touching = { relation: 'touching', distance: 0 } as const;
const empty = { relation: 'empty', distance: 0 } as const;

/** The result of a page of the newest lines. `deeper`: the page before it is needed, too. */
type NewestResult = 'joined' | 'behind' | 'deeper' | 'again';

/** Ids of one connection that fall so much more often than they rise tell no order. */
const mostFalls = 5;

/** Finds out whether the ids of a stream fall: most lines have a lower one than the line before. */
export class FallingIds {
  #last: LogId | undefined;
  #falls = 0;
  #isFound = false;

  get isFound(): boolean {
    return this.#isFound;
  }

  /** Begins anew with a connection. */
  restart(): void {
    this.#last = undefined;
    this.#falls = 0;
  }

  /** Takes lines of the stream. Returns them as {@link read} does. */
  note<Line>(rows: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    for (const { id } of rows) if (id !== undefined) this.#note(id);
    return this.read(rows);
  }

  /** Takes as many lines, whose ids rise from `first` to `last`. */
  noteRising(first: LogId, last: LogId, lines: number): void {
    this.#note(first);
    this.#falls = Math.max(0, this.#falls - (lines - 1));
    this.#last = last;
  }

  #note(id: LogId): void {
    if (id === this.#last) return;
    const isFall = this.#last !== undefined && id < this.#last;
    this.#falls = Math.max(0, this.#falls + (isFall ? 1 : -1));
    this.#last = id;
    this.#isFound ||= this.#falls >= mostFalls;
  }

  /** Returns lines as they are, or without ids once these fall. */
  read<Line>(rows: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    return this.#isFound ? rows.map((row) => ({ ...row, id: undefined })) : rows;
  }
}

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
  /** The next known line that the open stream is to repeat. */
  #repeating: Place | undefined;
  /** Live lines at which they are compared with the known ones for the next time. */
  #nextTry = 0;
  /** Pages that were read for this connection. */
  #read = 0;
  /** Keys of the last lines of this connection, if these have ids. */
  readonly #seen = new Set<string>();

  constructor(held: Held<Line>, pages: Pages<Line>) {
    this.#held = held;
    this.#pages = pages;
    this.#direction = new PageDirection(held, pages);
  }

  /** True when the newest page is needed to join the live lines. */
  get needsHead(): boolean {
    return this.#needsJoin;
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
    this.#nextTry = fewestRepeated;
    this.#read = 0;
  }

  /** Leaves a row above lines that are not joined by now. */
  closed(): void {
    this.giveUp();
    this.#isOpen = false;
    this.#repeating = undefined;
    this.#liveFrom = undefined;
    this.#seen.clear();
  }

  /** Entries before a place are about to be dropped from memory. */
  forgetBefore(place: Place): void {
    if (this.#liveFrom === undefined || this.#liveFrom > place) return;
    // Nothing is left to be joined.
    this.#liveFrom = place;
    this.#needsJoin = false;
    this.#rows = [];
  }

  /** Appends lines of the open stream, without copies that their ids tell (rule 2). */
  live(rows: readonly LogRow<Line>[]): void {
    this.#append(rows.filter((row) => row.textId === undefined || this.#isFirst(rowKey(row))));
  }

  #isFirst(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    if (this.#seen.size > mostSeen) this.#seen.delete(this.#seen.keys().next().value ?? '');
    return true;
  }

  #append(all: readonly LogRow<Line>[]): void {
    const rows = this.#notRepeated(all);
    if (rows.length === 0) return;
    const { newest } = this.#held;
    const isFirst = this.#liveFrom === undefined && this.#isOpen;
    const first = newest === undefined ? 0 : shiftPlace(newest, isFirst ? room : 1);
    const put = placedFrom(first, rows);
    if (isFirst) {
      this.#liveFrom = first;
      this.#needsJoin = true;
    }
    const from = isFirst ? first : (this.#held.spans.at(-1)?.from ?? first);
    this.#held.noteStart(first);
    this.#held.apply(cover(this.#held.spans, from, put.at(-1)?.place ?? first), put, [], 'older');
    // Until pages have told their order, they are needed for that.
    const mayTry = this.needsHead && this.#pages.offsets.isCertain;
    if (mayTry && this.ahead >= this.#nextTry) this.#findRepeated();
  }

  /** Returns the lines that are not known yet. Others than those that are expected begin anew. */
  #notRepeated(rows: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    if (this.#repeating === undefined || rows.length === 0) return rows;
    const known = this.#held.from(this.#repeating, rows.length);
    const other = known.findIndex(({ row }, at) => !isAgreeing(row, rows[at] ?? row));
    const last = known.at(-1)?.place;
    const isOver = other >= 0 || last === undefined || known.length < rows.length;
    this.#repeating = isOver ? undefined : shiftPlace(last, 1);
    if (other >= 0) this.#liveFrom = undefined;
    return rows.slice(other < 0 ? known.length : other);
  }

  /** A stream that repeats enough of the oldest or newest known lines joins them without a page. */
  #findRepeated(): void {
    const live = this.#live;
    this.#nextTry = this.ahead * 4;
    const below = this.#below(live);
    const [from, end] = [this.#held.spanFrom(below[0]?.place ?? 0), below.at(-1)?.place];
    if (from === undefined || end === undefined) return;
    for (const known of [below, this.#held.from(from, below.length)]) {
      const begin = alignedAt(rowsOf(live), rowsOf(known), fewestRepeated);
      const first = begin === undefined ? undefined : known[-begin];
      if (first === undefined) continue;
      this.#repeat(this.#held.linesFrom(first.place) - this.ahead);
      if (!this.#needsJoin) this.#pages.noteHead(this.#pages);
      return;
    }
  }

  /** The live lines repeat the last known ones, as many as given or fewer: they are taken out. */
  #repeat(lines: number): void {
    const live = this.#liveFrom === undefined ? [] : this.#held.from(this.#liveFrom, this.ahead);
    const known = this.#below(live, lines);
    const [first, last, end] = [live[0]?.place, live.at(-1)?.place, known.at(-1)?.place];
    if (first === undefined || last === undefined || end === undefined) return;
    const spans = this.#held.spans.filter(({ from }) => from !== first);
    this.#held.apply(spans, [], [[first, last]]);
    this.#liveFrom = shiftPlace(end, 1);
    this.#needsJoin = false;
    this.#repeating = known[0]?.place;
    this.#append(rowsOf(live).slice(lines - known.length));
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
    const result = this.#newest({ rows, slice });
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
  #newest(page: SortedPage<Line>): NewestResult {
    this.#read += 1;
    const rows = this.#rows.length === 0 ? page.rows : joined(page.rows, this.#rows);
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
    const [first] = live;
    if (first !== undefined) {
      const { oldest } = this.#pages.offsets.rangeOf(page.slice, page.rows.length);
      this.#pages.anchor(this.#held, first.place, oldest - bottom);
      this.#pages.offsets.confirm();
    }
    const begin = below.length === 0 ? Math.min(0, bottom) : alignedAt(rows, rowsOf(below));
    // A page that can't be compared tells nothing of the stream.
    if (begin === undefined) return isAudit ? 'joined' : 'deeper';
    const end = begin + below.length;
    const between = rows.slice(Math.max(0, end), Math.max(0, end, bottom));
    this.#needsJoin = false;
    if (first !== undefined && end > bottom) {
      this.#repeat(end - bottom);
      // The stream has left some of the lines out that it repeats.
      if (this.#needsJoin) this.giveUp();
    } else this.#insert(between, below, live);
    if (below.length > 0 && begin > 0) this.older(rows, false);
    return isAudit && between.length > 0 ? 'behind' : 'joined';
  }

  /** Returns whether a page tells where the newest lines are: it is one of them, or shows live lines. */
  isFound({ target }: PageRequest, rows: readonly LogRow<Line>[]): boolean {
    if (this.depth > 0) return true;
    return (
      target === 'head' && this.#needsJoin && alignedAt(rows, rowsOf(this.#live)) !== undefined
    );
  }

  /** The first lines of the open stream. */
  get #live(): readonly PlacedRow<Line>[] {
    return this.#liveFrom === undefined ? [] : this.#held.from(this.#liveFrom, mostCompared);
  }

  /** Returns the last lines before the live ones, up to a row: nothing joins the lines before it. */
  #below([live]: readonly PlacedRow<Line>[], limit = mostCompared): readonly PlacedRow<Line>[] {
    const { newest } = this.#held;
    if (newest === undefined) return [];
    const last = live === undefined ? newest : shiftPlace(live.place, -1);
    const rows = this.#held.upTo(last, limit);
    const end = rows.at(-1)?.place;
    const from = end === undefined ? undefined : this.#held.spanFrom(end);
    return from === undefined ? rows : rows.filter(({ place }) => place >= from);
  }

  /** Finds out the direction of a page that does not tell it. Returns true once it is known. */
  direct(page: SortedPage<Line>): boolean {
    const live = this.#live;
    return this.#direction.find(page, live, this.#below(live));
  }

  /** Puts lines behind the held end and before the live ones. */
  #insert(
    rows: readonly LogRow<Line>[],
    below: readonly PlacedRow<Line>[],
    live: readonly PlacedRow<Line>[],
  ): void {
    const [end, liveFrom] = [below.at(-1)?.place, live[0]?.place];
    const first = end === undefined ? shiftPlace(liveFrom ?? 0, -rows.length) : shiftPlace(end, 1);
    const put = placedFrom(first, rows);
    const to = liveFrom ?? put.at(-1)?.place ?? end;
    if (to === undefined) return;
    const from = below[0]?.place ?? first;
    this.#held.apply(cover(this.#held.spans, from, maxPlace(from, to)), put);
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
    else if (first.from === this.#liveFrom) this.#needsJoin = false;
    return shown.length;
  }
}

function placedFrom<Line>(first: Place, rows: readonly LogRow<Line>[]): readonly PlacedRow<Line>[] {
  return rows.map((row, index) => ({ place: shiftPlace(first, index), row }));
}
