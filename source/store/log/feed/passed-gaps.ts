import type { Place } from '../../../tail/arena/place.ts';

/** A range of places, without its ends, whose lines were waited for in vain. */
interface PassedRange {
  readonly after: Place | undefined;
  readonly until: Place;
}

/** Gaps behind which a reader has gone on although their lines were still being fetched. */
export class PassedGaps {
  #ranges: readonly PassedRange[] = [];
  readonly #seqs = new Set<number>();

  /** @param after place of the last line that was read. */
  add(gap: { readonly seq: number; readonly place: Place }, after: Place | undefined): void {
    this.#seqs.add(gap.seq);
    this.#ranges = [...this.#ranges, { after, until: gap.place }];
  }

  has(seq: number): boolean {
    return this.#seqs.has(seq);
  }

  /** Returns whether a place is in one of the gaps. */
  holds(place: Place): boolean {
    return this.#ranges.some(
      ({ after, until }) => place < until && (after === undefined || place > after),
    );
  }
}
