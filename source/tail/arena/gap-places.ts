import { bisect } from './bisect.ts';
import type { Spans } from './spans.ts';
import type { GapEntry } from './entries.ts';
import type { Place } from './place.ts';

/**
 * The gaps of a sequence, stored apart from its lines. Each gap precedes a line. Converts between
 * the indexes of lines and those of entries, which are lines and gaps.
 */
export class GapIndex<Line> {
  #gaps: readonly GapEntry<Line>[] = [];
  /** The line index of the line after each gap. */
  #before: readonly number[] = [];

  get all(): readonly GapEntry<Line>[] {
    return this.#gaps;
  }

  /** @param before the line index of the line after each gap. */
  set(gaps: readonly GapEntry<Line>[], before: readonly number[]): void {
    if (gaps.length > 0 || this.#gaps.length > 0) this.#gaps = gaps;
    this.#before = before;
  }

  /** Returns the gap at an entry index, or else the line index of the line there. */
  at(index: number): GapEntry<Line> | number {
    const gapsBefore = bisect(this.#gaps.length, (gap) => this.entryIndexOf(gap) < index);
    const gap = this.#gaps[gapsBefore];
    return gap !== undefined && this.entryIndexOf(gapsBefore) === index ? gap : index - gapsBefore;
  }

  /** Returns the count of lines before an entry index. */
  lineIndexAt(index: number): number {
    const from = Math.max(0, index);
    return from - bisect(this.#gaps.length, (gap) => this.entryIndexOf(gap) < from);
  }

  /** Returns true when these spans have the same gaps. */
  hasSameGaps(spans: Spans): boolean {
    const withGap = spans.filter((span) => span.below !== undefined);
    return (
      withGap.length === this.#gaps.length &&
      withGap.every((span, index) => {
        const gap = this.#gaps[index];
        return gap?.place === span.from && gap.state === span.below;
      })
    );
  }

  renumber(seqOf: (index: number) => number): void {
    this.#gaps = this.#gaps.map((gap, index) => ({ ...gap, seq: seqOf(this.entryIndexOf(index)) }));
  }

  /** Returns the entry index of gap number `gap`. */
  entryIndexOf(gap: number): number {
    return (this.#before[gap] ?? 0) + gap;
  }

  /** Returns the count of gaps before a line. */
  countBeforeLine(index: number): number {
    return bisect(this.#before.length, (gap) => (this.#before[gap] ?? 0) <= index);
  }

  /** Returns the count of gaps before a line, except one whose own line is beyond `place`. */
  countBeforePlace(index: number, place: Place): number {
    const count = this.countBeforeLine(index);
    const last = count - 1;
    const isPastPlace = this.#before[last] === index && (this.#gaps[last]?.place ?? place) > place;
    return isPastPlace ? last : count;
  }

  countBeforeSeq(seq: number): number {
    return bisect(this.#gaps.length, (gap) => (this.#gaps[gap]?.seq ?? seq) < seq);
  }

  /** Removes the first `lines` lines and the gaps before the line that follows them. */
  dropLines(lines: number): void {
    if (this.#gaps.length === 0) return;
    const dropped = this.countBeforeLine(lines);
    if (dropped > 0) this.#gaps = this.#gaps.slice(dropped);
    this.#before = this.#before.slice(dropped).map((index) => index - lines);
  }
}
