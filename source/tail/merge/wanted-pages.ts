import type { GapReason } from '../arena/gap.ts';
import type { Place } from '../arena/place.ts';
import type { Doubts } from './doubts.ts';
import type { JoinedLines } from './joined-lines.ts';
import { type Offsets, smallPage } from './offsets.ts';
import type { MergeOptions, PageRequest, PageTarget } from './page-request.ts';
import { spanAt } from '../arena/spans.ts';
import { overlapOf, PageSearch } from './page-search.ts';

/** After so many attempts, the meaning of offsets is found out anew. */
const attemptsOfOrder = 4;

/** Spans whose indexes are remembered. */
const maxAnchors = 8;

/** The attempts for the present target since its last progress. */
export interface PageWork {
  readonly target: PageTarget;
  readonly edge: Place | undefined;
  readonly attempt: number;
  /** Answers that brought nothing. */
  readonly idle: number;
  /** True once a page held nothing but lines of the instant at the edge. */
  readonly isInside: boolean;
  /**
   * True once a page held the newest lines of that instant. The next one is to hold as much of it as
   * it can.
   */
  readonly sawNewest: boolean;
}

export const noWork: PageWork = {
  target: 'head',
  edge: undefined,
  attempt: 0,
  idle: 0,
  isInside: false,
  sawNewest: false,
};

/** A line whose index was seen, and the known lines above it then. */
interface Anchor {
  readonly place: Place;
  readonly index: number;
  readonly above: number;
}

/** Decides for what a page is wanted: the newest lines, a gap, older lines, or lines in doubt. */
export class WantedPages<Line> {
  /** Requests may be made: not while the service is away. */
  isAllowed = false;
  /** The service has nothing before the oldest known line. */
  isComplete = false;
  /** `audit`: whether the quiet stream keeps lines back. */
  head: 'known' | 'wanted' | 'audit' = 'known';
  work = noWork;
  /** Connections opened so far. */
  connection = 0;
  readonly search = new PageSearch();
  readonly #joined: JoinedLines<Line>;
  readonly #offsets: Offsets<Line>;
  readonly #doubts: Doubts;
  readonly #patience: number;
  /** Lines of history that are wanted. */
  #history: number;
  #requests = 0;
  /** An anchor for each span, the last one first. */
  #anchors: readonly Anchor[] = [];

  constructor(
    joined: JoinedLines<Line>,
    offsets: Offsets<Line>,
    doubts: Doubts,
    { history, patience }: MergeOptions,
  ) {
    this.#joined = joined;
    this.#offsets = offsets;
    this.#doubts = doubts;
    this.#history = history;
    this.#patience = patience;
  }

  /** Returns the request for the next page; undefined when none is needed. */
  next(isOpen: boolean): PageRequest | undefined {
    const next = this.#target(isOpen);
    if (next === undefined) return undefined;
    const { target, edge } = next;
    if (this.work.target !== target || this.work.edge !== edge) {
      this.work = { ...noWork, target, edge };
      this.search.restart();
    }
    this.#requests += 1;
    const start = this.#startOf(next);
    return {
      number: this.#requests,
      ...this.#plan(target, edge, start),
      attempt: this.work.attempt,
      target,
      edge,
      start,
      connection: this.connection,
      newest: this.#joined.newest(),
      settled: this.#doubts.settled,
    };
  }

  /** A gap lacks the lines before its edge, and a line in doubt is at its edge. */
  #startOf({ target, edge = 0 }: Pick<PageWork, 'target' | 'edge'>): Place {
    return target === 'check' ? this.#joined.startOf(edge) : this.#joined.startBelow(edge);
  }

  /** Returns the page that holds the instant at `start`, or the newest lines. */
  #plan(
    target: PageTarget,
    edge: Place | undefined,
    start: Place,
  ): Pick<PageRequest, 'offset' | 'limit'> {
    const { order, pageSize, probe } = this.#offsets;
    const isSmall = (target === 'head' || target === 'older') && this.work.idle === 0;
    const lines = target === 'head' ? this.#history : this.#missingHistory();
    const wanted = isSmall ? lines + (edge === undefined ? 0 : overlapOf(pageSize)) : pageSize;
    const limit = Math.min(pageSize, Math.max(smallPage, wanted));
    if (target === 'head' && order === 'newest') return { offset: 0, limit };
    if (order === undefined || this.#offsets.isGuess) return { offset: probe, limit };
    if (target === 'head') return this.#planEnd();
    const { log } = this.#joined;
    const above = edge === undefined ? 0 : log.linesFrom(this.#joined.behind(start));
    const index = this.search.index(this.#expectedIndex(above, edge));
    const { sawNewest, isInside } = this.work;
    const newer = Math.min(overlapOf(limit), sawNewest && !isInside ? 1 : limit);
    return { offset: this.#offsets.offsetOf(index, limit, newer), limit };
  }

  /** Returns the page at the end of a log that counts from its oldest line. */
  #planEnd(): Pick<PageRequest, 'offset' | 'limit'> {
    const limit = this.#offsets.pageSize;
    const expected = this.#expectedIndex(0);
    // Far from the end, only the existence of a line counts.
    if (this.search.isFarFrom(limit - overlapOf(limit)))
      return { offset: Math.max(0, -this.search.index(expected)), limit: 1 };
    const index = this.search.newest ?? this.search.index(expected);
    return { offset: this.#offsets.offsetOf(index, limit), limit };
  }

  /** Returns the index at which a known line is expected. */
  indexOf(place: Place): number {
    const { log } = this.#joined;
    return this.#expectedIndex(log.linesFrom(this.#joined.behind(place)), place);
  }

  /**
   * @param above known lines that are newer than the one at the index.
   * @param place where the index is; the anchor is to have no gap to it.
   */
  #expectedIndex(above: number, place?: Place): number {
    const { spans, log } = this.#joined;
    const span = place === undefined ? -1 : spanAt(spans, place);
    const inSpan = this.#anchors.find((each) => spanAt(spans, each.place) === span);
    const anchor = inSpan ?? this.#anchors[0];
    if (anchor === undefined) return this.#offsets.newestIndex + above;
    const isFixed = this.#offsets.order === 'oldest';
    const anchorAbove = isFixed ? log.linesFrom(anchor.place) - 1 : anchor.above;
    return anchor.index + above - anchorAbove;
  }

  /** Remembers the index of the newest line of a page. */
  anchor(place: Place, index: number): void {
    const { spans, log } = this.#joined;
    const span = spanAt(spans, place);
    const others = this.#anchors.filter((each) => spanAt(spans, each.place) !== span);
    const anchor = { place, index, above: log.linesFrom(place) - 1 };
    this.#anchors = [anchor, ...others].slice(0, maxAnchors);
  }

  /** Lines got other places, or offsets another meaning. */
  forgetIndexes(): void {
    this.#anchors = [];
    this.search.restart();
  }

  /** Finds out the meaning of offsets anew. */
  forgetOrder(): void {
    this.#offsets.forget();
    this.forgetIndexes();
  }

  wantHead(head: 'wanted' | 'audit'): void {
    this.head = head;
    this.search.restart();
  }

  /** With a live line at hand, what is missing before it is asked for instead of the newest page. */
  noteLiveLines(): void {
    if (this.head === 'wanted') this.head = 'known';
  }

  noteHead({ connection }: Pick<PageRequest, 'connection'>): void {
    // Only a page that was requested on this connection joins what came before it.
    if (connection === this.connection) this.head = 'known';
    this.search.restart();
  }

  /** Asks for lines before the oldest one. */
  older(lines: number): void {
    this.#history = this.#hadHistory() + lines;
  }

  /** Lines that were just dropped from memory are fetched again only on request. */
  forgetOlder(): void {
    this.#history = 0;
    this.isComplete = false;
  }

  /** The service has nothing before a place: what is missing below is gone. */
  beginAt(place: Place): void {
    this.isComplete = true;
    this.#joined.beginAt(place);
  }

  /** Asks for all lines from the newest on. */
  readAgain(): void {
    this.isComplete = false;
    this.wantHead('wanted');
    this.restart();
  }

  /** A target was reached, or another one comes first. */
  restart(): void {
    this.work = noWork;
    this.search.restart();
  }

  /** Asks again after a while: the service may be behind its own stream, or away. */
  later(why: GapReason): void {
    const attempt = this.work.attempt + 1;
    if (attempt > this.#patience) {
      this.abandon(why);
      return;
    }
    this.work = { ...this.work, attempt, idle: 0 };
    this.search.restart();
    if (attempt % attemptsOfOrder === 0) this.forgetOrder();
  }

  /** Stops asking for a target; a gap stands as missing until it is tried again. */
  abandon(why: GapReason): void {
    const { target, edge } = this.work;
    if (target === 'head') this.head = 'known';
    else if (target === 'older') this.#history = 0;
    else if (target === 'check') this.#doubts.dismiss();
    else if (edge !== undefined) this.#joined.giveUpBelow(edge, why);
    this.restart();
  }

  #target(isOpen: boolean): Pick<PageWork, 'target' | 'edge'> | undefined {
    const { spans } = this.#joined;
    if (this.head === 'wanted') return { target: 'head', edge: undefined };
    const gap = spans.findLast(({ below }) => below?.kind === 'filling');
    if (gap !== undefined) return { target: 'gap', edge: gap.from };
    if (this.#missingHistory() > 0) return { target: 'older', edge: spans[0]?.from };
    const doubt = this.#doubts.next();
    if (doubt !== undefined && isOpen) return { target: 'check', edge: doubt };
    return this.head === 'audit' ? { target: 'head', edge: undefined } : undefined;
  }

  /** Returns the number of lines of history that are wanted and missing. */
  #missingHistory(): number {
    if (this.isComplete || this.#joined.spans.length === 0) return 0;
    return Math.max(0, this.#history - this.#hadHistory());
  }

  #hadHistory(): number {
    const { log, start } = this.#joined;
    return log.lines - (start === undefined ? 0 : log.linesFrom(start));
  }
}
