import { bisect } from './bisect.ts';
import type { Spans } from '../merge/coverage.ts';
import type { GapEntry } from './entries.ts';
import type { Place } from './place.ts';

/**
 * The gaps of a sequence, kept apart from its lines: each stands before one of them. Counts where
 * entries stand, which are lines and gaps.
 */
export class GapPlaces<Line> {
  #gaps: readonly GapEntry<Line>[] = [];
  /** Index, among the lines, of the line behind each gap. */
  #before: readonly number[] = [];

  get all(): readonly GapEntry<Line>[] {
    return this.#gaps;
  }

  /** @param before index, among the lines, of the line behind each gap. */
  set(gaps: readonly GapEntry<Line>[], before: readonly number[]): void {
    if (gaps.length > 0 || this.#gaps.length > 0) this.#gaps = gaps;
    this.#before = before;
  }

  /** The gap at the index of an entry, or the index of the line that stands there instead. */
  at(index: number): GapEntry<Line> | number {
    const under = bisect(this.#gaps.length, (gap) => this.entry(gap) < index);
    const gap = this.#gaps[under];
    return gap !== undefined && this.entry(under) === index ? gap : index - under;
  }

  /** Number of lines before the entry at an index. */
  lineAt(index: number): number {
    const from = Math.max(0, index);
    return from - bisect(this.#gaps.length, (gap) => this.entry(gap) < from);
  }

  /** True when these spans have the same gaps. */
  areOf(spans: Spans): boolean {
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
    this.#gaps = this.#gaps.map((gap, index) => ({ ...gap, seq: seqOf(this.entry(index)) }));
  }

  /** Index of the entry that is gap number `gap`. */
  entry(gap: number): number {
    return (this.#before[gap] ?? 0) + gap;
  }

  /** Number of gaps before line `index`. */
  beforeLine(index: number): number {
    return bisect(this.#before.length, (gap) => (this.#before[gap] ?? 0) <= index);
  }

  /** Number of gaps that stand before line `index`, but behind no line of a lower place. */
  beforePlace(index: number, place: Place): number {
    const count = this.beforeLine(index);
    const last = count - 1;
    const isBehind = this.#before[last] === index && (this.#gaps[last]?.place ?? place) > place;
    return isBehind ? last : count;
  }

  beforeSeq(seq: number): number {
    return bisect(this.#gaps.length, (gap) => (this.#gaps[gap]?.seq ?? seq) < seq);
  }

  /** The first `lines` lines are no more, and neither are the gaps among them and behind them. */
  dropLines(lines: number): void {
    if (this.#gaps.length === 0) return;
    const gone = this.beforeLine(lines);
    if (gone > 0) this.#gaps = this.#gaps.slice(gone);
    this.#before = this.#before.slice(gone).map((index) => index - lines);
  }
}
