import type { Spans } from './spans.ts';
import type { GapEntry, InsertedRun } from './entries.ts';
import type { GapIndex } from './gap-places.ts';
import type { LineStore } from './lines.ts';
import type { Place } from './place.ts';
import type { PlacedRow } from './row.ts';
import { type GapSides, type InsertSide, noGaps, allocateSeqs } from './seq.ts';

/** Lines inserted next to each other from a place on. */
interface InsertedRows {
  readonly place: Place;
  readonly count: number;
}

/** Inserts lines and gaps between the entries of a log, and numbers them. */
export class Insertion<Line> {
  readonly #lines: LineStore<Line>;
  readonly #gaps: GapIndex<Line>;
  readonly #onRenumber: () => void;

  /** @param onRenumber called before the numbers of all entries change. */
  constructor(lines: LineStore<Line>, gaps: GapIndex<Line>, onRenumber: () => void) {
    this.#lines = lines;
    this.#gaps = gaps;
    this.#onRenumber = onRenumber;
  }

  /**
   * Inserts the rows whose places are new.
   * @param spans the spans after the change.
   * @param oldGaps the gaps before the change.
   */
  insertRows(
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

  /** Adds the gaps of spans. An existing gap keeps its number, even when it has narrowed. */
  addGaps(spans: Spans, oldGaps: readonly GapEntry<Line>[]): void {
    const before: number[] = [];
    for (const span of spans) {
      if (span.below === undefined) continue;
      const index = this.#lines.indexFrom(span.from);
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
  toRuns(runs: readonly InsertedRows[]): readonly InsertedRun[] {
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
    this.#onRenumber();
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
