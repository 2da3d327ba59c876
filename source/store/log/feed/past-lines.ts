/** Reads pages of history away from the lines at hand: along a path, at a time, or beside a gap. */
import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogLine } from '../../../contract/logs.ts';
import type { GapEntry } from '../../../tail/arena/entries.ts';
import { type LogRow, rowTime, toRow } from '../../../tail/arena/row.ts';
import { type PageSlice, smallPage } from '../../../tail/log/page-request.ts';
import type { BisectionEnd, TimeBisection } from '../../../tail/log/time-bisection.ts';
import {
  BackSteps,
  firstSince,
  fitsMostly,
  middleTime,
  mostDepth,
  entryRow,
  tellsStepBack,
} from '../../../tail/log/time-walk.ts';
import { failureOf, type LogPages } from './log-pages.ts';
import {
  PageWalk,
  pastPageSize,
  type WalkAnswer,
  type WalkEnds,
  type WalkSide,
  type WalkStart,
} from './page-walk.ts';

/**
 * The result of a search for a time. `unknown`: nothing tells the meaning of the service's offsets.
 * After `found`, `begins` and `refused` the lines around the time, or the oldest ones, are in the log.
 */
export interface PastResult {
  readonly end: BisectionEnd | 'unknown' | 'failed' | 'aborted';
  readonly requests: number;
  /** The error of the last failed request. */
  readonly error: ServiceError | undefined;
  /** The first line at or after the time that a page had. */
  readonly first?: LogLine | undefined;
}

/** The progress of a search for a time. */
export interface PastProgress {
  readonly requests: number;
  /** Time of the oldest line so far that is at or after the wanted time, ms since the epoch. */
  readonly reached: number;
}

export interface PastSearch {
  /** The time to find, ms since the epoch. */
  readonly time: number;
  /** True to read only the page where the lines of the log pass the time. */
  readonly isHint?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PastProgress) => void;
}

/** A search by the service itself. */
export interface HintSearch {
  /** The time before which a line is wanted, ms since the epoch. */
  readonly before: number;
  /** Text for the service to find. */
  readonly text: string;
  /** Returns the wanted ones among some lines. */
  readonly pick: (lines: readonly LogLine[]) => readonly LogLine[];
  readonly signal: AbortSignal;
}

/** Failed requests in a row after which a search ends. */
const maxFailures = 4;

/** Most requests for lines that the service searched, and the rows of a page of them. */
const maxHintRequests = 12;
const hintedRows = 100;

/** Most pages behind the end of a range at which a walk back begins, and the time that is enough. */
const mostMargin = 20;
const marginTime = 2 * 60_000;

/** The lines to read because of a page far back, if any, or the error that ended the search for it. */
export interface ProbeResult {
  readonly lines?: number;
  readonly error?: ServiceError | undefined;
}

/** The end of a bisection, with the last page that had lines. */
interface Bisected {
  readonly end: BisectionEnd | 'failed' | 'aborted';
  readonly error: ServiceError | undefined;
  readonly page: { readonly slice: PageSlice; readonly lines: readonly LogLine[] } | undefined;
}

/** Ends after which the last page is added to the log. */
const joinedEnds: ReadonlySet<Bisected['end']> = new Set(['found', 'begins', 'refused']);

export class PastLines {
  readonly #pages: LogPages;
  readonly #received: () => number;
  /** The walk that was begun last, and the wanted lines. */
  #last: { readonly key: string; readonly walk: PageWalk } | undefined;
  #isReading = false;

  /** @param received returns the number of lines that the stream has delivered. */
  constructor(pages: LogPages, received: () => number) {
    this.#pages = pages;
    this.#received = received;
  }

  get #past() {
    return this.#pages.past;
  }

  /** Returns a walk through pages; undefined when the log has no lines there. */
  walk({ key, side, gap, member }: WalkStart): PageWalk | undefined {
    const ends = this.#endsOf(side, gap);
    if (ends === undefined) return undefined;
    const last = this.#last?.key === key ? this.#last.walk : undefined;
    const goesOn =
      last?.isOver === false &&
      last.ends.side === side &&
      // Lines dropped from memory were searched before they were dropped.
      (gap === undefined ? ends.from >= last.ends.from : ends.from === last.ends.from);
    if (last !== undefined && goesOn) return last;
    const first = this.#past.beside(ends.from, side, pastPageSize);
    const walk = this.#walkFrom({ ...ends, member }, first);
    this.#last = { key, walk };
    return walk;
  }

  #walkFrom(ends: WalkEnds, slice: PageSlice): PageWalk {
    return new PageWalk(this.#pages, this.#received, ends, slice);
  }

  #endsOf(side: WalkSide, gap: GapEntry<LogLine> | undefined): WalkEnds | undefined {
    const { sequence } = this.#pages;
    const oldest = sequence.at(0);
    if (gap === undefined)
      return oldest && { side: 'older', from: oldest.place, older: undefined, newer: oldest };
    const index = sequence.indexOf(gap.seq);
    const [older, newer] = [sequence.at(index - 1), sequence.at(index + 1)];
    if (sequence.at(index)?.kind !== 'gap' || newer?.kind !== 'line') return undefined;
    const near = side === 'older' ? newer : older;
    return near?.kind === 'line' ? { side, from: near.place, older, newer } : undefined;
  }

  /**
   * Reads a page of the lines of an unread gap, before its end or after its start. Resolves to false
   * when no page came, or another one is being read.
   */
  async readBeside(gap: GapEntry<LogLine>, side: WalkSide): Promise<boolean> {
    const ends = this.#endsOf(side, gap);
    if (this.#isReading || ends === undefined) return false;
    this.#isReading = true;
    const walk = this.#walkFrom(ends, this.#past.beside(ends.from, side, pastPageSize));
    const answer = await walk.next(this.#pages.closed);
    this.#isReading = false;
    if (!answer.ok || this.#pages.closed.aborted) return false;
    walk.joining()();
    return true;
  }

  /**
   * Reads the page with the first line at or after a time (rule 6): by bisection over offsets, and by a
   * walk back from there. Resolves to undefined when it can only be a line at hand.
   */
  async readTime(search: PastSearch): Promise<PastResult | undefined> {
    const { sequence, log } = this.#pages;
    const { time, isHint = false } = search;
    const { index, unread } = firstSince(sequence, time, !log.isComplete);
    if (unread === undefined && (log.isComplete || isHint)) return undefined;
    const from = sequence.at(unread ?? 0);
    if (from === undefined) return undefined;
    const bisection = this.#past.search(time, from.place, pastPageSize);
    if (bisection === undefined)
      return unread === undefined ? undefined : { end: 'unknown', requests: 0, error: undefined };
    const beside = this.#past.beside(from.place, 'older', pastPageSize);
    // The lines at hand reach back to the time: only a clock that was set can have put it before.
    if (unread === undefined) return this.#walkBack(beside, search, bisection, Math.max(1, index));
    if (bisection.reached < time) return this.#walkBack(beside, search, bisection);
    const { end, error, page } = await this.#bisect(bisection, search);
    if (page !== undefined && joinedEnds.has(end)) this.#pages.join(page.slice, page.lines);
    if (end !== 'found' || isHint || page === undefined)
      return { end, error, requests: bisection.requests };
    return this.#walkBack(page.slice, search, bisection);
  }

  async #bisect(
    bisection: TimeBisection,
    { signal, onProgress }: Pick<PastSearch, 'signal' | 'onProgress'>,
  ): Promise<Bisected> {
    const start = this.#received();
    let error: ServiceError | undefined;
    let page: Bisected['page'];
    for (;;) {
      const slice = bisection.next(this.#received() - start);
      const { requests, reached, end = 'exhausted' } = bisection;
      if (slice === undefined) return { end, error, page };
      onProgress({ requests, reached });
      const answer = await this.#retried(signal, () => this.#pages.fetch(slice, signal));
      if (this.#isLeft(signal)) return { end: 'aborted', error, page };
      if (answer.ok) {
        const lines = answer.value.lines.map(({ value }) => value);
        bisection.page(slice, this.#past.page(slice, lines.map(toRow)));
        if (lines.length > 0) page = { slice, lines };
        continue;
      }
      ({ error } = answer);
      if (failureOf(error) !== 'size') return { end: 'failed', error, page };
      bisection.refused(slice, smallPage);
    }
  }

  #isLeft(signal: AbortSignal): boolean {
    return signal.aborted || this.#pages.closed.aborted;
  }

  /**
   * Walks back from a page to the first line since a time, and adds its page to the log.
   * @param distance lines to leave out first, which are all before the time.
   */
  async #walkBack(
    slice: PageSlice,
    { time, signal, onProgress }: PastSearch,
    { requests: before, reached }: TimeBisection,
    distance = 0,
  ): Promise<PastResult> {
    const fits = (row: LogRow<LogLine>): boolean => (rowTime(row) ?? 0) >= time;
    const walk = this.#walkFrom({ side: 'older', from: 0 }, slice);
    const steps = new BackSteps(time, distance);
    let requests = before;
    let first: LogLine | undefined;
    let join = (): void => {};
    while (!steps.isOver) {
      walk.skip(steps.distance);
      if (walk.isOver) break;
      onProgress({ requests, reached });
      const answer = await this.#read(walk, signal, () => (requests += 1));
      if (!answer.ok) {
        const { error } = answer;
        return { end: error === undefined ? 'aborted' : 'failed', error, requests };
      }
      const row = steps.page(answer.rows) ? answer.rows.find(fits) : undefined;
      if (row !== undefined) [first, join] = [row.line, walk.joining()];
    }
    join();
    return { end: 'found', error: undefined, requests, first };
  }

  /** Reads the next page of a walk. A refused one has no lines. */
  async #read(walk: PageWalk, signal: AbortSignal, onRequest = () => {}): Promise<WalkAnswer> {
    const answer = await this.#retried(signal, () => {
      onRequest();
      return walk.next(signal);
    });
    if (this.#isLeft(signal)) return { ok: false, error: undefined };
    const error = errorOf(answer);
    const isRefused = error !== undefined && failureOf(error) === 'size';
    return isRefused ? { ok: true, rows: [] } : answer;
  }

  /** Requests again after failures that may pass. */
  async #retried<Answer extends Answered>(
    signal: AbortSignal,
    request: () => Promise<Answer>,
  ): Promise<Answer> {
    for (let failures = 1; ; failures += 1) {
      const answer = await request();
      const error = errorOf(answer);
      const isOver = error === undefined || failureOf(error) !== 'passing';
      if (isOver || failures >= maxFailures || this.#isLeft(signal)) return answer;
      await this.#pages.pause(failures, error, signal);
    }
  }

  /**
   * Resolves to the time of a wanted line that the service's own search finds. Nearer ones may exist, since
   * that search has rules of its own; undefined when it finds none.
   */
  async hintedTime({ before, text, pick, signal }: HintSearch): Promise<number | undefined> {
    const bisection = this.#past.hintSearch(before, hintedRows);
    if (bisection === undefined) return undefined;
    let nearest: number | undefined;
    let offset: number | undefined;
    for (let count = 0; count < maxHintRequests; count += 1) {
      const slice = bisection.next();
      // The same page again is the one nearest to the time.
      if (slice === undefined || slice.offset === offset) break;
      ({ offset } = slice);
      const answer = await this.#pages.fetch(slice, signal, text);
      if (!answer.ok || signal.aborted) return undefined;
      const lines = answer.value.lines.map(({ value }) => value);
      for (const line of pick(lines)) {
        const time = rowTime(toRow(line));
        if (time !== undefined && time < before) nearest = Math.max(time, nearest ?? time);
      }
      bisection.page(slice, this.#past.sorted(lines.map(toRow)));
    }
    return nearest;
  }

  /**
   * Looks at pages at doubling distances before the oldest loaded line, for one whose lines are since a time or
   * tell that a clock was set. Resolves to the number of lines up to there, or to the error that ended it.
   * @param known lines at the beginning of the log which are before the time.
   */
  async probe(time: number, known: number): Promise<ProbeResult> {
    const { sequence, log, closed } = this.#pages;
    const oldest = sequence.at(0);
    if (oldest === undefined) return {};
    const start = this.#past.beside(oldest.place, 'older', log.pages.offsets.pageSize);
    const walk = this.#walkFrom({ side: 'older', from: oldest.place }, start);
    const steps = new BackSteps(time, Math.max(start.limit, known));
    steps.noteNearer(sequence.slice(0, start.limit).map(entryRow));
    for (let lines = start.limit; !steps.isOver; ) {
      walk.skip(steps.distance);
      lines += steps.distance;
      const answer = await this.#read(walk, closed);
      if (!answer.ok) return { error: answer.error };
      lines += answer.rows.length;
      if (steps.page(answer.rows) || !steps.isDone) return { lines };
    }
    return {};
  }

  /**
   * Reads a page that lies behind the end of a range of times, so that a walk back from there has all lines
   * of the range: two minutes behind it, and behind the lines of services whose clocks are behind.
   */
  async readEnd(until: number): Promise<void> {
    const { sequence, log, closed } = this.#pages;
    const oldest = sequence.at(0);
    // Lines without ids can't be told from those of another page.
    const isById = log.isById;
    const search = isById && oldest && this.#past.search(until, oldest.place, pastPageSize);
    if (search === false || search === undefined || search.reached < until + marginTime) return;
    const none = () => {};
    const { end, page } = await this.#bisect(search, { signal: closed, onProgress: none });
    if (page === undefined || end !== 'found') return;
    const rows = this.#past.sorted(page.lines.map(toRow));
    const half = rows.length >> 1;
    // The middle times of its halves don't depend on the clocks of services.
    const [first, last] = [middleOf(rows.slice(0, half)), middleOf(rows.slice(half))];
    const span = 2 * Math.max(1, (last ?? until) - (first ?? until));
    const pages = Math.max(2, Math.min(mostMargin, Math.ceil(marginTime / span)));
    await this.#joinBehind(page.slice, until, pages * rows.length);
  }

  /**
   * Looks at pages at doubling distances behind one that holds a time, and at the newest lines at hand. Joins
   * the page at the first of these distances behind the newest one that has lines before the time; none where
   * the log has none there.
   */
  async #joinBehind(holding: PageSlice, until: number, margin: number): Promise<void> {
    const { sequence, closed } = this.#pages;
    const walk = this.#walkFrom({ side: 'newer', from: 0 }, holding);
    let join: (() => void) | undefined;
    let before: number | undefined;
    for (let distance = margin; ; distance *= 2) {
      walk.skip(-distance);
      const answer = await this.#read(walk, closed);
      if (!answer.ok) break;
      const isBehind = answer.rows.length === 0;
      const rows = isBehind
        ? sequence.slice(Math.max(0, sequence.length - pastPageSize), sequence.length).map(entryRow)
        : answer.rows;
      const middle = middleOf(rows);
      const isFit = fitsMostly(rows, (time) => time < until && time > until - mostDepth);
      // Its lines may be before the time, or those between.
      if (isFit || tellsStepBack(before, middle)) [join, distance] = [undefined, margin / 2];
      else if (!isBehind) join ??= walk.joining();
      if (isBehind) break;
      before = middle ?? before;
    }
    join?.();
  }
}

type Answered =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: ServiceError | undefined };

function errorOf(answer: Answered): ServiceError | undefined {
  return answer.ok ? undefined : answer.error;
}

function middleOf(rows: readonly LogRow<LogLine>[]): number | undefined {
  return middleTime(rows.map(rowTime));
}
