import { bisect } from './bisect.ts';
import { type Entries, type Entry, type GapEntry, type See, seqAt } from './entries.ts';
import type { SeqSet } from './seq-set.ts';
import type { Sieve } from '../query/prefilter.ts';

/** So many lines are looked at together when they stand next to each other. */
const block = 64;

/**
 * The lines of a log whose `seq` is in a set, and every gap; all entries where there is no set.
 * `epoch` is that of the log: another set does not void what was remembered by `seq`, the entry is
 * only not among these.
 */
export class FilteredEntries<Line> implements Entries<Line> {
  readonly #all: Entries<Line>;
  readonly #shown: () => SeqSet | undefined;

  /** @param shown the set as of now: asked for with each look at the entries. */
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

  slice(from: number, to: number): readonly Entry<Line>[] {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.slice(from, to);
    const found: Entry<Line>[] = [];
    const end = Math.min(to, shown.length + this.#all.gaps.length);
    for (let index = Math.max(0, from); index < end; index += 1) {
      const entry = this.#at(shown, index);
      if (entry !== undefined) found.push(entry);
    }
    return found;
  }

  indexOf(seq: number): number {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.indexOf(seq);
    const { gaps } = this.#all;
    return shown.rank(seq) + bisect(gaps.length, (gap) => (gaps[gap]?.seq ?? 0) < seq);
  }

  scan(from: number, to: number, see: See, sieve?: Sieve): number {
    const shown = this.#shown();
    if (shown === undefined) return this.#all.scan(from, to, see, sieve);
    let characters = 0;
    const end = Math.min(to, shown.length + this.#all.gaps.length);
    for (let start = Math.max(0, from); start < end; start += block) {
      const until = Math.min(end, start + block);
      characters += this.#scanBlock(shown, start, until, see, sieve);
    }
    return characters;
  }

  #scanBlock(shown: SeqSet, from: number, to: number, see: See, sieve?: Sieve): number {
    const first = this.#indexInAll(shown, from);
    // Where no entry stands between them that is not shown, they are looked at as one.
    if (this.#indexInAll(shown, to - 1) - first === to - 1 - from) {
      return this.#all.scan(
        first,
        first + to - from,
        (index, text, service) => {
          see(index - first + from, text, service);
        },
        sieve,
      );
    }
    let characters = 0;
    for (let index = from; index < to; index += 1) {
      const here = this.#indexInAll(shown, index);
      const one: See = (_, text, service) => see(index, text, service);
      characters += this.#all.scan(here, here + 1, one, sieve);
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

  /** How many gaps stand before the entry at `index`. */
  #gapsBefore(shown: SeqSet, index: number): number {
    const { gaps } = this.#all;
    return bisect(gaps.length, (gap) => shown.rank(gaps[gap]?.seq ?? 0) + gap < index);
  }
}
