/** Rule 3: the walk back through a log whose pages are not listed by the ids of their lines. */
import { type Place, shiftPlace } from '../arena/place.ts';

/** Whole pages of known lines that end the search for missing lines. */
const mostKnown = 2;

/** Pages in a row that don't join those before, after which the walk begins anew. */
const mostMissed = 8;

/** Walks that begin anew, after which pages need not join: nothing tells the order of the listing. */
const mostWalks = 3;

/** The known lines, as the walk needs them. */
interface KnownLines {
  readonly newest: Place | undefined;
  /** Returns the number of lines at or behind a place. */
  linesFrom(place: Place): number;
}

/** A page of the listing. */
export interface ListedPage {
  /** The index of its oldest row. */
  readonly index: number;
  /** The places of its rows, the oldest of the listing first. */
  readonly places: readonly Place[];
  /** True when all rows were at hand and lie before every gap. */
  readonly isKnown: boolean;
}

/** The last page that was read, the index of its oldest row, and the newest line then. */
interface Reached {
  readonly places: readonly Place[];
  readonly index: number;
  readonly newest: Place | undefined;
}

export class ListingWalk {
  /** The end of the search for missing lines, and the oldest row that was ever read. */
  #search: Reached | undefined;
  #deepest: Reached | undefined;
  /** Whole pages in a row of known lines. */
  #known = 0;
  #missed = 0;
  #walks = 0;

  /** True when the last page had no line behind those of the page before: the next may be empty. */
  isAtEnd = false;

  /** True when the search has found what can be found. */
  get isDone(): boolean {
    return this.#known >= mostKnown;
  }

  /** True once the newest page was read, and pages joined it since. */
  get hasBegun(): boolean {
    return this.#search !== undefined && this.#missed < mostMissed;
  }

  /** Begins the search anew, with a page of the newest lines. */
  begin(held: KnownLines, page: ListedPage): void {
    if (this.#missed >= mostMissed) {
      this.#deepest = undefined;
      this.#walks += 1;
    }
    this.#known = 0;
    this.#missed = 0;
    this.#search = undefined;
    this.read(held, page, true, true);
  }

  /**
   * Notes a page. Lines that came meanwhile move the listing, so a page counts only if it shows a row of
   * the one before; else the next lies nearer to that.
   * @param isSearch true when missing lines are looked for, false when older ones are wanted.
   * @param isFixed true when lines that come change no index.
   */
  read(held: KnownLines, page: ListedPage, isSearch: boolean, isFixed: boolean): void {
    const { index, places, isKnown } = page;
    const before = isSearch ? this.#search : this.#deepest;
    if (before !== undefined && !this.#joins(places, before)) {
      this.#miss(held, places, before, isSearch, isFixed);
      return;
    }
    this.#missed = 0;
    this.#known = isKnown ? this.#known + 1 : 0;
    this.isAtEnd = before !== undefined && places.every((place) => before.places.includes(place));
    const shown = places.length === 0 ? (before?.places ?? []) : places;
    const reached = { places: shown, index, newest: held.newest };
    this.#reach(reached, isSearch);
    const deepest = this.#deepest?.places;
    if (isSearch && deepest?.every((place) => !places.includes(place)) !== true)
      this.#deepest = reached;
  }

  /** An empty page lies behind the last one, if that had no other rows than the one before. */
  #joins(places: readonly Place[], before: Reached): boolean {
    if (this.#walks >= mostWalks) return true;
    if (places.length === 0) return this.isAtEnd;
    return places.some((place) => before.places.includes(place));
  }

  #miss(
    held: KnownLines,
    places: readonly Place[],
    before: Reached,
    isSearch: boolean,
    isFixed: boolean,
  ): void {
    const [row = 0] = before.places;
    const isNewer = places.filter((place) => place > row).length * 2 > places.length;
    // The first such page may only have been asked for without a row of the one before.
    const aside = this.#missed === 0 ? 0 : isNewer ? places.length : -places.length;
    // Lines that came may have been listed before: an empty page lies too far back.
    const index = places.length === 0 ? before.index : indexNow(before, held, isFixed) - 1 + aside;
    this.#reach({ ...before, index, newest: held.newest }, isSearch);
    this.isAtEnd = places.length === 0 && this.#missed > 0;
    this.#missed += 1;
    this.#known = 0;
  }

  #reach(reached: Reached, isSearch: boolean): void {
    if (isSearch) this.#search = reached;
    else this.#deepest = reached;
  }

  /**
   * Returns the index of the line behind those that were read; for the parameters see {@link read}.
   */
  next(held: KnownLines, isSearch: boolean, isFixed: boolean): number | undefined {
    const reached = isSearch ? this.#search : this.#deepest;
    return reached && indexNow(reached, held, isFixed);
  }
}

function indexNow({ index, newest }: Reached, held: KnownLines, isFixed: boolean): number {
  const came = newest === undefined || isFixed ? 0 : held.linesFrom(shiftPlace(newest, 1));
  return index + 1 + came;
}
