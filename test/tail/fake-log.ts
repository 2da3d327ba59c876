import type {
  Entries,
  Entry,
  GapEntry,
  InsertedRun,
  LineVisitor,
} from '../../source/tail/arena/entries.ts';

/** A line with or without a time. */
export interface FakeLine {
  readonly text: string;
  readonly time: number | undefined;
}

/** A log that tests can change freely. */
export class FakeLog<Line = FakeLine> implements Entries<Line> {
  epoch = 0;
  gaps: readonly GapEntry<Line>[] = [];
  #entries: Entry<Line>[] = [];
  readonly #textOf: (line: Line) => string;

  constructor(textOf: (line: Line) => string) {
    this.#textOf = textOf;
  }

  get length(): number {
    return this.#entries.length;
  }

  at(index: number): Entry<Line> | undefined {
    return this.#entries[index];
  }

  slice(from: number, to: number): readonly Entry<Line>[] {
    return this.#entries.slice(Math.max(0, from), Math.max(0, to));
  }

  indexOf(seq: number): number {
    const index = this.#entries.findIndex((entry) => entry.seq >= seq);
    return index < 0 ? this.#entries.length : index;
  }

  scan(from: number, to: number, see: LineVisitor): number {
    for (const [at, entry] of this.slice(from, to).entries()) {
      if (entry.kind === 'line') see(from + at, this.#textOf(entry.line), undefined);
    }
    return to - from;
  }

  /** Inserts lines, at the end by default. */
  insert(lines: readonly Line[], index = this.length): readonly InsertedRun[] {
    if (lines.length === 0) return [];
    const before = this.#entries[index - 1]?.seq;
    const after = this.#entries[index]?.seq;
    const least = before ?? (after ?? 0) - 1000;
    const step = ((after ?? least + 1000) - least) / (lines.length + 1);
    const put = lines.map(
      (line, at): Entry<Line> => ({
        kind: 'line',
        seq: least + step * (at + 1),
        place: 0,
        line,
      }),
    );
    this.#entries.splice(index, 0, ...put);
    this.#moveGaps();
    const [first, last] = [put[0]?.seq ?? 0, put.at(-1)?.seq ?? 0];
    return [{ first, last, count: lines.length }];
  }

  dropFirst(count: number): void {
    this.#entries.splice(0, count);
    this.#moveGaps();
  }

  /** Adds a gap before the line at `index`, unless one exists. */
  openGap(index: number): void {
    const until = this.#entries[index];
    const before = this.#entries[index - 1];
    if (until?.kind !== 'line' || before?.kind === 'gap') return;
    const seq = before === undefined ? until.seq - 1 : (before.seq + until.seq) / 2;
    const gap: GapEntry<Line> = {
      kind: 'gap',
      seq,
      place: 0,
      state: { kind: 'filling' },
      after: before?.line,
      until: until.line,
    };
    this.#entries.splice(index, 0, gap);
    this.#moveGaps();
  }

  closeGap(number: number): void {
    const gap = this.gaps[number];
    this.#entries = this.#entries.filter((entry) => entry.seq !== gap?.seq);
    this.#moveGaps();
  }

  /** Removes lines from the middle. */
  takeOut(index: number, count: number): void {
    this.#entries.splice(index, count);
    this.epoch += 1;
    this.#moveGaps();
  }

  /** Tracks a gap by its two lines, whatever is inserted between them. */
  #moveGaps(): void {
    this.#entries = this.#entries.flatMap((entry, index): readonly Entry<Line>[] => {
      if (entry.kind === 'line') return [entry];
      const until = this.#entries[index + 1];
      if (until?.kind !== 'line') return [];
      const before = this.#entries[index - 1];
      const after = before?.kind === 'line' ? before.line : undefined;
      const isSame = until.line === entry.until && after === entry.after;
      return [isSame ? entry : { ...entry, after, until: until.line }];
    });
    const gaps = this.#entries.filter((entry) => entry.kind === 'gap');
    const isSame =
      gaps.length === this.gaps.length && gaps.every((gap, index) => gap === this.gaps[index]);
    if (!isSame) this.gaps = gaps;
  }
}
