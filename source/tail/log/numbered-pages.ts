/** Rules 1 to 4: puts the lines of pages into a log that ids order. */
import type { Place } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import type { Copies } from './copies.ts';
import type { Held } from './held.ts';
import type { LiveLines } from './live-lines.ts';
import type { NumberedPage, Numbering } from './numbering.ts';
import type { SortedPage } from './offsets.ts';
import type { PageFacts } from './page-path.ts';
import type { PageRequest } from './page-request.ts';
import type { Pages } from './pages.ts';
import type { YoungHoles } from './young.ts';

/** When a page was requested, and where it lies. */
interface PageRole {
  /** The page ends with the newest line of the service, if the order of pages is guessed rightly. */
  readonly isLast: boolean;
  /** It does so for certain. */
  readonly isNewest: boolean;
  /** It was requested before the newest known line came. */
  readonly isStale: boolean;
  /** The open stream brings the lines behind all that are known. */
  readonly isFlowing: boolean;
}

interface PlacedPage {
  /** The first and the last place of the page; undefined when nothing tells its numbering. */
  readonly ends: readonly [Place, Place] | undefined;
  /** A new numbering begins in the page. */
  readonly hasBegun: boolean;
}

export class NumberedPages<Line> {
  readonly #held: Held<Line>;
  readonly #pages: Pages<Line>;
  readonly #live: LiveLines<Line>;
  readonly #copies: Copies;
  readonly #numbering: Numbering<Line>;
  readonly #young: YoungHoles;
  /** The newest line, if it was no longer young when the page was requested. */
  #oldEnd: Place | undefined;
  /** The last line that was no longer young when the page was requested. */
  #settledEnd: Place | undefined;
  /** The newest line when the last page at offset 0 was requested. */
  #firstEnd: Place | undefined;
  #isLate = false;

  constructor(
    held: Held<Line>,
    pages: Pages<Line>,
    live: LiveLines<Line>,
    copies: Copies,
    numbering: Numbering<Line>,
    young: YoungHoles,
  ) {
    this.#held = held;
    this.#pages = pages;
    this.#live = live;
    this.#copies = copies;
    this.#numbering = numbering;
    this.#young = young;
  }

  /** Label "lines come late": a page brought a line where all lines were known for some time. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** True when no line came behind the known ones since the last page at offset 0 was requested. */
  get isFirstPageCurrent(): boolean {
    return this.#held.newest === this.#firstEnd;
  }

  /** In a log of several numberings, returns the place of a row whose line is known in one of them. */
  get placeOfKnown(): ((row: LogRow<Line>) => Place | undefined) | undefined {
    const { newest } = this.#numbering;
    if (newest === 0) return undefined;
    return (row) => {
      const places = Array.from({ length: newest + 1 }, (_, epoch) =>
        this.#numbering.placeOf(row.id ?? 0, epoch),
      ).filter((place) => this.#copies.isCertainCopy(this.#held.at(place)?.row, row));
      return places.length === 1 ? places[0] : undefined;
    };
  }

  /** A page is requested. */
  noteRequest(): void {
    const { newest } = this.#held;
    this.#oldEnd = this.#young.isSettled(newest) ? newest : undefined;
    this.#settledEnd = this.#young.settledEnd;
  }

  noteAnswer({ offset, newest }: PageRequest): void {
    if (offset === 0) this.#firstEnd = newest;
  }

  /**
   * Returns whether the newest page ends below lines that came just now and has none that is known: it
   * lags behind the stream, or numbers begin again.
   */
  isUndecided(rows: readonly LogRow<Line>[]): boolean {
    const { newest } = this.#held;
    if (newest === undefined || this.#oldEnd === newest || this.#live.isSuspicious) return false;
    if (this.#pages.isByTime) return false;
    return this.hasNoKnownLine(rows) && this.#placesOf(rows).every((place) => place < newest);
  }

  /** Returns whether a page has no known line, in a log that has some. */
  hasNoKnownLine(rows: readonly LogRow<Line>[]): boolean {
    const isKnown = this.#placesOf(rows).some((place) => this.#held.at(place) !== undefined);
    return this.#held.lines > 0 && !isKnown;
  }

  #placesOf(rows: readonly LogRow<Line>[]): readonly Place[] {
    return rows.map(({ id = 0 }) => this.#numbering.placeOf(id));
  }

  /** Places the rows of a page. `contradicted`: ids tell nothing, and the log is unnumbered. */
  place(page: SortedPage<Line>, role: PageRole): PlacedPage | 'contradicted' {
    const { rows } = page;
    const end = this.#held.newest;
    const numbered = this.#numbering.read(rows, this.#held, this.#copies, this.#factsOf(role));
    if (numbered?.isUnordered === true) this.#pages.listByTime();
    // Nothing tells where numbers begin again in a log that is listed by time.
    if (numbered === undefined || (this.#pages.isByTime && this.#numbering.newest > 0))
      return 'contradicted';
    const hasBegun = numbered.parts.some(({ epoch }) => epoch > this.#numbering.newest);
    // The page has the lower lines of the stream, and the lines that follow go on with it.
    const lower = hasBegun ? this.#live.takeLower() : [];
    if (hasBegun) this.#live.opened();
    else if (role.isNewest) this.#acquit(rows, end);
    const ends = this.#join(page, numbered, role);
    if (hasBegun) this.#live.forgetSuspects();
    if (lower.length > 0) this.#live.add(lower);
    return { ends, hasBegun };
  }

  #factsOf({ isNewest, isStale }: PageRole): PageFacts {
    const { newest } = this.#held;
    const { isSuspicious, isContradicted } = this.#live;
    const isGone = newest !== undefined && newest === this.#oldEnd && !isStale;
    const doubtedEnd = isSuspicious || isGone ? newest : undefined;
    return {
      isByTime: this.#pages.isByTime,
      isNewest,
      isSuspicious,
      // No page shows the end of a log whose lines others contradict.
      doubtedEnd: isContradicted ? Number.POSITIVE_INFINITY : doubtedEnd,
      settledEnd: this.#settledEnd,
    };
  }

  /** The lower lines of the stream came late, unless the newest page lags behind the stream. */
  #acquit(rows: readonly LogRow<Line>[], end: Place | undefined): void {
    const last = this.#numbering.placeOf(rows.at(-1)?.id ?? 0);
    if (end === undefined || last >= end) this.#live.acquit();
  }

  /** Puts the lines of a page, and covers what it shows. */
  #join(
    page: SortedPage<Line>,
    { parts, isUnordered }: NumberedPage<Line>,
    { isLast, isNewest, isFlowing }: PageRole,
  ): readonly [Place, Place] | undefined {
    let before: Place | undefined;
    let lowest: Place | undefined;
    let highest: Place | undefined;
    for (const { epoch, rows } of parts) {
      const placed = this.#begin(epoch, rows);
      const [first, last] = [placed[0]?.place, placed.at(-1)?.place];
      if (first === undefined || last === undefined) continue;
      // Lines behind all that are known are left to the open stream once it has brought some: one with
      // much under way would else never catch up.
      const shown = isFlowing
        ? placed.filter(({ place }) => place <= (this.#held.newest ?? place))
        : placed;
      this.#held.noteSteps(placed, isUnordered);
      // Until the walk from the newest lines has begun, nothing tells what lies behind a page.
      const isListed = this.#pages.isByTime && (isNewest || this.#pages.isListing);
      if (isListed) this.#held.list(shown);
      if (!this.#pages.isByTime) this.#noteLate(shown);
      // Lines that the newest page shows for the first time may have been overtaken by others.
      const range = isLast && !this.#pages.isByTime ? this.#held.holesIn(shown) : undefined;
      if (!this.#pages.isByTime) this.#held.cover(shown);
      this.#young.resolve(first, last);
      if (range !== undefined) this.#young.note(...range);
      if (before !== undefined) this.#held.beginAgainAt(first);
      before = last;
      lowest ??= first;
      highest = last;
    }
    if (lowest === undefined || highest === undefined) return undefined;
    const { newest } = this.#pages.offsets.rangeOf(page.slice, page.rows.length);
    this.#pages.anchor(this.#held, highest, newest);
    return [lowest, highest];
  }

  /** Returns the lines of a part at their places, in a numbering that may begin with them. */
  #begin(epoch: number, rows: readonly PlacedRow<Line>[]): readonly PlacedRow<Line>[] {
    const end = this.#held.newest;
    if (epoch <= this.#numbering.newest || end === undefined) return rows;
    this.#numbering.beginAfter(end, rows[0]?.row.id ?? 0);
    return rows.map(({ row }) => ({ row, place: this.#numbering.placeOf(row.id ?? 0) }));
  }

  #noteLate(rows: readonly PlacedRow<Line>[]): void {
    const isMissed = (place: Place): boolean =>
      this.#held.isCovered(place) && this.#held.at(place) === undefined;
    this.#isLate ||= rows.some(({ place }) => this.#young.isSettled(place) && isMissed(place));
  }
}
