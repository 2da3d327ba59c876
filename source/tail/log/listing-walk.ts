/** Rule 3: the walk back through a log whose pages are not listed by the ids of their lines. */
import { type Place, shiftPlace } from '../arena/place.ts';

/** Whole pages without a new line that end the search for missing lines. */
const mostKnown = 2;

/** The known lines, as the walk needs them. */
interface KnownLines {
  readonly newest: Place | undefined;
  /** Returns the number of lines at or behind a place. */
  linesFrom(place: Place): number;
}

/** The index of the oldest row that was read, and the newest line then. */
interface Reached {
  readonly index: number;
  readonly newest: Place | undefined;
}

export class ListingWalk {
  /** The end of the search for missing lines, and the oldest row that was ever read. */
  #search: Reached | undefined;
  #deepest: Reached | undefined;
  /** Whole pages in a row that brought no new line. */
  #known = 0;

  /** True when the last page had no line behind those of the page before: the next may be empty. */
  isAtEnd = false;

  /** True when the search has found what can be found. */
  get isDone(): boolean {
    return this.#known >= mostKnown;
  }

  /** Begins the search anew, at the newest lines. */
  restart(): void {
    this.#search = undefined;
    this.#known = 0;
  }

  /**
   * Notes a page.
   * @param index of its oldest row.
   * @param fresh rows that were new.
   * @param isSearch true when missing lines are looked for, false when older ones are wanted.
   * @param isFixed true when lines that come change no index.
   */
  read(held: KnownLines, index: number, fresh: number, isSearch: boolean, isFixed: boolean): void {
    this.#known = fresh === 0 ? this.#known + 1 : 0;
    const before = isSearch ? this.#search : this.#deepest;
    this.isAtEnd = index < indexNow(before, held, isFixed);
    this.#search = { index, newest: held.newest };
    if (index >= indexNow(this.#deepest, held, isFixed) - 1) this.#deepest = this.#search;
  }

  /**
   * Returns the index of the line behind those that were read; for the parameters see {@link read}.
   */
  next(held: KnownLines, isSearch: boolean, isFixed: boolean): number | undefined {
    const reached = isSearch ? this.#search : this.#deepest;
    return reached && indexNow(reached, held, isFixed);
  }
}

function indexNow(reached: Reached | undefined, held: KnownLines, isFixed: boolean): number {
  if (reached === undefined) return Number.NEGATIVE_INFINITY;
  const { index, newest } = reached;
  const came = newest === undefined || isFixed ? 0 : held.linesFrom(shiftPlace(newest, 1));
  return index + 1 + came;
}
