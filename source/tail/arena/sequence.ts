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
import type { Change } from './change.ts';
import { type DecodeLine, LineStore, type LineStoreOptions } from './lines.ts';
import type { Place } from './place.ts';
import type { PlacedRow } from './row.ts';
import type { Run } from './run.ts';
import { allocateSeqs, type GapSides, type InsertSide, noGaps } from './seq.ts';
import type { ShownAt } from './trim.ts';
import type { ServiceNames } from '../service-names.ts';
import type { Prefilter } from '../query/prefilter.ts';

export type SequenceOptions<Line> = LineStoreOptions<Line>;

/**
 * Called before lines are dropped: those behind `after` and before `until`, or all before `until`. Returns
 * the spans without them.
 */
export type Forget = (until: Place, after: Place | undefined) => Spans;

/** Lines inserted next to each other from a place on. */
interface InsertedRows {
  readonly place: Place;
  readonly count: number;
}

/**
 * The lines and gaps of one log, in order and bounded: the oldest lines are dropped, except those that a
 * paused reader shows. A gap stands where lines were dropped behind others.
 */
export class Sequence<Line> implements Entries<Line> {
  readonly #options: SequenceOptions<Line>;
  readonly #lines: LineStore<Line>;
  readonly #gaps = new GapIndex<Line>();
  #epoch = 0;
  /** Lines that the last trim dropped. */
  #trimmed = 0;
  #dropped: DroppedRun[] = [];
  #shown: ShownAt = () => undefined;

  constructor(options: SequenceOptions<Line>) {
    this.#options = options;
    this.#lines = new LineStore(options);
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
      return this.#toRuns(this.#insertRows(put, lean, spans, oldGaps));
    }
    this.#gaps.set([], []);
    if (drop.length > 0) this.#epoch += 1;
    for (const [first, last] of drop) this.#remove(first, last);
    const added = this.#insertRows(put, lean, spans, oldGaps);
    this.#addGaps(spans, oldGaps);
    return this.#toRuns(added);
  }

  /** Appends a run, which must not be empty. */
  append(run: Run, spans: Spans): InsertedRun {
    const first = Math.floor(this.#lines.seq(this.#lines.length - 1) ?? -1) + 1;
    this.#lines.append(run, first);
    if (!this.#gaps.hasSameGaps(spans)) {
      const oldGaps = this.#gaps.all;
      this.#gaps.set([], []);
      this.#addGaps(spans, oldGaps);
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

  /** Sets what a paused reader shows, which stays. */
  show(shown: ShownAt): void {
    this.#shown = shown;
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
    const trim = this.#lines.nextTrim(this.#shown);
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
    this.#addGaps(spans, oldGaps, new Set(ends.map(({ until }) => until)));
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

  /**
   * Inserts the rows whose places are new.
   * @param spans the spans after the change.
   * @param oldGaps the gaps before the change.
   */
  #insertRows(
    rows: readonly PlacedRow<Line>[],
    lean: InsertSide,
    spans: Spans,
    oldGaps: readonly GapEntry<Line>[],
  ): readonly InsertedRows[] {
    const added: InsertedRows[] = [];
    const placesAfterGap = new Set(
      spans.filter(({ below }) => below !== undefined).map(({ from }) => from),
    );
    let start = 0;
    while (start < rows.length) {
      const place = rows[start]?.place ?? 0;
      const index = this.#lines.indexFrom(place);
      const next = this.#lines.place(index);
      let end = start + 1;
      if (next !== place) {
        const isContiguous = (row: PlacedRow<Line> | undefined): boolean =>
          row !== undefined &&
          (next === undefined || row.place < next) &&
          !placesAfterGap.has(row.place);
        while (isContiguous(rows[end])) end += 1;
        const newRows = rows
          .slice(start, end)
          .filter((row, at, run) => at === 0 || row.place !== run[at - 1]?.place);
        const above = rows[end]?.place;
        const isSplit = above !== undefined && (next === undefined || above < next);
        const isBelow = isSplit || (next !== undefined && placesAfterGap.has(next));
        const sides: GapSides = { hasGapBefore: placesAfterGap.has(place), hasGapAfter: isBelow };
        const seqs = this.#seqs(index, newRows.length, lean, sides, oldGaps);
        this.#lines.insert(index, newRows, seqs);
        added.push({ place, count: newRows.length });
      }
      start = end;
    }
    return added;
  }

  /**
   * Adds the gaps of spans. An existing gap keeps its number, even when it has narrowed.
   * @param changed places of the gaps that differ; all may, by default.
   */
  #addGaps(
    spans: Spans,
    oldGaps: readonly GapEntry<Line>[],
    changed?: ReadonlySet<Place | undefined>,
  ): void {
    const before: number[] = [];
    const old = new Map(oldGaps.map((gap) => [gap.place, gap]));
    const epoch = this.#epoch;
    for (const span of spans) {
      if (span.below === undefined) continue;
      const index = this.#lines.indexFrom(span.from);
      const isSame = changed?.has(span.from) === false && this.#epoch === epoch;
      const same = isSame ? old.get(span.from) : undefined;
      if (same !== undefined && same.state === span.below && before.at(-1) !== index) {
        before.push(index);
        this.#gaps.set([...this.#gaps.all, same], [...before]);
        continue;
      }
      const until = this.#lines.at(index);
      const after = this.#lines.at(index - 1);
      if (until === undefined || before.at(-1) === index) continue;
      const existing = gapBetween(oldGaps, after?.seq, until.seq);
      const gap: GapEntry<Line> = {
        kind: 'gap',
        seq: existing?.seq ?? this.#seqs(index, 1, 'middle', noGaps, [])[0] ?? 0,
        place: span.from,
        state: span.below,
        after: after?.line,
        until: until.line,
      };
      before.push(index);
      this.#gaps.set([...this.#gaps.all, gap], [...before]);
    }
  }

  /** Resolves the final `seq` of runs, since each insertion may renumber earlier ones. */
  #toRuns(runs: readonly InsertedRows[]): readonly InsertedRun[] {
    return runs.map(({ place, count }) => {
      const index = this.#lines.indexFrom(place);
      const [first = 0, last = 0] = [this.#lines.seq(index), this.#lines.seq(index + count - 1)];
      return { first, last, count };
    });
  }

  /** Allocates numbers before line `index`. A gap that narrows can keep its own. */
  #seqs(
    index: number,
    count: number,
    lean: InsertSide,
    sides: GapSides,
    oldGaps: readonly GapEntry<Line>[],
  ): readonly number[] {
    const between = (gaps: readonly GapEntry<Line>[]) => {
      const before = this.#lines.seq(index - 1);
      const after = this.#lines.seq(index);
      const gap = gapBetween(gaps, before, after)?.seq;
      const from = sides.hasGapBefore ? (gap ?? before) : before;
      const to = sides.hasGapAfter && !sides.hasGapBefore ? (gap ?? after) : after;
      return allocateSeqs(from, to, count, lean, sides);
    };
    const seqs = between(oldGaps);
    if (seqs !== undefined) return seqs;
    this.#renumber();
    return between([]) ?? [];
  }

  /** Renumbers all entries once no number is left between two of them. */
  #renumber(): void {
    this.#epoch += 1;
    const start = Math.ceil(this.#lines.seq(this.#lines.length - 1) ?? 0);
    const seqOf = (index: number): number => start + (index + 1) * 2 ** 16;
    this.#lines.renumber((line) => seqOf(line + this.#gaps.countBeforeLine(line)));
    this.#gaps.renumber(seqOf);
  }
}

/** Returns the gap between two neighbouring numbers, of which there is at most one. */
function gapBetween<Line>(
  gaps: readonly GapEntry<Line>[],
  before = Number.NEGATIVE_INFINITY,
  after = Number.NEGATIVE_INFINITY,
): GapEntry<Line> | undefined {
  return gaps.find(({ seq }) => before < seq && seq < after);
}
