import { Chunks } from './chunks.ts';
import type { Spans } from './coverage.ts';
import type { Entries, Entry, GapEntry, Inserted, See } from './entries.ts';
import type { Change, Known } from './known.ts';
import type { Place } from './place.ts';
import type { Placed, Row } from './row.ts';
import { type Lean, seqsBetween } from './seq.ts';

export interface SequenceOptions<Line> {
  readonly row: (line: Line) => Row<Line>;
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Bytes that a line takes in memory, about. */
  readonly bytes: (line: Line) => number;
}

/**
 * The lines and gaps of one log, in order and bounded: behind the bounds the oldest are dropped, a
 * chunk at a time.
 */
export class Sequence<Line> implements Entries<Line>, Known<Line> {
  readonly #options: SequenceOptions<Line>;
  readonly #entries: Chunks<Entry<Line>>;
  #gaps: readonly GapEntry<Line>[] = [];
  #bytes = 0;
  #epoch = 0;

  constructor(options: SequenceOptions<Line>) {
    this.#options = options;
    this.#entries = new Chunks(Math.max(1, Math.min(512, options.maxLines >> 3)));
  }

  get length(): number {
    return this.#entries.length;
  }

  get lines(): number {
    return this.#entries.length - this.#gaps.length;
  }

  get epoch(): number {
    return this.#epoch;
  }

  at(index: number): Entry<Line> | undefined {
    return this.#entries.at(index);
  }

  slice(from: number, to: number): readonly Entry<Line>[] {
    return this.#entries.slice(from, to);
  }

  indexOf(seq: number): number {
    return this.#entries.search((entry) => entry.seq < seq);
  }

  get gaps(): readonly GapEntry<Line>[] {
    return this.#gaps;
  }

  scan(from: number, to: number, see: See): void {
    const { row } = this.#options;
    let index = Math.max(0, from);
    for (const entry of this.#entries.slice(index, to)) {
      if (entry.kind === 'line') {
        const { text, service } = row(entry.line);
        see(index, text, service);
      }
      index += 1;
    }
  }

  linesFrom(place: Place): number {
    const gaps = this.#gaps.filter((gap) => gap.place > place).length;
    return this.#entries.length - this.indexOfLine(place) - gaps;
  }

  from(place: Place, most: number): readonly Placed<Line>[] {
    const index = this.indexOfLine(place);
    return this.#placed(index, index + most + this.#gaps.length).slice(0, most);
  }

  upTo(place: Place, most: number): readonly Placed<Line>[] {
    const index = this.#entries.search((entry) => entry.place <= place);
    return this.#placed(index - most - this.#gaps.length, index).slice(-most);
  }

  /** @returns the lines that were new. */
  apply(change: Change<Line>): readonly Inserted[] {
    const { put, lean, drop, spans } = change;
    const appends = drop === undefined && put[0] !== undefined && this.#endsBefore(put[0].place);
    if ((appends || put.length === 0) && drop === undefined && this.#hasGapsOf(spans)) {
      return this.#put(put, lean, spans);
    }
    const old = this.#gaps;
    for (const gap of old) this.#entries.remove(this.indexOf(gap.seq), 1);
    this.#gaps = [];
    if (drop !== undefined) this.#drop(...drop);
    const added = this.#put(put, lean, spans);
    this.#gaps = this.#addGaps(spans, old);
    return added;
  }

  /** Index of the first gap that is being filled: before it, nothing is added any more. */
  get settled(): number {
    const gap = this.#gaps.find(({ state }) => state.kind === 'filling');
    return gap === undefined ? this.#entries.length : this.indexOf(gap.seq);
  }

  /** True when further lines would push the oldest out. */
  get isFull(): boolean {
    const { maxLines, maxBytes } = this.#options;
    return this.#entries.length >= maxLines || this.#bytes >= maxBytes;
  }

  /** Place of the first entry that {@link trim} would keep; undefined when it would drop none. */
  get keepsFrom(): Place | undefined {
    if (!this.#isOver) return undefined;
    return this.#entries.at(this.#entries.firstLength)?.place;
  }

  /** Drops the oldest chunk when the bounds are exceeded; the newest one always stays. */
  trim(): void {
    if (this.keepsFrom === undefined) return;
    for (const entry of this.#entries.dropFirst()) {
      if (entry.kind === 'line') this.#bytes -= this.#options.bytes(entry.line);
    }
    const first = this.#entries.at(0);
    this.#gaps = this.#gaps.filter((gap) => first !== undefined && gap.seq >= first.seq);
    // A gap with nothing before it is no gap any more, but the end of what is kept.
    if (first?.kind !== 'gap') return;
    this.#entries.remove(0, 1);
    this.#gaps = this.#gaps.slice(1);
  }

  get #isOver(): boolean {
    const { maxLines, maxBytes } = this.#options;
    return this.#entries.length > maxLines || this.#bytes > maxBytes;
  }

  /** Index of the first line at or behind a place. */
  indexOfLine(place: Place): number {
    return this.#entries.search(
      (entry) => entry.place < place || (entry.place === place && entry.kind === 'gap'),
    );
  }

  #placed(from: number, to: number): readonly Placed<Line>[] {
    const { row } = this.#options;
    return this.#entries
      .slice(from, to)
      .flatMap((entry) =>
        entry.kind === 'line' ? [{ place: entry.place, row: row(entry.line) }] : [],
      );
  }

  #endsBefore(place: Place): boolean {
    const last = this.#entries.at(this.#entries.length - 1);
    return last === undefined || last.place < place;
  }

  #put(rows: readonly Placed<Line>[], lean: Lean, spans: Spans): readonly Inserted[] {
    const added: Inserted[] = [];
    const behindGap = new Set(
      spans.filter(({ below }) => below !== undefined).map(({ from }) => from),
    );
    let start = 0;
    while (start < rows.length) {
      const place = rows[start]?.place ?? 0;
      const index = this.indexOfLine(place);
      const next = this.#entries.at(index);
      let end = start + 1;
      if (next?.place !== place) {
        const joins = (row: Placed<Line> | undefined): boolean =>
          row !== undefined &&
          (next === undefined || row.place < next.place) &&
          !behindGap.has(row.place);
        while (joins(rows[end])) end += 1;
        const fresh = rows
          .slice(start, end)
          .filter((row, at, run) => at === 0 || row.place !== run[at - 1]?.place);
        added.push(this.#insert(index, fresh, lean, behindGap.has(place)));
      }
      start = end;
    }
    return added;
  }

  #insert(index: number, rows: readonly Placed<Line>[], lean: Lean, apart: boolean): Inserted {
    const seqs = this.#seqs(index, rows.length, lean, apart);
    const entries = rows.map(({ place, row: { line } }, at): Entry<Line> => {
      this.#bytes += this.#options.bytes(line);
      return { kind: 'line', seq: seqs[at] ?? 0, place, line };
    });
    this.#entries.insert(index, entries);
    return { first: seqs[0] ?? 0, last: seqs.at(-1) ?? 0, count: entries.length };
  }

  #seqs(index: number, count: number, lean: Lean, apart: boolean): readonly number[] {
    const between = () =>
      seqsBetween(
        this.#entries.at(index - 1)?.seq,
        this.#entries.at(index)?.seq,
        count,
        lean,
        apart,
      );
    const seqs = between();
    if (seqs !== undefined) return seqs;
    this.#renumber();
    return between() ?? [];
  }

  /** After so many insertions at one spot that no number is left there, every entry gets a new one. */
  #renumber(): void {
    this.#epoch += 1;
    const start = this.#entries.at(this.#entries.length - 1)?.seq ?? 0;
    for (let index = 0; index < this.#entries.length; index += 1) {
      const entry = this.#entries.at(index);
      const seq = Math.ceil(start) + (index + 1) * 2 ** 16;
      if (entry !== undefined) this.#entries.set(index, { ...entry, seq });
    }
  }

  #drop(first: Place, last: Place): void {
    this.#epoch += 1;
    const index = this.indexOfLine(first);
    const end = this.#entries.search((entry) => entry.place <= last);
    for (const entry of this.#entries.slice(index, end)) {
      if (entry.kind === 'line') this.#bytes -= this.#options.bytes(entry.line);
    }
    this.#entries.remove(index, end - index);
  }

  #hasGapsOf(spans: Spans): boolean {
    const withGap = spans.filter((span) => span.below !== undefined);
    return (
      withGap.length === this.#gaps.length &&
      withGap.every((span, index) => {
        const gap = this.#gaps[index];
        return gap?.place === span.from && gap.state === span.below;
      })
    );
  }

  /** A gap that was there before keeps its number, also when it has become narrower. */
  #addGaps(spans: Spans, old: readonly GapEntry<Line>[]): readonly GapEntry<Line>[] {
    const gaps: GapEntry<Line>[] = [];
    const epoch = this.#epoch;
    for (const span of spans) {
      if (span.below === undefined) continue;
      const index = this.indexOfLine(span.from);
      const until = this.#entries.at(index);
      const after = this.#entries.at(index - 1);
      if (until?.kind !== 'line' || after?.kind === 'gap') continue;
      const kept = old.find(
        (gap) => gap.seq < until.seq && (after === undefined || gap.seq > after.seq),
      );
      const gap: GapEntry<Line> = {
        kind: 'gap',
        seq: kept?.seq ?? this.#seqs(index, 1, 'middle', false)[0] ?? 0,
        place: span.from,
        state: span.below,
        after: after?.line,
        until: until.line,
      };
      this.#entries.insert(index, [gap]);
      gaps.push(gap);
    }
    // Entries that got new numbers meanwhile are others.
    if (epoch === this.#epoch) return gaps;
    return this.slice(0, this.length).filter((entry) => entry.kind === 'gap');
  }
}
