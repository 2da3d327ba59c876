import type { Place } from '../arena/place.ts';
import { spanAt } from './coverage.ts';
import type { Doubts } from './doubts.ts';
import type { JoinedLines } from './joined-lines.ts';
import type { LogOrder } from './log-order.ts';
import type { ReadPage } from './order-probe.ts';
import type { PageLines, PlacedPage } from './page-lines.ts';
import type { PagePlanner, PageSight } from './page-planner.ts';
import type { PageRequest } from './page-request.ts';
import { overlapOf } from './paging.ts';
import type { WantedPages } from './wanted-pages.ts';

/** Pages in a row that may bring nothing before that counts as a failed attempt. */
const mostIdle = 24;

/** Decides how to go on after a page. */
export class PageJudge<Line> {
  readonly #joined: JoinedLines<Line>;
  readonly #planner: PagePlanner;
  readonly #order: LogOrder<Line>;
  readonly #doubts: Doubts;
  readonly #wanted: WantedPages<Line>;
  readonly #pages: PageLines<Line>;

  constructor(
    joined: JoinedLines<Line>,
    planner: PagePlanner,
    order: LogOrder<Line>,
    doubts: Doubts,
    wanted: WantedPages<Line>,
    pages: PageLines<Line>,
  ) {
    this.#joined = joined;
    this.#planner = planner;
    this.#order = order;
    this.#doubts = doubts;
    this.#wanted = wanted;
    this.#pages = pages;
  }

  /** A page that was requested for an edge has no rows. */
  foundNothing(request: PageRequest): void {
    this.#judge(request, 0, emptySight);
  }

  /** Decides how to go on after a page that was requested for an edge. */
  page(page: ReadPage<Line>, placed: PlacedPage<Line>, edge: Place): void {
    const { request, rows } = page;
    const sight = this.#pages.sight(page, placed, this.#wanted.work);
    const last = placed.buckets.at(-1);
    const reachesBelow = placed.buckets.length > 1 && last?.start === this.#joined.startOf(edge);
    if (reachesBelow && this.#wanted.work.isInside) {
      // No page holds the instant whole: it may have more lines.
      this.#joined.joinBelow(edge);
      this.#joined.split(placed.ends[1]);
    }
    const span = this.#joined.spans[spanAt(this.#joined.spans, edge)];
    if (span === undefined || span.from < edge) {
      if (request.offset > 0) this.#planner.isGuess = false;
      this.#wanted.restart();
      return;
    }
    if (sight.isOneInstant) {
      const isNew = placed.change.put.length > 0;
      this.#wanted.work = {
        ...this.#wanted.work,
        isInside: true,
        idle: isNew ? 0 : this.#wanted.work.idle,
      };
    }
    if (sight.relation === 'touching')
      this.#wanted.work = { ...this.#wanted.work, sawNewest: true };
    this.#judge(request, rows.length, sight, reachesBelow && last.hasAllKnown);
  }

  #judge(request: PageRequest, rows: number, sight: PageSight, isJoinable = false): void {
    const { edge } = request;
    if (this.#planner.isGuess) {
      this.#order.forget();
      return;
    }
    const verdict = this.#planner.judge(request, rows, sight);
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

  /** A page was read for lines in doubt. */
  checked(page: ReadPage<Line>, placed: PlacedPage<Line>): void {
    const sight = this.#pages.sight(page, placed, this.#wanted.work);
    const { put, drop } = placed.change;
    const start = this.#joined.startOf(page.request.edge ?? 0);
    const reached = placed.buckets.filter((bucket) => bucket.start <= start);
    // Further back is a page with all of an instant.
    const isCut =
      reached.length > 0 &&
      !reached.some(({ isWhole }) => isWhole) &&
      sight.newerRows > 2 * overlapOf(page.request.limit);
    if (sight.relation === 'touching' && !isCut)
      this.#doubts.noteLook(put.length + drop.length > 0);
    else this.#judge(page.request, page.rows.length, sight);
  }
}

const emptySight: PageSight = {
  relation: 'empty',
  distance: 0,
  newerRows: 0,
  isOneInstant: false,
};
