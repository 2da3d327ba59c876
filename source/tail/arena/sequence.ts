import type { Spans } from './spans.ts';
import type { Entries, Entry, GapEntry, InsertedRun, LineMessage, LineVisitor } from './entries.ts';
import { GapIndex } from './gap-places.ts';
import { Insertion } from './insertion.ts';
import type { Change } from './change.ts';
import { type DecodeLine, LineStore, type LineStoreOptions } from './lines.ts';
import type { Place } from './place.ts';
import type { PlacedRow } from './row.ts';
import type { Run } from './run.ts';
import type { ServiceNames } from '../service-names.ts';
import type { Prefilter } from '../query/prefilter.ts';

export type SequenceOptions<Line> = LineStoreOptions<Line>;

/** The lines and gaps of one log, in order and bounded: the oldest block of lines is dropped. */
export class Sequence<Line> implements Entries<Line> {
  readonly #options: SequenceOptions<Line>;
  readonly #lines: LineStore<Line>;
  readonly #gaps = new GapIndex<Line>();
  readonly #insertion: Insertion<Line>;
  #epoch = 0;
  /** Lines that the last trim dropped. */
  #trimmed = 0;

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
    for (const [first, last] of drop) this.#drop(first, last);
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

  /** Place of the first entry that {@link trim} would keep; undefined when it would drop none. */
  get keepsFrom(): Place | undefined {
    const { maxLines, maxBytes } = this.#options;
    const isOver = this.length > maxLines || this.bytes > maxBytes;
    return isOver ? this.nextBlock : undefined;
  }

  /** Drops the oldest block beyond the bounds; the newest one always stays. */
  trim(): void {
    if (this.keepsFrom !== undefined) this.dropOldest();
  }

  /** Place of the first entry that {@link dropOldest} keeps; undefined when there is none. */
  get nextBlock(): Place | undefined {
    return this.#lines.place(this.#lines.firstLength);
  }

  /** Drops the oldest block. */
  dropOldest(): void {
    // A gap at the start would have no lines before it, so it is dropped too.
    this.#trimmed = this.#lines.firstLength;
    this.#gaps.dropLines(this.#trimmed);
    this.#lines.dropFirstBlock();
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

  #drop(first: Place, last: Place): void {
    const index = this.#lines.indexFrom(first);
    this.#lines.remove(index, this.#lines.indexAfter(last) - index);
  }
}
