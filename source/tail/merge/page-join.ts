import type { LogRow } from '../arena/row.ts';
import type { Doubts } from './doubts.ts';
import type { PageParts } from './past-pages.ts';
import type { Offsets } from './offsets.ts';
import type { ReadPage } from './shown-order.ts';
import { PageJudge } from './page-judge.ts';
import type { PageRequest } from './page-request.ts';

interface JoinParts<Line> extends PageParts<Line> {
  readonly doubts: Doubts;
}

/** Joins pages of history with the known lines. */
export class PageJoin<Line> {
  readonly #parts: JoinParts<Line>;
  readonly #judge: PageJudge<Line>;
  /** The order of the pages that were joined. */
  #order: Offsets<Line>['order'];

  constructor(parts: JoinParts<Line>) {
    const { joined, offsets, doubts, wanted, pages } = parts;
    this.#parts = parts;
    this.#judge = new PageJudge(joined, offsets, doubts, wanted, pages);
  }

  /**
   * Adds a page. Returns true when the service has lines that its open stream has not delivered.
   */
  add(request: PageRequest, raw: readonly LogRow<Line>[]): boolean {
    const { offsets, joined, wanted, places } = this.#parts;
    offsets.note(request, raw.length);
    if (request.limit === 1) {
      this.#judge.head(request, raw.length);
      return false;
    }
    if (joined.note('http', raw)) places.placedAnew();
    const { order } = offsets;
    const rows = offsets.sorted(raw);
    const pages = offsets.learn({ request, rows }, joined.hasNewest(request.newest, rows));
    if (order !== undefined && offsets.order !== order) wanted.forgetIndexes();
    this.#noteOrder();
    const isWhole = offsets.order === undefined;
    const isBehind = pages?.map((page) => this.#join(page, isWhole));
    places.noteDisorder();
    return isBehind?.includes(true) === true;
  }

  /** Joins the rows of a page, oldest first, and decides how to go on. */
  #join(page: ReadPage<Line>, isWhole: boolean): boolean {
    const { offsets, joined, doubts, wanted, pages, places } = this.#parts;
    const { request, rows } = page;
    const { target, edge } = request;
    if (rows.length === 0) {
      if (target !== 'head') this.#judge.foundNothing(request);
      else if (this.#judge.head(request, 0)) wanted.noteHead(request);
      if (request.offset === 0 && joined.spans.length === 0) wanted.isComplete = true;
      return false;
    }
    if (target === 'head' && !this.#judge.head(request, rows.length)) return false;
    if (joined.order === 'text') return this.#joinText(page);
    const placed = pages.place(page, isWhole, wanted.work);
    if (placed === undefined) {
      places.endIds();
      return this.#join(page, isWhole);
    }
    const [oldest, youngest] = placed.ends;
    const newest = joined.newest() ?? youngest;
    const isBehind = wanted.head === 'audit' && target === 'head' && youngest > newest;
    pages.apply(placed, this.#parts.isFlowing() && !isBehind);
    wanted.anchor(pages.newestOf(placed), offsets.rangeOf(request, rows.length).newest);
    doubts.resolve(...placed.shows);
    if (isWhole && edge !== undefined && youngest < joined.startOf(edge)) {
      wanted.later('unanswered');
      return isBehind;
    }
    if (isWhole) wanted.beginAt(oldest);
    if (target === 'head') wanted.noteHead(request);
    else if (target === 'check') this.#judge.checked(page, placed);
    else if (edge !== undefined) this.#judge.page(page, placed, edge);
    return isBehind;
  }

  /** Shows the only page that can be had of a log without ids or instants. */
  #joinText({ request, rows }: ReadPage<Line>): boolean {
    const { joined, wanted } = this.#parts;
    joined.joinText(rows, wanted.isComplete);
    wanted.isComplete = true;
    wanted.noteHead({ connection: wanted.connection });
    if (request.target !== 'head') wanted.abandon('unclear');
    return false;
  }

  /** Pages were joined at wrong ends once another order of pages is found than the one assumed. */
  #noteOrder(): void {
    const { joined, wanted } = this.#parts;
    const { order } = this.#parts.offsets;
    if (order === undefined || order === this.#order) return;
    if (this.#order !== undefined) {
      joined.uncover();
      wanted.readAgain();
    }
    this.#order = order;
  }
}
