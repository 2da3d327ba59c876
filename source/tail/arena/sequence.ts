import type { Spans } from './spans.ts';
import type {
  DroppedRun,
  Entries,
  Entry,
  GapEntry,
  InsertedRun,
  LineMessage,
  LineVisitor,
} from './entries.ts';
import { GapIndex } from './gap-places.ts';
import { Insertion } from './insertion.ts';
import type { Change } from './change.ts';
import { type DecodeLine, LineStore, type LineStoreOptions } from './lines.ts';
import type { Place } from './place.ts';
import type { PlacedRow } from './row.ts';
import type { Run } from './run.ts';
import type { ShownAt } from './trim.ts';
import type { ServiceNames } from '../service-names.ts';
import type { Prefilter } from '../query/prefilter.ts';

export type SequenceOptions<Line> = LineStoreOptions<Line>;

/**
 * Called before lines are dropped: those behind `after` and before `until`, or all before `until`. Returns
 * the spans without them.
 */
export type Forget = (until: Place, after: Place | undefined) => Spans;

/**
 * The lines and gaps of one log, in order and bounded: the oldest lines are dropped, except those that a
 * paused reader shows. A gap stands where lines were dropped behind others.
 */
export class Sequence<Line> implements Entries<Line> {
  readonly #options: SequenceOptions<Line>;
  readonly #lines: LineStore<Line>;
  readonly #gaps = new GapIndex<Line>();
  readonly #insertion: Insertion<Line>;
  #epoch = 0;
  /** Lines that the last trim dropped. */
  #trimmed = 0;
  #dropped: DroppedRun[] = [];
  /** Returns what a paused reader shows, which stays. */
  shown: ShownAt = () => undefined;

  constructor(options: SequenceOptions<Line>) {
    this.#options = options;
    this.#lines = new LineStore(options);
    this.#insertion = new Insertion(this.#lines, this.#gaps, () => {
      this.#epoch += 1;
    });
  }

  get length(): number {
    return this.#lines.length + this.#gaps.all.length;
  }

  get lines(): number {
    return this.#lines.length;
  }

  get bytes(): number {
    return this.#lines.bytes;
  }

  get services(): ServiceNames {
    return this.#lines.services;
  }

  /** Reads messages before they are added. */
  get decode(): DecodeLine<Line> {
    return this.#options.decode;
  }

  get epoch(): number {
    return this.#epoch;
  }

  at(index: number): Entry<Line> | undefined {
    const item = this.#gaps.at(index);
    return typeof item === 'number' ? this.#lines.at(item) : item;
  }

  /** Returns the message of an entry without decoding it. */
  messageAt(index: number): LineMessage | GapEntry<Line> | undefined {
    const item = this.#gaps.at(index);
    return typeof item === 'number' ? this.#lines.message(item) : item;
  }

  /** Returns the line of a message that {@link messageAt} gave. */
  read({ bytes, start, end }: LineMessage): Line {
    return this.#lines.read(bytes, start, end);
  }

  seqAt(index: number): number | undefined {
    const item = this.#gaps.at(index);
    return typeof item === 'number' ? this.#lines.seq(item) : item.seq;
  }

  slice(from: number, to: number): readonly Entry<Line>[] {
    const entries: Entry<Line>[] = [];
    const end = Math.min(to, this.length);
    for (let index = Math.max(0, from); index < end; index += 1) {
      const entry = this.at(index);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  indexOf(seq: number): number {
    return this.#lines.indexOf(seq) + this.#gaps.countBeforeSeq(seq);
  }

  get gaps(): readonly GapEntry<Line>[] {
    return this.#gaps.all;
  }

  scan(from: number, to: number, visit: LineVisitor, prefilter?: Prefilter): number {
    return this.#lines.scan(
      this.#gaps.lineIndexAt(from),
      this.#gaps.lineIndexAt(to),
      (line, text, service) => visit(line + this.#gaps.countBeforeLine(line), text, service),
      prefilter,
    );
  }

  get newest(): Place | undefined {
    return this.#lines.place(this.#lines.length - 1);
  }

  linesFrom(place: Place): number {
    return this.#lines.length - this.#lines.indexFrom(place);
  }

  from(place: Place, limit: number): readonly PlacedRow<Line>[] {
    const index = this.#lines.indexFrom(place);
    return this.#lines.placedRows(index, index + limit);
  }

  upTo(place: Place, limit: number): readonly PlacedRow<Line>[] {
    const index = this.#lines.indexAfter(place);
    return this.#lines.placedRows(index - limit, index);
  }

  /** Applies a step of the merge. Returns the lines that were new. */
  apply(change: Change<Line>): readonly InsertedRun[] {
    const { put, lean, drop, spans } = change;
    const isAppend = put[0] === undefined || this.#endsBefore(put[0].place);
    const oldGaps = this.#gaps.all;
    if (isAppend && drop.length === 0 && this.#gaps.hasSameGaps(spans)) {
      return this.#insertion.toRuns(this.#insertion.insertRows(put, lean, spans, oldGaps));
    }
    this.#gaps.set([], []);
    if (drop.length > 0) this.#epoch += 1;
    for (const [first, last] of drop) this.#remove(first, last);
    const added = this.#insertion.insertRows(put, lean, spans, oldGaps);
    this.#insertion.addGaps(spans, oldGaps);
    return this.#insertion.toRuns(added);
  }

  /** Appends a run, which must not be empty. */
  append(run: Run, spans: Spans): InsertedRun {
    const first = Math.floor(this.#lines.seq(this.#lines.length - 1) ?? -1) + 1;
    this.#lines.append(run, first);
    if (!this.#gaps.hasSameGaps(spans)) {
      const oldGaps = this.#gaps.all;
      this.#gaps.set([], []);
      this.#insertion.addGaps(spans, oldGaps);
    }
    return { first, last: first + run.count - 1, count: run.count };
  }

  /** Index of the first gap being fetched: nothing is inserted before it any more. */
  get settled(): number {
    const gap = this.#gaps.all.findIndex(({ state }) => state.kind === 'filling');
    return gap < 0 ? this.length : this.#gaps.entryIndexOf(gap);
  }

  /** True when new lines would drop the oldest; a dropped block's memory counts as reserved. */
  get isFull(): boolean {
    const { maxLines, maxBytes } = this.#options;
    const blocks = this.#trimmed === 0 ? 1 : 2;
    const isFullOfLines = this.length + this.#trimmed >= maxLines;
    return isFullOfLines || this.bytes + blocks * this.#lines.blockSize > maxBytes;
  }

  /** Returns whether so many usual lines fit into the memory. */
  hasRoom(lines: number): boolean {
    const { maxLines, maxBytes } = this.#options;
    return this.length + lines <= maxLines && this.bytes + 2 * this.#lines.blockSize <= maxBytes;
  }

  /** Returns the lines that were dropped behind others since the last call. */
  takeDropped(): readonly DroppedRun[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }

  /** Drops the oldest lines beyond the bounds, except those that are shown, and the newest block. */
  trim(forget: Forget): void {
    const { maxLines, maxBytes } = this.#options;
    const isOver = (): boolean => this.length > maxLines || this.bytes > maxBytes;
    while (isOver()) if (!this.drop(forget)) return;
  }

  /** Drops a block of the oldest lines that are not shown. Returns false when there is none. */
  drop(forget: Forget): boolean {
    const trim = this.#lines.nextTrim(this.shown);
    if (trim === undefined) return false;
    const runs = this.#lines.droppedBy(trim);
    const ends = runs.map(({ from, to }) => {
      const [first, last] = [this.#lines.seq(from) ?? 0, this.#lines.seq(to - 1) ?? 0];
      return { from, until: this.#lines.place(to), first, last };
    });
    let spans: Spans = [];
    for (const { from, until } of ends)
      if (until !== undefined) spans = forget(until, this.#lines.place(from - 1));
    this.#trimmed = runs.reduce((sum, { from, to }) => sum + to - from, 0);
    const oldGaps = this.#gaps.all;
    const isAtStart = runs.length === 1 && runs[0]?.from === 0;
    // A gap at the start would have no lines before it, so it is dropped too.
    if (isAtStart) this.#gaps.dropLines(this.#trimmed);
    this.#lines.reduce(trim);
    if (isAtStart) return true;
    this.#gaps.set([], []);
    this.#insertion.addGaps(spans, oldGaps);
    for (const { first, last, until } of ends) {
      const gap = this.#gaps.all.find(({ place }) => place === until)?.seq;
      if (gap !== undefined) this.#dropped.push({ first, last, gap });
    }
    return true;
  }

  /** Returns the index of the first line at or after a place. */
  indexOfLine(place: Place): number {
    const line = this.#lines.indexFrom(place);
    return line + this.#gaps.countBeforePlace(line, place);
  }

  #endsBefore(place: Place): boolean {
    const last = this.#lines.place(this.#lines.length - 1);
    return last === undefined || last < place;
  }

  #remove(first: Place, last: Place): void {
    const index = this.#lines.indexFrom(first);
    this.#lines.remove(index, this.#lines.indexAfter(last) - index);
  }
}
