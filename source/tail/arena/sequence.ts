import type { Spans } from '../merge/coverage.ts';
import type { Entries, Entry, GapEntry, Inserted, LineMessage, See } from './entries.ts';
import { GapPlaces } from './gap-places.ts';
import type { Change, Known } from '../merge/known.ts';
import { type DecodeLine, Lines, type LinesOptions } from './lines.ts';
import type { Place } from './place.ts';
import type { Placed } from './row.ts';
import type { Run } from './run.ts';
import { type GapSides, type Lean, noGaps, seqsBetween } from './seq.ts';
import type { ServiceNames } from '../service-names.ts';
import type { Sieve } from '../query/prefilter.ts';

export type SequenceOptions<Line> = LinesOptions<Line>;

/** Lines that were put in next to each other, from a place on. */
interface PutRun {
  readonly place: Place;
  readonly count: number;
}

/**
 * The lines and gaps of one log, in order and bounded: behind the bounds the oldest are dropped, a
 * block of memory at a time.
 */
export class Sequence<Line> implements Entries<Line>, Known<Line> {
  readonly #options: SequenceOptions<Line>;
  readonly #lines: Lines<Line>;
  readonly #gaps = new GapPlaces<Line>();
  #epoch = 0;
  /** Lines that were dropped last for want of room. */
  #trimmed = 0;

  constructor(options: SequenceOptions<Line>) {
    this.#options = options;
    this.#lines = new Lines(options);
  }

  get length(): number {
    return this.#lines.length + this.#gaps.all.length;
  }

  get lines(): number {
    return this.#lines.length;
  }

  /** Bytes of memory that the lines take. */
  get bytes(): number {
    return this.#lines.bytes;
  }

  /** The services of the lines. */
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
    const found = this.#gaps.at(index);
    return typeof found === 'number' ? this.#lines.at(found) : found;
  }

  /** Unlike {@link at} without reading the line. */
  messageAt(index: number): LineMessage | GapEntry<Line> | undefined {
    const found = this.#gaps.at(index);
    return typeof found === 'number' ? this.#lines.message(found) : found;
  }

  /** Returns the line of a message that {@link messageAt} gave. */
  read({ bytes, start, end }: LineMessage): Line {
    return this.#lines.read(bytes, start, end);
  }

  seqAt(index: number): number | undefined {
    const found = this.#gaps.at(index);
    return typeof found === 'number' ? this.#lines.seq(found) : found.seq;
  }

  slice(from: number, to: number): readonly Entry<Line>[] {
    const found: Entry<Line>[] = [];
    const end = Math.min(to, this.length);
    for (let index = Math.max(0, from); index < end; index += 1) {
      const entry = this.at(index);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  indexOf(seq: number): number {
    return this.#lines.indexOf(seq) + this.#gaps.beforeSeq(seq);
  }

  get gaps(): readonly GapEntry<Line>[] {
    return this.#gaps.all;
  }

  scan(from: number, to: number, see: See, sieve?: Sieve): number {
    return this.#lines.scan(
      this.#gaps.lineAt(from),
      this.#gaps.lineAt(to),
      (line, text, service) => see(line + this.#gaps.beforeLine(line), text, service),
      sieve,
    );
  }

  linesFrom(place: Place): number {
    return this.#lines.length - this.#lines.from(place);
  }

  from(place: Place, most: number): readonly Placed<Line>[] {
    const index = this.#lines.from(place);
    return this.#lines.placed(index, index + most);
  }

  upTo(place: Place, most: number): readonly Placed<Line>[] {
    const index = this.#lines.behind(place);
    return this.#lines.placed(index - most, index);
  }

  /** @returns the lines that were new. */
  apply(change: Change<Line>): readonly Inserted[] {
    const { put, lean, drop, spans } = change;
    const appends = drop === undefined && put[0] !== undefined && this.#endsBefore(put[0].place);
    const old = this.#gaps.all;
    if ((appends || put.length === 0) && drop === undefined && this.#gaps.areOf(spans)) {
      return this.#inserted(this.#put(put, lean, spans, old));
    }
    this.#gaps.set([], []);
    if (drop !== undefined) this.#drop(...drop);
    const added = this.#put(put, lean, spans, old);
    this.#addGaps(spans, old);
    return this.#inserted(added);
  }

  /** Puts lines behind all others, as they came. The run must not be empty. */
  append(run: Run, spans: Spans): Inserted {
    const first = Math.floor(this.#lines.seq(this.#lines.length - 1) ?? -1) + 1;
    this.#lines.append(run, first);
    if (!this.#gaps.areOf(spans)) {
      const old = this.#gaps.all;
      this.#gaps.set([], []);
      this.#addGaps(spans, old);
    }
    return { first, last: first + run.count - 1, count: run.count };
  }

  /** Index of the first gap that is being filled: before it, nothing is added any more. */
  get settled(): number {
    const gap = this.#gaps.all.findIndex(({ state }) => state.kind === 'filling');
    return gap < 0 ? this.length : this.#gaps.entry(gap);
  }

  /**
   * True when further lines would push the oldest out, and still once some were: the room that they
   * leave is for those to come.
   */
  get isFull(): boolean {
    const { maxLines, maxBytes } = this.#options;
    const blocks = this.#trimmed === 0 ? 1 : 2;
    const isOfLines = this.length + this.#trimmed >= maxLines;
    return isOfLines || this.bytes + blocks * this.#lines.blockSize > maxBytes;
  }

  /** Place of the first entry that {@link trim} would keep; undefined when it would drop none. */
  get keepsFrom(): Place | undefined {
    const { maxLines, maxBytes } = this.#options;
    const isOver = this.length > maxLines || this.bytes > maxBytes;
    return isOver ? this.#lines.place(this.#lines.firstLength) : undefined;
  }

  /** Drops the oldest block when the bounds are exceeded; the newest one always stays. */
  trim(): void {
    if (this.keepsFrom === undefined) return;
    // A gap with nothing before it is no gap any more, but the end of what is kept.
    this.#trimmed = this.#lines.firstLength;
    this.#gaps.dropLines(this.#trimmed);
    this.#lines.dropFirst();
  }

  /** Index of the first line at or behind a place. */
  indexOfLine(place: Place): number {
    const line = this.#lines.from(place);
    return line + this.#gaps.beforePlace(line, place);
  }

  #endsBefore(place: Place): boolean {
    const last = this.#lines.place(this.#lines.length - 1);
    return last === undefined || last < place;
  }

  /** Runs by the numbers they have in the end: each that is put in may change those before it. */
  #inserted(runs: readonly PutRun[]): readonly Inserted[] {
    return runs.map(({ place, count }) => {
      const index = this.#lines.from(place);
      const [first = 0, last = 0] = [this.#lines.seq(index), this.#lines.seq(index + count - 1)];
      return { first, last, count };
    });
  }

  /** @param old the gaps as they were before. */
  #put(
    rows: readonly Placed<Line>[],
    lean: Lean,
    spans: Spans,
    old: readonly GapEntry<Line>[],
  ): readonly PutRun[] {
    const added: PutRun[] = [];
    const behindGap = new Set(
      spans.filter(({ below }) => below !== undefined).map(({ from }) => from),
    );
    let start = 0;
    while (start < rows.length) {
      const place = rows[start]?.place ?? 0;
      const index = this.#lines.from(place);
      const next = this.#lines.place(index);
      let end = start + 1;
      if (next !== place) {
        const joins = (row: Placed<Line> | undefined): boolean =>
          row !== undefined &&
          (next === undefined || row.place < next) &&
          !behindGap.has(row.place);
        while (joins(rows[end])) end += 1;
        const fresh = rows
          .slice(start, end)
          .filter((row, at, run) => at === 0 || row.place !== run[at - 1]?.place);
        const above = rows[end]?.place;
        const isSplit = above !== undefined && (next === undefined || above < next);
        const isBelow = isSplit || (next !== undefined && behindGap.has(next));
        const sides = { isBehind: behindGap.has(place), isBelow };
        const seqs = this.#seqs(index, fresh.length, lean, sides, old);
        this.#lines.insert(index, fresh, seqs);
        added.push({ place, count: fresh.length });
      }
      start = end;
    }
    return added;
  }

  /** Numbers for entries before line `index`: a gap that becomes narrower by them can keep its own. */
  #seqs(
    index: number,
    count: number,
    lean: Lean,
    sides: GapSides,
    old: readonly GapEntry<Line>[],
  ): readonly number[] {
    const between = (gaps: readonly GapEntry<Line>[]) => {
      const before = this.#lines.seq(index - 1);
      const after = this.#lines.seq(index);
      const gap = gapBetween(gaps, before, after)?.seq;
      const from = sides.isBehind ? (gap ?? before) : before;
      const to = sides.isBelow && !sides.isBehind ? (gap ?? after) : after;
      return seqsBetween(from, to, count, lean, sides);
    };
    const seqs = between(old);
    if (seqs !== undefined) return seqs;
    this.#renumber();
    return between([]) ?? [];
  }

  /** After so many insertions at one spot that no number is left there, every entry gets a new one. */
  #renumber(): void {
    this.#epoch += 1;
    const start = Math.ceil(this.#lines.seq(this.#lines.length - 1) ?? 0);
    const seqOf = (index: number): number => start + (index + 1) * 2 ** 16;
    this.#lines.renumber((line) => seqOf(line + this.#gaps.beforeLine(line)));
    this.#gaps.renumber(seqOf);
  }

  #drop(first: Place, last: Place): void {
    this.#epoch += 1;
    const index = this.#lines.from(first);
    this.#lines.remove(index, this.#lines.behind(last) - index);
  }

  /** A gap that was there before keeps its number, also when it has become narrower. */
  #addGaps(spans: Spans, old: readonly GapEntry<Line>[]): void {
    const before: number[] = [];
    for (const span of spans) {
      if (span.below === undefined) continue;
      const index = this.#lines.from(span.from);
      const until = this.#lines.at(index);
      const after = this.#lines.at(index - 1);
      if (until === undefined || before.at(-1) === index) continue;
      const kept = gapBetween(old, after?.seq, until.seq);
      const gap: GapEntry<Line> = {
        kind: 'gap',
        seq: kept?.seq ?? this.#seqs(index, 1, 'middle', noGaps, [])[0] ?? 0,
        place: span.from,
        state: span.below,
        after: after?.line,
        until: until.line,
      };
      before.push(index);
      this.#gaps.set([...this.#gaps.all, gap], [...before]);
    }
  }
}

/** A gap between two numbers of neighbours; there is one at most. */
function gapBetween<Line>(
  gaps: readonly GapEntry<Line>[],
  before = Number.NEGATIVE_INFINITY,
  after = Number.NEGATIVE_INFINITY,
): GapEntry<Line> | undefined {
  return gaps.find(({ seq }) => before < seq && seq < after);
}
