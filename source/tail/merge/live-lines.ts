import type { InsertedRun } from '../arena/entries.ts';
import { isAdjacent, maxPlace, minPlace, type Place, shiftPlace } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { cover, doubtBehind, giveUp, spanAt, type Spans } from '../arena/spans.ts';
import type { Doubts } from './doubts.ts';
import { countsPerService, placeById } from './id-lines.ts';
import { bucketEdge } from './instants.ts';
import type { JoinedLines } from './joined-lines.ts';

/** Lines that a breaking stream may have delivered out of order. */
const reorderDepth = 32;

/** Adds the lines of the open stream. Since its first line, it has left none out. */
export class LiveLines<Line> {
  readonly #joined: JoinedLines<Line>;
  readonly #doubts: Doubts;
  readonly #isAppendOnly: boolean;

  constructor(joined: JoinedLines<Line>, doubts: Doubts, isAppendOnly: boolean) {
    this.#joined = joined;
    this.#doubts = doubts;
    this.#isAppendOnly = isAppendOnly;
  }

  /** Adds lines. Returns false when their ids do not order them: nothing was added. */
  take(rows: readonly LogRow<Line>[]): boolean {
    if (this.#joined.order === 'id') return this.#takeById(rows);
    if (this.#joined.order === 'instant') this.#takeByInstant(rows);
    else this.#takeByArrival(rows);
    return true;
  }

  /**
   * Appends a run whose ids rise behind all known lines. Returns false when its lines must be added
   * one by one.
   */
  append(run: Run, append: (spans: Spans) => InsertedRun): boolean {
    const { order, liveFrom } = this.#joined;
    const first = run.places[0] ?? 0;
    const last = run.places[run.count - 1] ?? 0;
    const newest = this.#joined.newest();
    if (order !== 'id' || liveFrom === undefined) return false;
    if (newest === undefined || first <= newest) return false;
    const isUnbroken = last - first + 1 === run.count && isAdjacent(newest, first);
    if (!isUnbroken) this.#doubts.note(newest, last);
    this.#joined.appended(this.#extended(liveFrom, last, first), append);
    return true;
  }

  /** The stream has ended: its last lines may have overtaken others. */
  closed(): void {
    const { spans, order, liveFrom, log, instants } = this.#joined;
    const index = liveFrom === undefined ? -1 : spanAt(spans, liveFrom);
    const live = spans[index];
    this.#joined.liveFrom = undefined;
    if (liveFrom === undefined || live === undefined || order === 'text') return;
    const last = log.upTo(shiftPlace(this.#joined.behind(live.to), -1), reorderDepth);
    const isUnbroken = last.every(
      ({ place }, at) => at === 0 || isAdjacent(last[at - 1]?.place ?? place, place),
    );
    if (order === 'id' && isUnbroken) return;
    const place = last[0]?.place ?? live.to;
    const doubtful = order === 'id' ? place : instants.bucketOf(Number(place)) + bucketEdge.end;
    const isLast = index === spans.length - 1;
    const known = doubtBehind(spans.slice(0, index + 1), maxPlace(liveFrom, doubtful));
    this.#joined.apply({ spans: isLast ? known : [...known, ...spans.slice(index + 1)] });
  }

  #takeById(rows: readonly LogRow<Line>[]): boolean {
    const { log, fields } = this.#joined;
    const newest = this.#joined.newest();
    const isFirst = this.#joined.liveFrom === undefined && !fields.hasPages;
    if (countsPerService(rows, log, fields, isFirst)) return false;
    const placed = placeById(rows, log, fields, newest);
    if (placed === undefined) return false;
    const floor = this.#floor();
    const isInRange = (place: Place): boolean => floor === undefined || place >= floor;
    const put = placed.filter(({ place, isKnown }) => !isKnown && isInRange(place));
    const first = rows.find(({ id }) => isInRange(id ?? 0))?.id;
    const last = placed.at(-1)?.place;
    if (first === undefined || last === undefined) return true;
    const lowest = floor === undefined ? minPlace(placed[0]?.place ?? first, first) : first;
    this.#noteHoles(put, newest, last);
    const spans = this.#extended(lowest, last, put[0]?.place);
    this.#joined.apply({ put, lean: 'older', spans: this.#withLate(spans, put) });
    return true;
  }

  /** Notes ids that the stream has left out, also those of a replay that fills a gap. */
  #noteHoles(put: readonly PlacedRow<Line>[], known: Place | undefined, last: Place): void {
    const newest = known ?? put[0]?.place;
    if (newest === undefined) return;
    const behind = put.filter(({ place }) => place > newest);
    const isUnbroken = behind.every(({ place }, index) =>
      isAdjacent(behind[index - 1]?.place ?? newest, place),
    );
    if (!isUnbroken) this.#doubts.note(newest, last);
    if (put.length > behind.length) this.#doubts.note(put[0]?.place ?? newest, newest);
  }

  #takeByInstant(rows: readonly LogRow<Line>[]): void {
    const { instants } = this.#joined;
    const floor = this.#floor();
    const isFresh = floor === undefined;
    const { put, first, from, last, doubts } = instants.live(
      rows,
      isFresh ? undefined : instants.bucketOf(Number(floor)),
    );
    if (first === undefined || last === undefined) return;
    if (!this.#isAppendOnly) for (const start of doubts) this.#doubts.note(start, start);
    const lowest = isFresh && put[0] !== undefined ? this.#joined.startOf(put[0].place) : first;
    const start = lowest < first ? shiftPlace(lowest, bucketEdge.start) : from;
    const spans = this.#extended(start, last + bucketEdge.end, put[0]?.place);
    this.#joined.apply({ put, lean: 'older', spans: this.#withLate(spans, put) });
  }

  /** Lines of which nothing tells the position stand one behind the other, as they come. */
  #takeByArrival(rows: readonly LogRow<Line>[]): void {
    const newest = this.#joined.newest();
    const isFirst = this.#joined.liveFrom === undefined;
    const place = newest === undefined ? 1 : shiftPlace(newest, isFirst ? 2 : 1);
    const put = rows.map((row, index) => ({ place: shiftPlace(place, index), row }));
    const spans = this.#extended(place, shiftPlace(place, rows.length - 1), place);
    const isApart = isFirst && newest !== undefined;
    this.#joined.apply({
      put,
      lean: 'older',
      spans: isApart ? giveUp(spans, spans.length - 1, 'unclear') : spans,
    });
  }

  /** Returns the place before which live lines are left to history; undefined without one. */
  #floor(): Place | undefined {
    const bottom = this.#joined.spans[0]?.from;
    return bottom === this.#joined.liveFrom ? undefined : bottom;
  }

  /** Returns the spans after the stream has left nothing out between two places. */
  #extended(from: Place, to: Place, firstNew: Place | undefined): Spans {
    const isFresh = this.#floor() === undefined;
    const start = this.#joined.liveFrom ?? from;
    const liveFrom = isFresh ? minPlace(start, from) : start;
    this.#joined.liveFrom = liveFrom;
    this.#joined.start ??= firstNew;
    return cover(this.#joined.spans, liveFrom, maxPlace(liveFrom, to));
  }

  /** Adds lines that came late, in the midst of a gap, each as known by itself. */
  #withLate(spans: Spans, put: readonly PlacedRow<Line>[]): Spans {
    const { order, liveFrom } = this.#joined;
    let covered = spans;
    for (const { place } of put) {
      const start = this.#joined.startOf(place);
      const from = order === 'id' ? place : shiftPlace(start, bucketEdge.start);
      if (from > (liveFrom ?? from)) break;
      if (spanAt(covered, from) < 0) covered = cover(covered, from, from);
    }
    return covered;
  }
}
