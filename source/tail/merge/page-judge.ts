import type { Place } from '../arena/place.ts';
import { spanAt } from '../arena/spans.ts';
import type { Doubts } from './doubts.ts';
import type { JoinedLines } from './joined-lines.ts';
import type { Offsets } from './offsets.ts';
import type { ReadPage } from './shown-order.ts';
import type { PageLines, PageSight, PlacedPage } from './page-lines.ts';
import type { PageRequest } from './page-request.ts';
import type { WantedPages } from './wanted-pages.ts';

/** Pages in a row that may bring nothing before that counts as a failed attempt. */
const mostIdle = 24;

/**
 * The way to go on after a page that brought no progress. `again`: with another page. `beginning`: the
 * log has nothing before the place. `behind`: the log ends before the place.
 */
type PageVerdict = 'again' | 'beginning' | 'behind';

/** Decides how to go on after a page. */
export class PageJudge<Line> {
  readonly #joined: JoinedLines<Line>;
  readonly #offsets: Offsets<Line>;
  readonly #doubts: Doubts;
  readonly #wanted: WantedPages<Line>;
  readonly #pages: PageLines<Line>;

  constructor(
    joined: JoinedLines<Line>,
    offsets: Offsets<Line>,
    doubts: Doubts,
    wanted: WantedPages<Line>,
    pages: PageLines<Line>,
  ) {
    this.#joined = joined;
    this.#offsets = offsets;
    this.#doubts = doubts;
    this.#wanted = wanted;
    this.#pages = pages;
  }

  /** Returns whether a page ends with the newest lines; else goes on looking for these. */
  head(request: PageRequest, rows: number): boolean {
    if (this.#offsets.order !== 'oldest') return true;
    const range = this.#offsets.rangeOf(request, rows);
    if (rows > 0) {
      if (request.limit > 1 && this.#offsets.endsLog(request, rows)) return true;
      this.#wanted.search.goNewer(range, 0);
    } else if (request.offset === 0) return true;
    else this.#wanted.search.goOlder(range, 0);
    return false;
  }

  /** A page that was requested for an edge has no rows. */
  foundNothing(request: PageRequest): void {
    this.#judge(request, 0, emptySight);
  }

  /** Decides how to go on after a page that was requested for an edge. */
  page(page: ReadPage<Line>, placed: PlacedPage<Line>, edge: Place): void {
    const { request, rows } = page;
    const sight = this.#pages.sight(page, placed, this.#wanted.work);
    const last = placed.instants.at(-1);
    const reachesBelow = placed.instants.length > 1 && last?.start === request.start;
    const isBeginning = this.#offsets.beginsLog(request, rows.length);
    if ((reachesBelow || isBeginning) && this.#wanted.work.isInside) {
      // No page holds the instant whole: it may have more lines.
      this.#joined.giveUpBelow(edge, 'equal');
      if (isBeginning) this.#wanted.beginAt(edge);
      this.#wanted.restart();
      return;
    }
    const from = this.#joined.spans[spanAt(this.#joined.spans, edge)]?.from ?? request.start;
    const isInside = sight.isOneInstant && this.#joined.startBelow(from) === request.start;
    if (from < edge && !isInside) {
      this.#wanted.restart();
      return;
    }
    const { work } = this.#wanted;
    const isNew = placed.change.put.length > 0;
    this.#wanted.work = {
      ...work,
      edge: from,
      isInside: work.isInside || sight.isOneInstant,
      idle: sight.isOneInstant && isNew ? 0 : work.idle,
      sawNewest: work.sawNewest || sight.relation === 'touching',
    };
    const isJoinable =
      reachesBelow && last.hasAllKnown && last.start === this.#joined.startOf(edge);
    this.#judge(request, rows.length, sight, isJoinable);
  }

  /** A page was read for lines in doubt. */
  checked(page: ReadPage<Line>, placed: PlacedPage<Line>): void {
    const { work } = this.#wanted;
    const sight = this.#pages.sight(page, placed, work);
    const { put, drop } = placed.change;
    const { start } = page.request;
    const reached = placed.instants.filter((instant) => instant.start <= start);
    const isCut = reached.length > 0 && !reached.some(({ isWhole }) => isWhole);
    const isTouching = sight.relation === 'touching';
    if (isTouching && (!isCut || work.sawNewest)) {
      if (reached.at(-1)?.mayHaveCopies === true) this.#joined.splitAt(start);
      this.#doubts.noteLook(put.length + drop.length > 0);
    } else {
      // The next page is to hold as much of the instant as it can.
      this.#wanted.work = { ...work, sawNewest: isTouching };
      this.#judge(page.request, page.rows.length, sight);
    }
  }

  #judge(request: PageRequest, rows: number, sight: PageSight, isJoinable = false): void {
    const { edge } = request;
    const verdict = this.#search(request, rows, sight);
    if (request.target === 'check' && verdict !== 'again') {
      this.#doubts.noteLook(false);
      this.#wanted.restart();
    } else if (verdict === 'beginning') {
      this.#wanted.beginAt(edge ?? 0);
      this.#wanted.restart();
    } else if (verdict === 'again') {
      this.#wanted.work = { ...this.#wanted.work, idle: this.#wanted.work.idle + 1 };
      if (this.#wanted.work.idle > mostIdle) this.#wanted.later('unclear');
    } else if (isJoinable && edge !== undefined) {
      // The newest page ends with the instant in which the live lines begin.
      this.#joined.joinBelow(edge);
      this.#doubts.note(this.#joined.startOf(edge), edge);
      this.#wanted.restart();
    } else this.#wanted.later('unanswered');
  }

  /** Narrows the search for the page that makes progress. */
  #search(request: PageRequest, rows: number, sight: PageSight): PageVerdict {
    const { search } = this.#wanted;
    const { relation, distance, newerRows, isOneInstant } = sight;
    const range = this.#offsets.rangeOf(request, rows);
    if (relation === 'empty') {
      if (request.offset === 0) return 'behind';
      const isNewestFirst = this.#offsets.order === 'newest';
      if (isNewestFirst) return search.goNewer(range, request.limit) ? 'again' : 'beginning';
      return search.goOlder(range, request.limit) ? 'again' : 'behind';
    }
    if (relation === 'older') {
      if (this.#offsets.endsLog(request, rows)) return 'behind';
      search.goNewer(range, distance);
      return 'again';
    }
    if (this.#offsets.beginsLog(request, rows)) return 'beginning';
    // An instant larger than a page is read from its newest line to its oldest.
    if (relation === 'newer') search.goOlder(range, distance);
    else search.found(isOneInstant ? range.oldest + 1 : range.newest + newerRows);
    return 'again';
  }
}

const emptySight: PageSight = { relation: 'empty', distance: 0, newerRows: 0, isOneInstant: false };
