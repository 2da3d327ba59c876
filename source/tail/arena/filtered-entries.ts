import { bisect } from './bisect.ts';
import { type Entries, type Entry, type GapEntry, type LineVisitor, seqAt } from './entries.ts';
import type { SeqSet } from './seq-set.ts';
import type { Prefilter } from '../query/prefilter.ts';

/** Lines that are scanned together when they are adjacent. */
const blockLength = 64;

/** The lines of a log that a filter has found, and the gaps in which it may have missed some. */
export interface Found<Line> {
  readonly seqs: SeqSet;
  readonly gaps: readonly GapEntry<Line>[];
}

/**
 * The lines of a log that a filter has found, with gaps; all entries without a filter. `epoch` is that of
 * the log: another filter keeps remembered `seq` numbers valid, although their entries may be hidden.
 */
export class FilteredView<Line> implements Entries<Line> {
  readonly #all: Entries<Line>;
  readonly #shown: () => Found<Line> | undefined;

  /** @param shown returns what is found so far; called with every access. */
  constructor(all: Entries<Line>, shown: () => Found<Line> | undefined) {
    this.#all = all;
    this.#shown = shown;
  }

  get length(): number {
    const shown = this.#shown();
    return shown === undefined ? this.#all.length : lengthOf(shown);
  }

  get epoch(): number {
    return this.#all.epoch;
  }

  get gaps(): readonly GapEntry<Line>[] {
    return this.#shown()?.gaps ?? this.#all.gaps;
  }

  at(index: number): Entry<Line> | undefined {
    const shown = this.#shown();
    return shown === undefined ? this.#all.at(index) : this.#at(shown, index);
  }

  seqAt(index: number): number | undefined {
    const shown = this.#shown();
    return shown === undefined ? seqAt(this.#all, index) : this.#seqAt(shown, index);
  }

  memberAt(index: number): number {
    const shown = this.#shown();
    const indexInAll = shown === undefined ? index : this.#indexInAll(shown, index);
    return this.#all.memberAt?.(indexInAll) ?? 0;
  }

  slice(from: number, to: number): readonly Entry<Line>[] {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.slice(from, to);
    const entries: Entry<Line>[] = [];
    const end = Math.min(to, lengthOf(shown));
    for (let index = Math.max(0, from); index < end; index += 1) {
      const entry = this.#at(shown, index);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  indexOf(seq: number): number {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.indexOf(seq);
    const { seqs, gaps } = shown;
    return seqs.rank(seq) + bisect(gaps.length, (gap) => (gaps[gap]?.seq ?? 0) < seq);
  }

  scan(from: number, to: number, visit: LineVisitor, prefilter?: Prefilter): number {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.scan(from, to, visit, prefilter);
    let characters = 0;
    const end = Math.min(to, lengthOf(shown));
    for (let start = Math.max(0, from); start < end; start += blockLength) {
      const until = Math.min(end, start + blockLength);
      characters += this.#scanBlock(shown, start, until, visit, prefilter);
    }
    return characters;
  }

  #scanBlock(
    shown: Found<Line>,
    from: number,
    to: number,
    visit: LineVisitor,
    prefilter?: Prefilter,
  ): number {
    const first = this.#indexInAll(shown, from);
    // Adjacent lines are scanned as one range.
    if (this.#indexInAll(shown, to - 1) - first === to - 1 - from) {
      return this.#all.scan(
        first,
        first + to - from,
        (index, text, service) => {
          visit(index - first + from, text, service);
        },
        prefilter,
      );
    }
    let characters = 0;
    for (let index = from; index < to; index += 1) {
      const indexInAll = this.#indexInAll(shown, index);
      const visitOne: LineVisitor = (_, text, service) => visit(index, text, service);
      characters += this.#all.scan(indexInAll, indexInAll + 1, visitOne, prefilter);
    }
    return characters;
  }

  #at(shown: Found<Line>, index: number): Entry<Line> | undefined {
    const seq = this.#seqAt(shown, index);
    return seq === undefined ? undefined : this.#all.at(this.#all.indexOf(seq));
  }

  #indexInAll(shown: Found<Line>, index: number): number {
    return this.#all.indexOf(this.#seqAt(shown, index) ?? Number.POSITIVE_INFINITY);
  }

  #seqAt(shown: Found<Line>, index: number): number | undefined {
    const { seqs, gaps } = shown;
    const before = bisect(gaps.length, (gap) => seqs.rank(gaps[gap]?.seq ?? 0) + gap < index);
    const gap = gaps[before];
    const isGap = gap !== undefined && seqs.rank(gap.seq) + before === index;
    return isGap ? gap.seq : seqs.at(index - before);
  }
}

function lengthOf({ seqs, gaps }: Found<unknown>): number {
  return seqs.length + gaps.length;
}
