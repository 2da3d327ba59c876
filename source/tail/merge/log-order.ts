import { defaultLogLimit } from '../../contract/logs.ts';
import type { Place } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import type { JoinedLines } from './joined-lines.ts';
import { OrderProbe, type ProbeResult, type ReadPage } from './order-probe.ts';
import { type RowOrder, rowOrder } from './page-order.ts';
import type { PagePlanner } from './page-planner.ts';
import type { PageRequest } from './page-request.ts';

/**
 * The order of the rows of a page, and of pages. Rows from new to old at offset 0 let offsets count
 * from the newest line; that is a guess until a page behind it has proven it.
 */
export class LogOrder<Line> {
  #mustProve = false;
  /** Offsets were found to count from the newest line once more, after a page had refuted it. */
  #isUpheld = false;
  #wasRefuted = false;
  rows: RowOrder | undefined;
  readonly #probe = new OrderProbe<Line>();
  readonly #joined: JoinedLines<Line>;
  readonly #planner: PagePlanner;

  constructor(joined: JoinedLines<Line>, planner: PagePlanner) {
    this.#joined = joined;
    this.#planner = planner;
  }

  /** Returns the page to read next to find out the order; undefined when any page at 0 will do. */
  get next(): { readonly offset: number; readonly limit: number } | undefined {
    return this.#planner.order === undefined ? this.#probe.next : undefined;
  }

  /** Returns the rows of a page from old to new. */
  sorted(raw: readonly LogRow<Line>[]): readonly LogRow<Line>[] {
    const amongKnown =
      this.#joined.order === 'instant' ? this.#joined.instants.orderOf(raw) : undefined;
    this.rows = rowOrder(raw) ?? this.rows ?? amongKnown;
    return this.rows === 'descending' ? raw.toReversed() : raw;
  }

  /** Returns the pages that can be joined, now that a further one was read. */
  look(page: ReadPage<Line>): ProbeResult<Line> | undefined {
    const { request, rows } = page;
    if (this.#planner.order === undefined && this.rows === 'descending' && !this.#mustProve) {
      this.#probe.look(page, false);
      this.#planner.order = 'newest';
      this.#planner.isGuess = true;
    }
    if (this.#planner.order !== undefined) return { order: this.#planner.order, pages: [page] };
    const found = this.#probe.look(page, this.#isKnownWhole(request, rows));
    if (found === undefined) return undefined;
    if (found.order !== 'whole') this.#planner.order = found.order;
    this.#isUpheld ||= this.#wasRefuted && found.order === 'newest';
    if (found.order === 'oldest') this.#planner.end.restart(rows.length - 1, false);
    return found;
  }

  /**
   * Forgets the order, and returns true, when a page shows that offsets do not count from the newest
   * line: the log begins with it, other lines are said to be newer, and yet it has the newest one.
   *
   * @param youngest place of its newest row.
   */
  isRefuted({ request, rows }: ReadPage<Line>, youngest: Place): boolean {
    const newest = this.#joined.newest();
    if (this.#planner.order !== 'newest' || request.offset === 0 || newest === undefined)
      return false;
    if (this.#isUpheld || !this.#planner.isShort(request, rows.length)) return false;
    if (youngest < this.#joined.startOf(newest)) return false;
    this.#wasRefuted = true;
    this.forget();
    return true;
  }

  /** Begins to find out the order of pages anew, by reading them. */
  forget(): void {
    if (!this.#planner.isGuess) this.#probe.restart();
    this.#planner.isGuess = false;
    this.#mustProve = true;
    this.#planner.forgetOrder();
  }

  /** Returns whether a page is the whole log that was read before: no line behind it is known. */
  #isKnownWhole(request: PageRequest, rows: readonly LogRow<Line>[]): boolean {
    const last = rows.at(-1);
    if (last === undefined || rows.length >= defaultLogLimit) return false;
    const { newest } = request;
    const hasNewest =
      newest === undefined || this.#joined.placeOf(last) >= this.#joined.startOf(newest);
    return hasNewest && this.#planner.endsLog(request, rows.length);
  }
}
