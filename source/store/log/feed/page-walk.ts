/** Walks through pages of history away from the lines at hand, without storing them. */
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entry, GapEntry } from '../../../tail/arena/entries.ts';
import type { Place } from '../../../tail/arena/place.ts';
import { type LogRow, rowTime, toRow } from '../../../tail/arena/row.ts';
import { type PageSlice, smallPage, within } from '../../../tail/log/page-request.ts';
import { failureOf, type LogPages } from './log-pages.ts';

/** Lines per request. */
export const pastPageSize = 1000;

/** The side of known lines on which a walk reads on. */
export type WalkSide = 'older' | 'newer';

/** The beginning of a walk. */
export interface WalkStart {
  /** Identifies the wanted lines: a walk for the same goes on where the last one stopped. */
  readonly key: string;
  readonly side: WalkSide;
  /** The unread gap whose lines are read; without one, those before the oldest line at hand. */
  readonly gap?: GapEntry<LogLine> | undefined;
  /** The number of the log among several joined ones. */
  readonly member?: number | undefined;
}

type Row = LogRow<LogLine>;

/** The known lines around the path: the one at which it begins, and the one at which it ends. */
export interface WalkEnds {
  readonly side: WalkSide;
  /** Place of the known line beside which it begins. */
  readonly from: Place;
  readonly older?: Entry<LogLine> | undefined;
  readonly newer?: Entry<LogLine> | undefined;
  /** The number of the log among several joined ones. */
  readonly member?: number | undefined;
}

/** The answer to a step: the rows of the page that are not known; no error after an abortion. */
export type WalkAnswer =
  | { readonly ok: true; readonly rows: readonly Row[] }
  | { readonly ok: false; readonly error: ServiceError | undefined };

export class PageWalk {
  readonly #pages: LogPages;
  /** Returns the number of lines that the stream has delivered. */
  readonly #received: () => number;
  readonly ends: WalkEnds;
  /** The next page, which may lie beyond the ends of the log. */
  #slice: PageSlice;
  #isOver = false;
  /** Lines that the stream had delivered when the slice was right. */
  #at: number;
  #last: { readonly slice: PageSlice; readonly lines: readonly LogLine[] } | undefined;
  #lines = 0;
  #reached: number | undefined;

  /** @param slice the first page. */
  constructor(pages: LogPages, received: () => number, ends: WalkEnds, slice: PageSlice) {
    this.#pages = pages;
    this.#received = received;
    this.ends = ends;
    this.#slice = slice;
    this.#at = received();
  }

  get member(): number | undefined {
    return this.ends.member;
  }

  /** True when all lines of the path were read. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Unknown lines read so far. */
  get lines(): number {
    return this.#lines;
  }

  /** Time of the last unknown line, ms since the epoch; undefined while none has one. */
  get reached(): number | undefined {
    return this.#reached;
  }

  /** Reads the next page. After an error, the same page is next. */
  async next(signal: AbortSignal): Promise<WalkAnswer> {
    const { past, closed } = this.#pages;
    const { side } = this.ends;
    for (;;) {
      this.#slice = past.moved(this.#slice, this.#received() - this.#at);
      this.#at = this.#received();
      const slice = within(this.#slice);
      if (slice === undefined) {
        this.#isOver = true;
        return { ok: true, rows: [] };
      }
      const answer = await this.#pages.fetch(slice, signal);
      if (signal.aborted || closed.aborted) return { ok: false, error: undefined };
      if (!answer.ok) {
        const isSmall = failureOf(answer.error) !== 'size' || slice.limit <= smallPage;
        if (isSmall) return { ok: false, error: answer.error };
        this.#slice = { ...slice, limit: smallPage };
        continue;
      }
      const lines = answer.value.lines.map(({ value }) => value);
      const page = past.page(slice, lines.map(toRow));
      this.#last = { slice, lines };
      const { rows, isLast } = this.#unread(page);
      const last = side === 'older' ? rows[0] : rows.at(-1);
      this.#lines += rows.length;
      if (last !== undefined) this.#reached = rowTime(last);
      if (page.length > 0) this.#slice = past.next(slice, page.length, side);
      this.#isOver = isLast || within(this.#slice) === undefined;
      return { ok: true, rows };
    }
  }

  /** Leaves out the lines up to a page that lies so many lines farther back; less than 0 for a newer one. */
  skip(lines: number): void {
    if (lines === 0) return;
    this.#slice = this.#pages.past.shifted(this.#slice, lines);
    this.#isOver = false;
  }

  /** Returns the function that adds the page that was read last to the log. */
  joining(): () => void {
    const last = this.#last;
    return () => {
      if (last !== undefined) this.#pages.join(last.slice, last.lines);
    };
  }

  /** Returns the rows of a page that are not known, and whether it reaches the known ones at the end. */
  #unread(page: readonly Row[]): { readonly rows: readonly Row[]; readonly isLast: boolean } {
    const { side } = this.ends;
    const [older, newer] = [rowOf(this.ends.older), rowOf(this.ends.newer)];
    const start = older === undefined ? -1 : page.findIndex((row) => isSameRow(row, older));
    const isNewer = (row: Row): boolean => newer !== undefined && isSameRow(row, newer);
    // The first page towards older lines ends with some known ones.
    const end = side === 'older' ? page.findLastIndex(isNewer) : page.findIndex(isNewer);
    const isBeyond =
      side === 'older' ? reaches(page[0], older, -1) : reaches(page.at(-1), newer, 1);
    return {
      rows: page.slice(start + 1, end < 0 ? page.length : end),
      isLast: page.length === 0 || isBeyond || (side === 'older' ? start >= 0 : end >= 0),
    };
  }
}

function rowOf(entry: Entry<LogLine> | undefined): Row | undefined {
  return entry?.kind === 'line' ? toRow(entry.line) : undefined;
}

function isSameRow({ id, timestamp, service, text }: Row, other: Row): boolean {
  return (
    id === other.id &&
    (id !== undefined || timestamp === other.timestamp) &&
    service === other.service &&
    text === other.text
  );
}

/** Milliseconds by which one transport of a service may cut off the times of its lines. */
const coarseness = 1000;

/** Returns whether a row lies clearly beyond another one; never when a time is missing. */
function reaches(row: Row | undefined, known: Row | undefined, step: 1 | -1): boolean {
  const time = row && rowTime(row);
  const end = known && rowTime(known);
  if (time === undefined || end === undefined) return false;
  return step * (time - end) > coarseness;
}
