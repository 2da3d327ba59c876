import type { InsertedRun } from '../arena/entries.ts';
import type { GapReason } from '../arena/gap.ts';
import { maxPlace, type Place, shiftPlace } from '../arena/place.ts';
import { type LogRow, type PlacedRow, rowTime } from '../arena/row.ts';
import { cover, giveUp, spanAt, type Spans } from '../arena/spans.ts';
import { InstantLines } from './instant-lines.ts';
import { bucketEdge } from './instants.ts';
import type { Change, MergedLog } from '../arena/change.ts';
import { type Order, ShownFields, type Transport } from './shown-fields.ts';

/** A line with its place before and after all lines got other places. */
interface Moved<Line> extends PlacedRow<Line> {
  readonly old: Place;
  readonly place: number;
}

/** The lines known so far, the ranges known without a gap, and the way in which lines are placed. */
export class JoinedLines<Line> {
  spans: Spans = [];
  order: Order = 'id';
  /** The first place that the present connection vouches for. */
  liveFrom: Place | undefined;
  /** The first place of the live lines; undefined while all lines are history. */
  start: Place | undefined;
  readonly fields = new ShownFields();
  readonly log: MergedLog<Line>;
  readonly instants: InstantLines<Line>;
  #form: string | undefined;
  #inserted: InsertedRun[] = [];

  constructor(log: MergedLog<Line>) {
    this.log = log;
    this.instants = new InstantLines(log, this.fields);
  }

  /** Returns the lines inserted since the last call. */
  takeInserted(): readonly InsertedRun[] {
    const inserted = this.#inserted;
    this.#inserted = [];
    return inserted;
  }

  apply(change: Partial<Change<Line>> & Pick<Change<Line>, 'spans'>): void {
    const { put = [], drop = [], lean = 'newer', spans } = change;
    if (put.length === 0 && drop.length === 0 && spans === this.spans) return;
    this.spans = spans;
    this.#inserted.push(...this.log.apply({ put, drop, lean, spans }));
  }

  /** Notes lines that were appended without a gap. */
  appended(spans: Spans, append: (spans: Spans) => InsertedRun): void {
    this.spans = spans;
    this.#inserted.push(append(spans));
  }

  newest(): Place | undefined {
    return this.log.newest;
  }

  placeOf(row: LogRow<Line>): Place {
    return this.order === 'id' ? (row.id ?? 0) : this.instants.startOf(row);
  }

  /** Returns whether rows, oldest first, have the newest line that was known when they were requested. */
  hasNewest(newest: Place | undefined, rows: readonly LogRow<Line>[]): boolean {
    const last = rows.at(-1);
    return newest === undefined || last === undefined || this.placeOf(last) >= this.startOf(newest);
  }

  /** Returns the first place of the instant that a place lies in; by id, the place itself. */
  startOf(place: Place): Place {
    return this.order === 'instant' ? this.instants.bucketOf(Number(place)) : place;
  }

  /** Returns the first place of the instant in which the lines directly before a place are. */
  startBelow(place: Place): Place {
    return this.order === 'instant' ? this.startOf(Number(place) - 1) : place;
  }

  /** Returns the first place behind the instant that a place lies in. */
  behind(place: Place): Place {
    const start = this.startOf(place);
    return shiftPlace(start, this.order === 'instant' ? this.instants.size : 1);
  }

  /** Joins the span above an edge to the one below it. */
  joinBelow(edge: Place): void {
    const index = spanAt(this.spans, edge);
    const under = this.spans[index - 1];
    if (under !== undefined) this.apply({ spans: cover(this.spans, under.to, edge) });
  }

  /** Gives up the gap below an edge. */
  giveUpBelow(edge: Place, why: GapReason): void {
    this.apply({ spans: giveUp(this.spans, spanAt(this.spans, edge), why) });
  }

  /** Lines of an instant that no page holds may be missing: a gap before it says so. */
  splitAt(start: Place): void {
    const { spans } = this;
    const index = spanAt(spans, start);
    const span = spans[index];
    const isSplit = (spans[index + 1]?.from ?? Number.POSITIVE_INFINITY) < this.behind(start);
    if (span === undefined || isSplit) return;
    const under = { ...span, to: shiftPlace(start, -1) };
    const from = shiftPlace(start, bucketEdge.start);
    const below = { kind: 'missing', why: 'equal' } as const;
    const over = { from, to: maxPlace(from, span.to), below };
    this.apply({ spans: spans.toSpliced(index, 1, under, over) });
  }

  /**
   * Takes the only page that can be had of a log without ids or instants. Behind a live line it may
   * show older ones, but nothing tells how many.
   */
  joinText(rows: readonly LogRow<Line>[], isComplete: boolean): void {
    const { spans } = this;
    if (this.log.lines === 0) {
      const put = rows.map((row, index) => ({ place: index + 1, row }));
      this.apply({ put, lean: 'newer', spans: cover(spans, 1, rows.length) });
    } else if (!isComplete && spans[0]?.from === 1) {
      this.apply({ spans: giveUp(cover(spans, -1, -1), 1, 'unclear') });
    }
  }

  /** The service has nothing before a place: what is missing below is gone. */
  beginAt(place: Place): void {
    let { spans } = this;
    for (let index = spanAt(spans, place); index > 0; index -= 1) {
      if (spans[index]?.below?.kind === 'filling') spans = giveUp(spans, index, 'gone');
    }
    this.apply({ spans });
  }

  /**
   * Notes the fields that lines show. Places all lines anew, and returns true, when both transports
   * turn out to show others than before.
   */
  note(transport: Transport, rows: readonly LogRow<Line>[]): boolean {
    this.fields.note(transport, rows);
    return this.#adapt();
  }

  /**
   * Places all lines by their instants: the ids do not tell them apart, or do not order them. Returns
   * false when the coverage by ids means nothing, so that all is read again above each span's start.
   */
  endIds(): boolean {
    const times = this.log
      .from(Number.NEGATIVE_INFINITY, this.log.lines)
      .map(({ row }) => rowTime(row) ?? 0);
    const isRising = times.every((time, index) => time >= (times[index - 1] ?? time));
    if (!isRising) {
      this.liveFrom = undefined;
      this.uncover();
    }
    this.fields.areIdsUnusable = true;
    this.#adapt();
    return isRising;
  }

  /** Forgets what pages have vouched for: all is read again above each span's start. */
  uncover(): void {
    const { liveFrom } = this;
    const live = liveFrom === undefined ? undefined : this.spans[spanAt(this.spans, liveFrom)];
    let spans: Spans = [];
    for (const { from } of this.spans) spans = cover(spans, from, from);
    if (liveFrom !== undefined && live !== undefined) spans = cover(spans, liveFrom, live.to);
    this.apply({ spans });
  }

  #adapt(): boolean {
    const { order, digits, keyForm } = this.fields;
    const form = `${digits} ${keyForm}`;
    const wasInstant = this.order === 'instant';
    const isSame = order === this.order && form === this.#form;
    this.order = order;
    this.#form = form;
    if (order !== 'instant' || isSame) return false;
    if (this.log.lines > 0) this.#replace(wasInstant);
    return true;
  }

  #replace(wasInstant: boolean): void {
    const old = this.log.from(Number.NEGATIVE_INFINITY, this.log.lines);
    const places = this.instants.replaced(old.map(({ row }) => row));
    const moved = old.map(({ place, row }, at) => ({
      old: place,
      place: places[at] ?? 0,
      row,
    }));
    const spans = this.#movedSpans(moved, wasInstant);
    const from = this.liveFrom;
    const live = from === undefined ? [] : old.filter(({ place }) => place >= from);
    const sent = this.instants.sentOf(live);
    this.liveFrom = this.#movedStart(moved, this.liveFrom);
    this.start = this.#movedStart(moved, this.start);
    const put: readonly PlacedRow<Line>[] = moved.toSorted(
      (left, right) => left.place - right.place,
    );
    this.spans = spans;
    this.log.replace(put, spans);
    this.instants.opened(sent);
  }

  #movedStart(moved: readonly Moved<Line>[], place: Place | undefined): Place | undefined {
    const line = place === undefined ? undefined : moved.find((each) => each.old >= place);
    return line && shiftPlace(this.startOf(line.place), bucketEdge.start);
  }

  #movedSpans(moved: readonly Moved<Line>[], wasInstant: boolean): Spans {
    let spans: Spans = [];
    for (const [index, { from, to }] of this.spans.entries()) {
      const next = this.spans[index + 1]?.from ?? Number.POSITIVE_INFINITY;
      // Lines known in the gap above may turn out to stand below those of the span.
      const reached = moved.filter((each) => each.old >= from && each.old < next);
      const inside = reached.filter((each) => each.old <= to);
      const startsOf = (lines: readonly Moved<Line>[]): readonly number[] =>
        lines.map(({ place }) => Number(this.startOf(place)));
      // A span without a line says that the gap below it ends before the next line.
      const above = this.#movedStart(moved, from);
      const lowest = startsOf(reached).reduce((least, start) => Math.min(least, start), Infinity);
      // A span that lacks the last lines of an instant ends before those that are known of it.
      const last = wasInstant ? Number(this.startOf(to)) : -Infinity;
      const highest = startsOf(inside).reduce((most, start) => Math.max(most, start), last);
      const low = inside.length === 0 ? above : lowest + bucketEdge.start;
      if (low === undefined) continue;
      spans = cover(spans, low, maxPlace(low, highest + bucketEdge.end));
    }
    return spans;
  }
}
