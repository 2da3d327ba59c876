/** The lines at hand, and the ranges of which every line is known. */
import type { Change } from '../arena/change.ts';
import type { InsertedRun } from '../arena/entries.ts';
import type { GapReason } from '../arena/gap.ts';
import { isAdjacent, maxPlace, type Place, shiftPlace } from '../arena/place.ts';
import type { PlacedRow } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import type { InsertSide } from '../arena/seq.ts';
import {
  cover,
  doubtBehind,
  forgetBefore,
  forgetBetween,
  giveUp,
  type KnownSpan,
  refetchGaps,
  spanAt,
  type Spans,
} from '../arena/spans.ts';

/** Stores the lines of a log in the order of their places; `Sequence` implements it. */
export interface LineOrder<Line> {
  readonly lines: number;
  /** Place of the newest line. */
  readonly newest: Place | undefined;
  linesFrom(place: Place): number;
  /** Returns the first lines at or behind a place, oldest first. */
  from(place: Place, limit: number): readonly PlacedRow<Line>[];
  /** Returns the last lines up to and with a place, oldest first. */
  upTo(place: Place, limit: number): readonly PlacedRow<Line>[];
  apply(change: Change<Line>): readonly InsertedRun[];
  append(run: Run, spans: Spans): InsertedRun;
}

/** Lines in which holes are looked for one by one. */
const mostSplit = 2000;

/** Neighbours in a page for each hole, from which on a log has few holes. */
const fewHoles = 8;

const begunState = { kind: 'missing', why: 'renumbered' } as const;

export class Held<Line> {
  readonly #store: LineOrder<Line>;
  #spans: Spans = [];
  #start: Place | undefined;
  #inserted: InsertedRun[] = [];
  /** Neighbours in pages whose ids differ by one, and by more. */
  #steps = 0;
  #holes = 0;

  constructor(store: LineOrder<Line>) {
    this.#store = store;
  }

  get spans(): Spans {
    return this.#spans;
  }

  /** The first place of the live lines; undefined while all lines are history. */
  get start(): Place | undefined {
    return this.#start;
  }

  get newest(): Place | undefined {
    return this.#store.newest;
  }

  get lines(): number {
    return this.#store.lines;
  }

  /** Lines of history at hand. */
  get historyLines(): number {
    return this.#store.lines - (this.#start === undefined ? 0 : this.linesFrom(this.#start));
  }

  /** True in a log whose pages show no hole between its ids. */
  get isDense(): boolean {
    return this.#steps > 0 && this.#holes === 0;
  }

  /** True in a log whose few holes may be lines that came late. */
  get isMostlyDense(): boolean {
    return this.#holes * fewHoles <= this.#steps;
  }

  linesFrom(place: Place): number {
    return this.#store.linesFrom(place);
  }

  from(place: Place, limit: number): readonly PlacedRow<Line>[] {
    return this.#store.from(place, limit);
  }

  upTo(place: Place, limit: number): readonly PlacedRow<Line>[] {
    return this.#store.upTo(place, limit);
  }

  /** Returns the line at a place. */
  at(place: Place): PlacedRow<Line> | undefined {
    const newest = this.#store.newest;
    if (newest === undefined || place > newest) return undefined;
    const [found] = this.#store.from(place, 1);
    return found?.place === place ? found : undefined;
  }

  isCovered(place: Place): boolean {
    return spanAt(this.#spans, place) >= 0;
  }

  /** Returns the first place of the span that a place lies in. */
  spanFrom(place: Place): Place | undefined {
    return this.#spans[spanAt(this.#spans, place)]?.from;
  }

  /** Returns whether the numbers of lines begin again at a span that begins with a place. */
  isBegun(place: Place): boolean {
    const span = this.#spans[spanAt(this.#spans, place)];
    return span?.from === place && span.below === begunState;
  }

  /** Returns the first place of a numbering, when nothing is missing before it. */
  begunIn(isIn: (place: Place) => boolean): Place | undefined {
    return this.#spans.find(({ from, below }) => below === begunState && isIn(from))?.from;
  }

  /** Returns whether the lines before a span that begins with a place are being fetched. */
  isFilling(place: Place): boolean {
    const span = this.#spans[spanAt(this.#spans, place)];
    return span?.from === place && span.below?.kind === 'filling';
  }

  /** The last line before the lowest gap whose lines are being fetched. */
  get endBeforeGaps(): Place | undefined {
    const lowest = this.#spans.findIndex(({ below }) => below?.kind === 'filling');
    return this.#spans[lowest - 1]?.to;
  }

  /** Gives up all gaps whose lines are being fetched. */
  giveUpAll(why: GapReason): void {
    const below = { kind: 'missing', why } as const;
    const isFilling = this.#spans.some((span) => span.below?.kind === 'filling');
    if (!isFilling) return;
    this.apply(
      this.#spans.map((span) => (span.below?.kind === 'filling' ? { ...span, below } : span)),
    );
  }

  takeInserted(): readonly InsertedRun[] {
    const inserted = this.#inserted;
    this.#inserted = [];
    return inserted;
  }

  /** The first live line. */
  noteStart(place: Place): void {
    this.#start ??= place;
  }

  /** Puts lines in rising order, removes others, and sets the spans. */
  apply(
    spans: Spans,
    put: readonly PlacedRow<Line>[] = [],
    drop: Change<Line>['drop'] = [],
    lean: InsertSide = 'newer',
  ): void {
    if (put.length === 0 && drop.length === 0 && spans === this.#spans) return;
    this.#spans = spans;
    this.#inserted.push(...this.#store.apply({ put, drop, lean, spans }));
  }

  /** Appends a run behind all lines. */
  append(run: Run, spans: Spans): void {
    this.#spans = spans;
    this.#inserted.push(this.#store.append(run, spans));
  }

  /** Puts the lines of a page and covers its range. */
  cover(rows: readonly PlacedRow<Line>[]): void {
    const [first, last] = [rows[0]?.place, rows.at(-1)?.place];
    if (first === undefined || last === undefined) return;
    const [from, to] = [this.#endOf(first, -1), this.#endOf(last, 1)];
    this.apply(cover(this.#spans, from, to), this.#unknown(rows));
  }

  /** Returns the last known line of those that follow a place without a hole, in the midst of a gap. */
  #endOf(place: Place, step: 1 | -1): Place {
    let end = place;
    for (;;) {
      const next = shiftPlace(end, step);
      if (this.at(next) === undefined || this.isCovered(next)) return end;
      end = next;
    }
  }

  /** Puts the lines of a page that covers no range. Returns the number of new ones. */
  list(rows: readonly PlacedRow<Line>[]): number {
    const put = this.#unknown(rows);
    const [first, last] = [put[0]?.place, put.at(-1)?.place];
    if (first === undefined || last === undefined) return 0;
    const [bottom, top] = [this.#spans[0], this.#spans.at(-1)];
    let spans = bottom === undefined ? [] : this.#spans;
    if (bottom === undefined || top === undefined) spans = cover([], first, last);
    else {
      const below = put.findLast(({ place }) => place < bottom.from)?.place;
      // A page that shows no line at hand does not join them.
      const isJoined = put.length < rows.length;
      if (below !== undefined) spans = cover(spans, first, isJoined ? bottom.from : below);
      const above = put.find(({ place }) => place > top.to)?.place;
      if (above !== undefined) spans = cover(spans, above, last);
    }
    this.apply(spans, put);
    return put.length;
  }

  /** Nothing is known to be missing between the lines at hand. */
  joinAll(): void {
    const [from, to] = [this.#spans[0]?.from, this.#spans.at(-1)?.to];
    if (from !== undefined && to !== undefined && this.#spans.length > 1)
      this.apply(cover(this.#spans, from, to));
  }

  /** Returns the range of a page's holes beside lines that are not at hand. */
  holesIn(rows: readonly PlacedRow<Line>[]): readonly [Place, Place] | undefined {
    let from: Place | undefined;
    let to: Place | undefined;
    for (let index = 1; index < rows.length; index += 1) {
      const [before, place] = [rows[index - 1]?.place ?? 0, rows[index]?.place ?? 0];
      if (isAdjacent(before, place) || this.at(place) !== undefined) continue;
      from ??= before;
      to = place;
    }
    return from === undefined || to === undefined ? undefined : [from, to];
  }

  #unknown(rows: readonly PlacedRow<Line>[]): readonly PlacedRow<Line>[] {
    return rows.filter(({ place }) => this.at(place) === undefined);
  }

  /** Notes the steps between the ids of a page's neighbours. */
  noteSteps(rows: readonly PlacedRow<Line>[], isUnordered: boolean): void {
    if (isUnordered) {
      this.#holes += 1;
      return;
    }
    for (let index = 1; index < rows.length; index += 1) {
      const [before, place] = [rows[index - 1]?.place ?? 0, rows[index]?.place ?? 0];
      if (isAdjacent(before, place)) this.#steps += 1;
      else this.#holes += 1;
    }
  }

  /** The numbers of lines begin again at a place, and nothing is missing before it. */
  beginAgainAt(place: Place): void {
    const index = spanAt(this.#spans, place);
    const span = this.#spans[index];
    if (index < 1 || span === undefined || span.below === begunState) return;
    this.apply(this.#spans.with(index, { ...span, below: begunState }));
  }

  /** Gives up the gap below an edge: a row stands before the lines in it, too, that nothing confirms. */
  giveUpBelow(edge: Place, why: GapReason): void {
    const index = spanAt(this.#spans, edge);
    const [under, above] = [this.#spans[index - 1], this.#spans[index]];
    if (under === undefined || above === undefined) return;
    const inside = this.#store
      .from(under.to, mostSplit)
      .filter(({ place }) => place > under.to && place < above.from);
    let spans = this.#spans;
    for (const [at, { place }] of inside.entries()) {
      const before = this.isMostlyDense ? place : (inside[at - 1]?.place ?? place);
      spans = cover(spans, before, place);
    }
    for (let at = spanAt(spans, edge); at >= index; at -= 1) spans = giveUp(spans, at, why);
    this.apply(spans);
  }

  /** Tries gaps again that were given up. */
  refetch(): void {
    this.apply(refetchGaps(this.#spans));
  }

  /** Reads no lines below a place that was the oldest one before. */
  leaveUnread(oldest: Place | undefined): void {
    if (oldest === undefined) return;
    const index = spanAt(this.#spans, oldest);
    const span = this.#spans[index];
    if (index < 1 || span?.from !== oldest || span.below?.kind !== 'filling') return;
    this.apply(giveUp(this.#spans, index, 'unread'));
  }

  /**
   * The service has nothing before a place, or before the oldest known line: what is missing between
   * older spans is gone, or else belongs to an older numbering.
   */
  beginAt(place: Place | undefined, isBegun: (edge: Place, below: Place) => boolean): void {
    const [first] = this.#spans;
    if (first === undefined) return;
    const until = place ?? first.from;
    let below: KnownSpan | undefined;
    let hasChanged = false;
    const spans = this.#spans.map((span) => {
      const before = below;
      below = span;
      if (before === undefined || span.from > until || span.below?.kind !== 'filling') return span;
      hasChanged = true;
      const state = isBegun(span.from, before.to)
        ? begunState
        : ({ kind: 'missing', why: 'gone' } as const);
      return { ...span, below: state };
    });
    if (hasChanged) this.apply(spans);
  }

  /** The live lines of a stream that ended are certain up to a place only. */
  doubt(liveFrom: Place, place: Place): void {
    const index = spanAt(this.#spans, liveFrom);
    if (index < 0) return;
    const isLast = index === this.#spans.length - 1;
    const known = doubtBehind(this.#spans.slice(0, index + 1), maxPlace(liveFrom, place));
    this.apply(isLast ? known : [...known, ...this.#spans.slice(index + 1)]);
  }

  /** Shows the holes between known lines of a range as gaps. */
  splitHoles(from: Place, to: Place): void {
    const rows = this.#store.from(from, mostSplit).filter(({ place }) => place <= to);
    let spans = this.#spans;
    for (const [index, { place }] of rows.entries()) {
      const before = rows[index - 1]?.place;
      if (before === undefined || isAdjacent(before, place)) continue;
      const at = spanAt(spans, place);
      const span = spans[at];
      if (span === undefined || span.from > before) continue;
      const below = { kind: 'missing', why: 'unanswered' } as const;
      spans = spans.toSpliced(at, 1, { ...span, to: before }, { from: place, to: span.to, below });
    }
    this.apply(spans);
  }

  /** Adds spans of single lines that came late, in the midst of a gap. */
  withSingles(spans: Spans, rows: readonly PlacedRow<Line>[], below: Place): Spans {
    let covered = spans;
    for (const { place } of rows) {
      if (place > below) break;
      if (spanAt(covered, place) < 0) covered = cover(covered, place, place);
    }
    return covered;
  }

  /** Lines are about to be dropped: those before a place, or those between it and a known line. */
  forget(place: Place, after: Place | undefined, why: GapReason): void {
    this.#spans =
      after === undefined
        ? forgetBefore(this.#spans, place)
        : forgetBetween(this.#spans, after, place, why);
    if (this.#start !== undefined) this.#start = maxPlace(this.#start, place);
  }

  /** Takes all lines out. Returns their number. */
  clear(): number {
    const { lines } = this.#store;
    const [first, last] = [this.#store.from(Number.NEGATIVE_INFINITY, 1)[0], this.#store.newest];
    this.#start = undefined;
    if (first !== undefined && last !== undefined) this.apply([], [], [[first.place, last]]);
    return lines;
  }

  /** Takes lines of history out that were joined at the wrong end. */
  takeOut(from: Place, to: Place): void {
    // Once other lines are joined to them, they stay.
    const spans = this.#spans.filter((span) => span.from !== from || span.to !== to);
    if (spans.length === this.#spans.length) return;
    const [bottom, ...rest] = spans;
    const kept = bottom === undefined ? [] : [{ ...bottom, below: undefined }, ...rest];
    this.apply(kept, [], [[from, to]]);
  }
}
