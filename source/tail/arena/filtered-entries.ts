import { bisect } from './bisect.ts';
import { type Entries, type Entry, type GapEntry, type LineVisitor, seqAt } from './entries.ts';
import type { SeqSet } from './seq-set.ts';
import type { Prefilter } from '../query/prefilter.ts';

/** Lines that are scanned together when they are adjacent. */
const blockLength = 64;

/**
 * The lines of a log whose `seq` is in a set, and every gap; all entries without a set. `epoch` is
 * that of the log: changing the set keeps remembered `seq` numbers valid, although their entries
 * may be hidden.
 */
export class FilteredView<Line> implements Entries<Line> {
  readonly #all: Entries<Line>;
  readonly #shown: () => SeqSet | undefined;

  /** @param shown returns the current set; called with every access. */
  constructor(all: Entries<Line>, shown: () => SeqSet | undefined) {
    this.#all = all;
    this.#shown = shown;
  }

  get length(): number {
    const shown = this.#shown();
    return shown === undefined ? this.#all.length : shown.length + this.#all.gaps.length;
  }

  get epoch(): number {
    return this.#all.epoch;
  }

  get gaps(): readonly GapEntry<Line>[] {
    return this.#all.gaps;
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
    const end = Math.min(to, shown.length + this.#all.gaps.length);
    for (let index = Math.max(0, from); index < end; index += 1) {
      const entry = this.#at(shown, index);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  indexOf(seq: number): number {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.indexOf(seq);
    const { gaps } = this.#all;
    return shown.rank(seq) + bisect(gaps.length, (gap) => (gaps[gap]?.seq ?? 0) < seq);
  }

  scan(from: number, to: number, visit: LineVisitor, prefilter?: Prefilter): number {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.scan(from, to, visit, prefilter);
    let characters = 0;
    const end = Math.min(to, shown.length + this.#all.gaps.length);
    for (let start = Math.max(0, from); start < end; start += blockLength) {
      const until = Math.min(end, start + blockLength);
      characters += this.#scanBlock(shown, start, until, visit, prefilter);
    }
    return characters;
  }

  #scanBlock(
    shown: SeqSet,
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

  #at(shown: SeqSet, index: number): Entry<Line> | undefined {
    const seq = this.#seqAt(shown, index);
    return seq === undefined ? undefined : this.#all.at(this.#all.indexOf(seq));
  }

  #indexInAll(shown: SeqSet, index: number): number {
    return this.#all.indexOf(this.#seqAt(shown, index) ?? Number.POSITIVE_INFINITY);
  }

  #seqAt(shown: SeqSet, index: number): number | undefined {
    const gaps = this.#gapsBefore(shown, index);
    const gap = this.#all.gaps[gaps];
    const isGap = gap !== undefined && shown.rank(gap.seq) + gaps === index;
    return isGap ? gap.seq : shown.at(index - gaps);
  }

  /** Returns the count of gaps before the entry at `index`. */
  #gapsBefore(shown: SeqSet, index: number): number {
    const { gaps } = this.#all;
    return bisect(gaps.length, (gap) => shown.rank(gaps[gap]?.seq ?? 0) + gap < index);
  }
}
