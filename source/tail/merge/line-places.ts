import type { Doubts } from './doubts.ts';
import type { JoinedLines } from './joined-lines.ts';
import type { WantedPages } from './wanted-pages.ts';

/** Tells the rest of the merge that lines got other places. */
export class LinePlaces<Line> {
  readonly #joined: JoinedLines<Line>;
  readonly #doubts: Doubts;
  readonly #wanted: WantedPages<Line>;
  readonly #isAppendOnly: boolean;
  #wasDisordered = false;

  constructor(
    joined: JoinedLines<Line>,
    doubts: Doubts,
    wanted: WantedPages<Line>,
    isAppendOnly: boolean,
  ) {
    this.#joined = joined;
    this.#doubts = doubts;
    this.#wanted = wanted;
    this.#isAppendOnly = isAppendOnly;
  }

  /** Places all lines by their instants from now on. */
  endIds(): void {
    const isCovered = this.#joined.endIds();
    this.placedAnew();
    if (!isCovered) this.#wanted.head = 'wanted';
  }

  /** All lines have other places. */
  placedAnew(): void {
    this.#doubts.clear();
    this.#doubtLiveLines();
    this.#wanted.forgetIndexes();
    this.#wanted.restart();
  }

  /** A stream that swaps lines may have sent all of them in another order. */
  noteDisorder(): void {
    const { isDisordered } = this.#joined.instants;
    if (isDisordered && !this.#wasDisordered) this.#doubtLiveLines();
    this.#wasDisordered = isDisordered;
  }

  #doubtLiveLines(): void {
    const { start } = this.#joined;
    const newest = this.#joined.newest();
    if (this.#isAppendOnly || start === undefined || newest === undefined) return;
    this.#doubts.note(start, newest);
  }
}
