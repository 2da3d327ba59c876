import type { LogRow } from '../arena/row.ts';
import { compareAge } from './page-order.ts';
import type { PageRequest } from './page-request.ts';
import type { OffsetOrder } from './paging.ts';

/** A page, and its rows with the oldest first. */
export interface ReadPage<Line> {
  readonly request: PageRequest;
  readonly rows: readonly LogRow<Line>[];
}

/** The meaning of offsets. `whole`: one page holds the log, so that nothing tells it. */
export interface ProbeResult<Line> {
  readonly order: OffsetOrder | 'whole';
  /** The pages that can be joined, newest first. */
  readonly pages: readonly ReadPage<Line>[];
}

/**
 * Finds out what offsets mean, by the page at 0 and one behind it. A page behind that is older says
 * that offsets count from the newest line. One that is newer may have come by growth: then the page
 * at 0 is read again.
 */
export class OrderProbe<Line> {
  #first: ReadPage<Line> | undefined;
  #second: ReadPage<Line> | undefined;
  /** Offset of the page to compare with the one at 0. */
  #offset = 0;

  restart(): void {
    this.#first = undefined;
    this.#second = undefined;
    this.#offset = 0;
  }

  /** Returns the page to read next; undefined when it is the one at 0, of any size. */
  get next(): { readonly offset: number; readonly limit: number } | undefined {
    if (this.#first === undefined) return undefined;
    const { limit } = this.#first.request;
    return { offset: this.#second === undefined ? this.#offset : 0, limit };
  }

  /** @param isEnd true when the log ends with the page, as far as it was read before. */
  look(page: ReadPage<Line>, isEnd: boolean): ProbeResult<Line> | undefined {
    const { request, rows } = page;
    const first = this.#first;
    const second = this.#second;
    if (first === undefined) {
      if (request.offset > 0) return undefined;
      if (rows.length === 0 || isEnd) return this.#found('whole', [page]);
      this.#first = page;
      this.#offset = rows.length;
      return undefined;
    }
    if (second !== undefined) {
      const age = ageOf(second.rows, rows);
      // The page at 0 overlaps one behind it only where the service drops old lines meanwhile.
      if (age === 'newer' || age === 'overlapping') return this.#found('oldest', []);
      if (age === 'older' || rows.length <= first.rows.length) return this.#found('newest', [page]);
      // The log has grown by now, and the page at 0 holds the other one.
      this.#second = undefined;
      this.#first = page;
      this.#offset = rows.length;
      return undefined;
    }
    if (request.offset !== this.#offset) return undefined;
    if (rows.length === 0) {
      const isWhole = this.#offset === first.rows.length;
      return isWhole ? this.#found('whole', [first]) : this.#found('newest', []);
    }
    const age = ageOf(rows, first.rows);
    if (age === 'newer') this.#second = page;
    else if (age === undefined || age === 'overlapping') this.#offset *= 2;
    else {
      const isNext = this.#offset === first.rows.length;
      return this.#found('newest', isNext ? [first, page] : [first]);
    }
    return undefined;
  }

  #found(order: OffsetOrder | 'whole', pages: readonly ReadPage<Line>[]): ProbeResult<Line> {
    this.restart();
    return { order, pages };
  }
}

/** Returns the age of the first page's lines against the second's; undefined when nothing tells. */
function ageOf(
  rows: readonly LogRow<unknown>[],
  others: readonly LogRow<unknown>[],
): 'older' | 'newer' | 'overlapping' | undefined {
  const oldest = Math.sign(compareAge(rows[0], others[0]) ?? 0);
  const newest = Math.sign(compareAge(rows.at(-1), others.at(-1)) ?? 0);
  if (oldest * newest < 0) return 'overlapping';
  if (oldest + newest === 0) return undefined;
  return oldest + newest > 0 ? 'newer' : 'older';
}
