/** Rule 7: a log whose ids order nothing. Lines stand as they came, history above. */
import { maxPlace, type Place, shiftPlace } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import { cover, spanAt } from '../arena/spans.ts';
import { isAgreeing } from './copies.ts';
import type { Held } from './held.ts';

/** Places that stay free between the lines of two connections. */
const room = 2 ** 32;

/** Held lines on each side that are compared with a page. */
const mostCompared = 4000;

/** Pages that are read back for the held end, and for one end among several. */
const mostPages = 20;
const mostPagesOfSeveral = 4;

/** Rows by which a page may be ahead of its stream. */
const mostAhead = 1000;

/** Rows that must agree where lines have no times: one alone may repeat another line. */
const fewestUntimed = 16;

/** The result of a page of the newest lines. `deeper`: the page before it is needed, too. */
export interface NewestResult {
  readonly state: 'joined' | 'deeper' | 'again';
  /** True when the page has lines that the open stream has not delivered. */
  readonly isBehind: boolean;
}

/** The row of a page at which known lines begin; `none` and `several` join nothing. */
type Alignment = number | 'none' | 'several';

export class Unnumbered<Line> {
  readonly #held: Held<Line>;
  /** The first line of the open connection. */
  #liveFrom: Place | undefined;
  #isOpen = false;
  /** True when the lines before the live ones are not joined to them yet. */
  #needsJoin = false;
  /** Rows that pages showed before the open stream has brought them. */
  #ahead: readonly LogRow<Line>[] = [];
  /** The newest pages so far, oldest row first. */
  #rows: readonly LogRow<Line>[] = [];
  #pages = 0;

  constructor(held: Held<Line>) {
    this.#held = held;
  }

  /** True when the newest page is needed to join the live lines. */
  get needsHead(): boolean {
    return this.#needsJoin && this.#liveFrom !== undefined;
  }

  /** The rows of the newest pages that were read; the next page is to show those before. */
  get depth(): number {
    return this.#rows.length;
  }

  opened(): void {
    // The newest pages can no longer join lines of an earlier connection.
    this.giveUp();
    this.#isOpen = true;
    this.#ahead = [];
    this.#liveFrom = undefined;
    this.#needsJoin = true;
    this.restart();
  }

  closed(): void {
    this.#isOpen = false;
    this.#ahead = [];
    this.#liveFrom = undefined;
    this.restart();
  }

  /** Forgets the newest pages that were read so far. */
  restart(): void {
    this.#rows = [];
    this.#pages = 0;
  }

  /** Appends lines of the open stream. */
  live(all: readonly LogRow<Line>[]): void {
    const rows = this.#ahead.length === 0 ? all : this.#notAhead(all);
    if (rows.length === 0) return;
    const { newest } = this.#held;
    const isFirst = this.#liveFrom === undefined && this.#isOpen;
    const first = newest === undefined ? 0 : shiftPlace(newest, isFirst ? room : 1);
    const put = rows.map((row, index) => ({ place: shiftPlace(first, index), row }));
    if (isFirst) this.#liveFrom = first;
    const last = put.at(-1)?.place ?? first;
    const from = isFirst ? first : (this.#held.spans.at(-1)?.from ?? first);
    this.#held.noteStart(first);
    this.#held.apply(cover(this.#held.spans, from, last), put, [], 'older');
  }

  /** Returns the lines that no page showed before: a page may be ahead of the stream. */
  #notAhead(rows: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    const ahead = this.#ahead;
    const placed = rows.map((row, place) => ({ row, place }));
    const isFirst = this.#liveFrom === undefined;
    const begin = isFirst ? this.#beginIn(ahead, placed) : agrees(ahead, placed, 0) ? 0 : 'none';
    if (typeof begin === 'string' || begin < 0) {
      this.#ahead = [];
      return rows;
    }
    const known = ahead.length - begin;
    this.#ahead = ahead.slice(begin + rows.length);
    this.#liveFrom ??= this.#held.upTo(Number.POSITIVE_INFINITY, known)[0]?.place;
    this.#needsJoin = false;
    return rows.slice(known);
  }

  /** Joins a page of the newest lines, with those before it that were read for it. */
  newest(page: readonly LogRow<Line>[], isAudit: boolean): NewestResult {
    const rows = this.#deepened(page);
    if (rows === undefined) return { state: 'again', isBehind: false };
    const liveFrom = isAudit ? undefined : this.#liveFrom;
    const above = liveFrom === undefined ? [] : this.#held.from(liveFrom, mostCompared);
    const below = this.#below(liveFrom);
    const top = below.length === 0 ? 0 : this.#endIn(rows, below);
    if (typeof top === 'string') {
      const most = top === 'none' ? mostPages : mostPagesOfSeveral;
      if (this.#pages < most && rows.length <= mostCompared)
        return { state: 'deeper', isBehind: false };
      this.restart();
      return { state: 'again', isBehind: false };
    }
    const bottom = above.length === 0 ? rows.length : this.#beginIn(rows, above);
    this.restart();
    if (typeof bottom === 'string') return { state: 'again', isBehind: false };
    const between = rows.slice(top, Math.max(top, bottom));
    const doubled = below.length === 0 ? 0 : top - bottom;
    this.#insert(between, below.at(-1)?.place, liveFrom, doubled);
    if (above.length > 0 || !this.#isOpen) this.#needsJoin = false;
    else if (this.#liveFrom === undefined) this.#ahead = rows.slice(-mostAhead);
    return { state: 'joined', isBehind: isAudit && between.length > 0 };
  }

  /** Returns the newest pages with one more; undefined when that does not join them. */
  #deepened(page: readonly LogRow<Line>[]): readonly LogRow<Line>[] | undefined {
    this.#pages += 1;
    if (this.#rows.length === 0) {
      this.#rows = page;
      return page;
    }
    const before = this.#rows.map((row, place) => ({ row, place }));
    const begin = this.#beginIn(page, before);
    if (typeof begin === 'string') {
      this.restart();
      return undefined;
    }
    this.#rows = [...page.slice(0, begin), ...this.#rows];
    return this.#rows;
  }

  #below(liveFrom: Place | undefined): readonly PlacedRow<Line>[] {
    const { newest } = this.#held;
    if (newest === undefined) return [];
    const last = liveFrom === undefined ? newest : shiftPlace(liveFrom, -1);
    const rows = this.#held.upTo(last, mostCompared).filter(({ place }) => place <= last);
    const end = rows.at(-1)?.place;
    const from = end === undefined ? undefined : this.#held.spanFrom(end);
    // Nothing joins the lines before a row.
    return from === undefined ? rows : rows.filter(({ place }) => place >= from);
  }

  /**
   * Puts lines behind the held end and before the live ones.
   * @param doubled live lines at the start that the held end has, too.
   */
  #insert(
    rows: readonly LogRow<Line>[],
    end: Place | undefined,
    liveFrom: Place | undefined,
    doubled: number,
  ): void {
    const first = end === undefined ? shiftPlace(liveFrom ?? 0, -rows.length) : shiftPlace(end, 1);
    const put = rows.map((row, index) => ({ place: shiftPlace(first, index), row }));
    const from =
      end === undefined ? first : (this.#held.spans[spanAt(this.#held.spans, end)]?.from ?? end);
    const twice = doubled > 0 && liveFrom !== undefined ? this.#held.from(liveFrom, doubled) : [];
    const drop = twice.map(({ place }) => [place, place] as const);
    const to = liveFrom ?? put.at(-1)?.place ?? end;
    if (to === undefined) return;
    this.#held.apply(cover(this.#held.spans, from, maxPlace(from, to)), put, drop);
  }

  /** Lines that can't be joined: what pages showed stands under a row, and so do the live lines. */
  giveUp(): void {
    this.#needsJoin = false;
    this.restart();
    this.#held.giveUpAll('unclear');
  }

  /**
   * Shows the newest page under a row, as nothing joins it to the held lines.
   * @param rows of the page.
   */
  apart(rows: readonly LogRow<Line>[]): void {
    const liveFrom = this.#liveFrom;
    const below = this.#below(liveFrom);
    const end = below.at(-1)?.place;
    const above = liveFrom === undefined ? [] : this.#held.from(liveFrom, mostCompared);
    const bottom = above.length === 0 ? rows.length : this.#beginIn(rows, above);
    const shown = typeof bottom === 'number' ? rows.slice(0, Math.max(0, bottom)) : rows;
    this.giveUp();
    if (shown.length === 0) return;
    const first =
      end === undefined ? shiftPlace(liveFrom ?? 0, -room / 2) : shiftPlace(end, room / 2);
    const put = shown.map((row, index) => ({ place: shiftPlace(first, index), row }));
    const isJoined = typeof bottom === 'number' && liveFrom !== undefined;
    const to = isJoined ? liveFrom : (put.at(-1)?.place ?? first);
    this.#held.apply(cover(this.#held.spans, first, to), put);
    this.#held.giveUpBelow(first, 'unclear');
    if (!isJoined && liveFrom !== undefined) this.#held.giveUpBelow(liveFrom, 'unclear');
  }

  /**
   * Puts the rows of a page above the oldest lines. Returns the number of lines that were new; undefined
   * when nothing joins the page.
   * @param mayLeave true to show the page over a row when nothing joins it.
   */
  older(rows: readonly LogRow<Line>[], mayLeave: boolean): number | undefined {
    const [first] = this.#held.spans;
    if (first === undefined || rows.length === 0) return undefined;
    const oldest = this.#held.from(first.from, mostCompared);
    const begin = this.#beginIn(rows, oldest);
    const isJoined = typeof begin === 'number';
    if (!isJoined && !mayLeave) return undefined;
    const shown = isJoined ? rows.slice(0, Math.max(0, begin)) : rows;
    if (shown.length === 0) return 0;
    const from = shiftPlace(first.from, -(shown.length + (isJoined ? 0 : room / 2)));
    const put = shown.map((row, index) => ({ place: shiftPlace(from, index), row }));
    const to = isJoined ? first.from : (put.at(-1)?.place ?? from);
    this.#held.apply(cover(this.#held.spans, from, to), put);
    if (!isJoined) this.#held.giveUpBelow(first.from, 'unclear');
    return shown.length;
  }

  /** Returns the number of a page's rows up to the end of the held lines. */
  #endIn(rows: readonly LogRow<Line>[], held: readonly PlacedRow<Line>[]): Alignment {
    const aligned: number[] = [];
    for (let end = 1; end <= rows.length; end += 1)
      if (agrees(rows, held, end - held.length)) aligned.push(end);
    // A page that is behind the stream lies within the held lines.
    for (let end = rows.length + 1; end < held.length && aligned.length < 2; end += 1)
      if (agrees(rows, held, end - held.length)) aligned.push(rows.length);
    return single(aligned);
  }

  /** Returns the number of a page's rows before the first one of the held lines. */
  #beginIn(rows: readonly LogRow<Line>[], held: readonly PlacedRow<Line>[]): Alignment {
    const aligned: number[] = [];
    const least = Math.min(0, rows.length - held.length);
    for (let begin = least; begin < rows.length && aligned.length < 2; begin += 1)
      if (agrees(rows, held, begin)) aligned.push(begin);
    return single(aligned);
  }
}

function single(aligned: readonly number[]): Alignment {
  const [first, second] = aligned;
  if (first === undefined) return 'none';
  return second === undefined ? first : 'several';
}

/** Returns whether all rows that both sides show agree when the held lines begin at a row. */
function agrees(
  rows: readonly LogRow<unknown>[],
  held: readonly PlacedRow<unknown>[],
  begin: number,
): boolean {
  const from = Math.max(0, begin);
  const to = Math.min(rows.length, begin + held.length);
  if (to <= from) return false;
  for (let index = to - 1; index >= from; index -= 1) {
    const [row, other] = [rows[index], held[index - begin]?.row];
    if (row === undefined || other === undefined || !isAgreeing(other, row)) return false;
  }
  const isTimed = rows[from]?.timestamp !== undefined || rows[from]?.id !== undefined;
  return isTimed || to - from >= Math.min(fewestUntimed, held.length, rows.length);
}
