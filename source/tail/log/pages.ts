/** Decides what to ask the service for next, and where in its listing that is. */
import { type Place, shiftPlace } from '../arena/place.ts';
import { type LogRow, rowKey, rowTime } from '../arena/row.ts';
import { spanAt, type Spans } from '../arena/spans.ts';
import { type ListedPage, ListingWalk } from './listing-walk.ts';
import { joined } from './alignment.ts';
import { EndSearch } from './end-search.ts';
import { Offsets, type SortedPage } from './offsets.ts';
import {
  type FailureKind,
  type LogOptions,
  joiningOverlapOf,
  overlapOf,
  type PageRequest,
  type PageTarget,
  type PageSlice,
  smallPage,
} from './page-request.ts';
import { PageSearch } from './page-search.ts';

/** Attempts after which the meaning of offsets is found out anew. */
const attemptsOfOrder = 4;

/** Spans whose offsets are remembered. */
const maxAnchors = 8;

/** Pages in a row that may bring nothing before that counts as a failed attempt. */
const mostIdle = 24;

/** The share of a distance in rows that is trusted: ids may lie closer elsewhere. */
const trust = 0.9;

/** The known lines, as the plans need them. */
export interface HeldLines {
  readonly spans: Spans;
  readonly newest: Place | undefined;
  /** Lines of history at hand. */
  readonly historyLines: number;
  /** Returns the number of lines at or behind a place. */
  linesFrom(place: Place): number;
}

/** The newest pages of an unnumbered log, as far as they were read. */
export interface NewestPages {
  /** Rows that were read; the page before them follows. */
  readonly depth: number;
  /** Live lines, before which others are looked for. */
  readonly ahead: number;
}

/** The attempts for the present target since its last progress. */
interface Work {
  readonly target: PageTarget;
  readonly edge: Place | undefined;
  readonly attempt: number;
  /** Answers that brought nothing. */
  readonly idle: number;
  /** True when the page behind the last one is wanted, which may be empty. */
  readonly isBehind: boolean;
}

const noWork: Work = { target: 'head', edge: undefined, attempt: 0, idle: 0, isBehind: false };

/** A line whose index was seen, and the known lines above it then. */
interface Anchor {
  readonly place: Place;
  readonly index: number;
  readonly above: number;
}

/** The relation of a page to the place that it was requested for. */
export interface EdgeSight {
  /** All rows are older or newer than the place, or they reach it. */
  readonly relation: 'empty' | 'older' | 'newer' | 'touching';
  /** About so many rows lie between the page and the place. */
  readonly distance: number;
}

/**
 * The way to go on after a page. `beginning`: the log has nothing before the place. `behind`: the
 * service has no line at the place yet. `refused`: it gives no pages that far back.
 */
export type PageVerdict = 'again' | 'beginning' | 'behind' | 'refused';

export class Pages<Line> {
  readonly offsets: Offsets<Line>;
  readonly #patience: number;
  readonly #search = new PageSearch();
  readonly end = new EndSearch();
  readonly #isOnce: boolean;
  #isAllowed = false;
  #isComplete = false;
  #head: 'known' | 'wanted' | 'audit' = 'known';
  #work = noWork;
  #connection = 0;
  /** Lines of history that are wanted. */
  #history: number;
  #requests = 0;
  #anchors: readonly Anchor[] = [];
  /** The page before those of the newest lines that were read last. */
  #deeper: PageSlice | undefined;
  /** A page that seems to end the log, until the one behind it tells. */
  #near: SortedPage<Line> | undefined;
  /** In a log that is listed by time. */
  #listing: ListingWalk | undefined;
  /** True once a page lay behind the place it was requested for: pages share more rows from then on. */
  #hasMissed = false;
  /** The last page, and the times that it came again farther back. */
  #lastPage:
    | (Pick<PageRequest, 'offset' | 'newest'> & {
        readonly row: string;
        readonly rows: number;
        readonly times: number;
      })
    | undefined;

  constructor({ history, pageSize, patience, isOnce = false }: LogOptions) {
    this.offsets = new Offsets(pageSize);
    this.#isOnce = isOnce;
    this.#history = history;
    this.#patience = patience;
  }

  /** Requests may be made: not while the service is away. */
  get isAllowed(): boolean {
    return this.#isAllowed;
  }

  /** The service has nothing before the oldest known line. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get connection(): number {
    return this.#connection;
  }

  get isAuditing(): boolean {
    return this.#head === 'audit';
  }

  get isHeadKnown(): boolean {
    return this.#head === 'known';
  }

  opened(): void {
    this.#connection += 1;
  }

  /** The service is away, or back. */
  allow(isAllowed: boolean): void {
    this.#isAllowed = isAllowed;
  }

  /** Asks for the newest lines. `audit`: whether they hold more than the open stream brought. */
  wantHead(head: 'wanted' | 'audit'): void {
    // The search for the newest lines goes on while the stream brings others.
    if (this.#head === 'wanted') return;
    this.#head = head;
    this.#restartSearch();
  }

  /** The log is listed by time: the places of lines don't tell where they are. */
  listByTime(): void {
    if (this.#listing !== undefined) return;
    this.#listing = new ListingWalk();
    this.wantHead('wanted');
  }

  get isByTime(): boolean {
    return this.#listing !== undefined;
  }

  /** True in a log that is listed by time once its newest lines were read. */
  get isListing(): boolean {
    return this.#listing?.hasBegun === true;
  }

  /** True when the last page of a log that is listed by time had no line behind those before. */
  get isListingAtEnd(): boolean {
    return this.#listing?.isAtEnd === true;
  }

  /** Notes a page of a log that is listed by time. Returns true when missing lines were looked for. */
  noteListed(held: HeldLines, target: PageTarget, page: ListedPage, beginsWalk: boolean): boolean {
    const isFixed = this.offsets.order === 'oldest';
    if (beginsWalk) this.#listing?.begin(held, page);
    else if (target !== 'head') this.#listing?.read(held, page, target !== 'older', isFixed);
    // Pages no longer join each other: the walk begins anew.
    if (this.#listing?.hasBegun === false) this.wantHead('wanted');
    this.#work = { ...this.#work, attempt: 0 };
    return target === 'gap' && this.#listing?.isDone === true;
  }

  /** With a live line at hand, what is missing before it is asked for instead of the newest page. */
  noteLiveLines(): void {
    if (this.#head === 'wanted' && this.#listing === undefined) this.#head = 'known';
  }

  /** Asks for lines before the oldest one. */
  older(held: HeldLines, lines: number): void {
    this.#history = held.historyLines + lines;
  }

  /**
   * Lines before a place leave memory; with `after`, only those behind that line. They are fetched again
   * only on request.
   */
  forget(held: HeldLines, place: Place, after: Place | undefined): void {
    this.#history = 0;
    if (after === undefined) this.#isComplete = false;
    else this.#anchorUnder(held, after);
    const span = spanAt(held.spans, place);
    const above = held.linesFrom(place) - 1;
    const dropped = after === undefined ? 0 : held.linesFrom(shiftPlace(after, 1)) - above - 1;
    this.#anchors = this.#anchors.flatMap((anchor): readonly Anchor[] => {
      if (anchor.place >= place) return [anchor];
      // Lines that are no longer held still count between such an anchor and the newest line.
      if (after !== undefined && anchor.place <= after)
        return [{ ...anchor, above: anchor.above - dropped }];
      const isJoined = span >= 0 && spanAt(held.spans, anchor.place) === span;
      return isJoined ? [{ place, index: this.#indexBy(anchor, held, above), above }] : [];
    });
  }

  /** Remembers the index of a line, behind which others leave memory. */
  #anchorUnder(held: HeldLines, place: Place): void {
    const span = spanAt(held.spans, place);
    const isAnchored = this.#anchors.some(
      (anchor) => anchor.place <= place && spanAt(held.spans, anchor.place) === span,
    );
    if (isAnchored || (this.#anchors.length === 0 && this.offsets.order !== 'newest')) return;
    const above = held.linesFrom(place) - 1;
    const index = this.#expectedIndex(held, above, place);
    this.#anchors = [...this.#anchors, { place, index, above }].slice(0, maxAnchors);
  }

  /** The service has nothing before the oldest known line. */
  complete(): void {
    this.#isComplete = true;
  }

  /** The log was empty, and may have got lines since. */
  reopen(): void {
    this.#isComplete = false;
  }

  /**
   * Asks for all lines anew: what is known of offsets no longer holds.
   * @param rows true where the order of rows in a page does not hold, either.
   */
  forgetOrder(rows: boolean): void {
    this.#isComplete = false;
    this.offsets.forget(rows);
    this.forgetPlaces();
  }

  /** Lines got other places, or offsets another meaning. */
  forgetPlaces(): void {
    this.#anchors = [];
    this.#restartSearch();
    if (this.#listing === undefined) return;
    this.#listing = new ListingWalk();
    this.wantHead('wanted');
  }

  /** Takes the other end of the listing for the newest lines. */
  turn(): void {
    this.offsets.turn();
    this.forgetPlaces();
  }

  #restartSearch(): void {
    this.#search.restart();
    this.end.restart();
  }

  /** A target was reached, or another one comes first. */
  restart(): void {
    this.#work = noWork;
    this.#lastPage = undefined;
    this.#restartSearch();
  }

  /**
   * Returns the request for the next page; undefined when none is needed.
   * @param check the place of young holes, to be read once more.
   * @param unnumbered in an unnumbered log, the state of its newest pages.
   * @param now the present time, ms since the epoch, if known.
   */
  next(
    held: HeldLines,
    check: Place | undefined,
    unnumbered?: NewestPages,
    now?: number,
  ): PageRequest | undefined {
    const next = this.#target(held, check, unnumbered !== undefined);
    if (next === undefined) return undefined;
    const { target, edge } = next;
    if (this.#work.target !== target || this.#work.edge !== edge) {
      this.restart();
      this.#work = { ...noWork, target, edge };
    }
    this.#requests += 1;
    return {
      number: this.#requests,
      ...this.#plan(held, { target, edge }, unnumbered, now),
      attempt: this.#work.attempt,
      target,
      edge,
      connection: this.#connection,
      newest: held.newest,
    };
  }

  #target(
    held: HeldLines,
    check: Place | undefined,
    isUnnumbered: boolean,
  ): Pick<Work, 'target' | 'edge'> | undefined {
    const { spans } = held;
    if (this.#head === 'wanted') return { target: 'head', edge: undefined };
    const gap = spans.findLast(({ below }) => below?.kind === 'filling');
    if (gap !== undefined && !isUnnumbered) return { target: 'gap', edge: gap.from };
    if (this.#head === 'audit') return { target: 'head', edge: undefined };
    if (this.#missingHistory(held) > 0) return { target: 'older', edge: spans[0]?.from };
    return check === undefined ? undefined : { target: 'check', edge: check };
  }

  /** Returns the number of lines of history that are wanted and missing. */
  #missingHistory(held: HeldLines): number {
    if (this.#isComplete || held.spans.length === 0) return 0;
    return Math.max(0, this.#history - held.historyLines);
  }

  #plan(
    held: HeldLines,
    { target, edge }: Pick<Work, 'target' | 'edge'>,
    unnumbered: NewestPages | undefined,
    now: number | undefined,
  ): PageSlice {
    const { order, isGuess, pageSize } = this.offsets;
    const isSmall = (target === 'head' || target === 'older') && this.#work.idle === 0;
    const lines = target === 'head' ? this.#history : this.#missingHistory(held);
    const wanted = isSmall ? lines + (edge === undefined ? 0 : overlapOf(pageSize)) : pageSize;
    const limit = Math.min(pageSize, Math.max(smallPage, wanted));
    if (order === undefined || isGuess) {
      const probe = this.offsets.probe;
      const isHead = target === 'head' && this.offsets.isGuessTrusted && unnumbered === undefined;
      const offset = isHead ? 0 : probe.offset;
      return { offset, limit: Math.min(limit, probe.limit) };
    }
    if (target === 'head' && unnumbered !== undefined && unnumbered.depth > 0)
      if (this.#deeper !== undefined) return this.#deeper;
    if (target === 'head' && order === 'newest') {
      // A page that begins before the live lines joins them; each attempt looks a page further up.
      const ahead = (unnumbered?.ahead ?? 0) - (limit >> 1) * (this.#work.attempt + 1);
      return { offset: Math.max(0, ahead), limit };
    }
    if (target === 'head') return this.#planEnd(held, now, unnumbered?.ahead ?? 0);
    const walked = this.#listing?.next(held, target === 'gap', order === 'oldest');
    if (walked !== undefined) {
      const newer = this.#listing?.isAtEnd === true ? 0 : overlapOf(limit);
      return { offset: this.offsets.offsetOf(walked, limit, newer), limit };
    }
    const above = edge === undefined ? 0 : held.linesFrom(shiftPlace(edge, 1));
    const expected = this.#search.index(this.#expectedIndex(held, above, edge));
    // Nothing tells on which side of an unnumbered page the known lines are: both are looked at.
    const { attempt } = this.#work;
    const aside = Math.ceil(attempt / 2) * (limit >> 1) * (attempt % 2 === 0 ? 1 : -1);
    const index =
      unnumbered === undefined ? expected : Math.max(this.offsets.newestIndex, expected + aside);
    const rows = Math.min(limit, this.offsets.mostRows);
    // One row joins pages: that of the place itself.
    const least = this.#hasMissed ? overlapOf(limit) : 0;
    const overlap = unnumbered === undefined ? least : joiningOverlapOf(rows);
    const newer = this.#work.isBehind ? 0 : overlap;
    return { offset: this.offsets.offsetOf(index, limit, newer), limit };
  }

  /**
   * Returns the page at the end of a log that counts from its oldest line.
   * @param ahead live lines before which the page is to begin.
   */
  #planEnd(held: HeldLines, now: number | undefined, ahead: number): PageSlice {
    const limit = this.offsets.pageSize;
    const index = this.#expectedIndex(held, Math.max(0, ahead - (limit >> 1)));
    return this.end.next(this.offsets.offsetOf(index, limit), limit, now);
  }

  /** Returns the index at which a known line is expected. */
  indexOf(held: HeldLines, place: Place): number {
    return this.#expectedIndex(held, held.linesFrom(shiftPlace(place, 1)), place);
  }

  /**
   * @param above known lines that are newer than the one at the index.
   * @param place where the index is; the anchor is to have no gap to it.
   */
  #expectedIndex(held: HeldLines, above: number, place?: Place): number {
    const span = place === undefined ? -1 : spanAt(held.spans, place);
    const inSpan = this.#anchors.find((each) => spanAt(held.spans, each.place) === span);
    const anchor = inSpan ?? this.#anchors[0];
    if (anchor === undefined) return this.offsets.newestIndex + above;
    return this.#indexBy(anchor, held, above);
  }

  #indexBy(anchor: Anchor, held: HeldLines, above: number): number {
    const isFixed = this.offsets.order === 'oldest';
    return anchor.index + above - (isFixed ? held.linesFrom(anchor.place) - 1 : anchor.above);
  }

  /** Remembers the index of a line. */
  anchor(held: HeldLines, place: Place, index: number): void {
    const span = spanAt(held.spans, place);
    const others = this.#anchors.filter((each) => spanAt(held.spans, each.place) !== span);
    const anchor = { place, index, above: held.linesFrom(place) - 1 };
    this.#anchors = [anchor, ...others].slice(0, maxAnchors);
  }

  /**
   * Returns the page at the end of a log that counts from its oldest line, with the one before that
   * seemed to end it; undefined while the end is looked for.
   */
  withNear(
    request: PageRequest,
    page: SortedPage<Line>,
    isUnnumbered: boolean,
  ): SortedPage<Line> | undefined {
    if (request.target !== 'head' || this.offsets.order !== 'oldest') return page;
    const near = this.#near;
    this.#near = undefined;
    const overlap = isUnnumbered ? joiningOverlapOf(page.rows.length) : 0;
    const head = this.end.page(request, page.rows.map(rowTime), overlap);
    if (head === 'near') this.#near = page;
    if (head !== 'end') return undefined;
    if (near === undefined) return page;
    const rows = isUnnumbered ? joined(near.rows, page.rows) : inTurn(near.rows, page.rows);
    return rows === undefined ? page : { slice: near.slice, rows };
  }

  /** Wants the page before one of the newest lines. Returns false when there is none. */
  wantDeeper({ offset, limit }: PageSlice, rows: number): boolean {
    const overlap = joiningOverlapOf(rows);
    const isOldest = this.offsets.order === 'oldest';
    const next = isOldest ? Math.max(0, offset - limit + overlap) : offset + rows - overlap;
    const isLast = rows === 0 || next === offset;
    this.#deeper = isLast ? undefined : { offset: next, limit };
    if (this.#head === 'known') this.#head = 'wanted';
    return !isLast;
  }

  /** The newest lines are known, if the page was requested on this connection. */
  noteHead({ connection }: Pick<PageRequest, 'connection'>): void {
    if (connection === this.#connection) this.#head = 'known';
    this.#restartSearch();
  }

  /** Narrows the search for the page that makes progress. */
  judge(
    held: HeldLines,
    request: PageRequest,
    page: SortedPage<Line>,
    { relation, distance }: EdgeSight,
  ): PageVerdict {
    const { rows } = page;
    const range = this.offsets.rangeOf(request, rows.length);
    const isNewestFirst = this.offsets.order !== 'oldest';
    this.#work = { ...this.#work, idle: this.#work.idle + 1, isBehind: false };
    if (relation === 'empty') {
      if (request.offset === 0) return 'behind';
      if (isNewestFirst) return this.#search.goNewer(range, request.limit) ? 'again' : 'beginning';
      return this.#search.goOlder(range, request.limit) ? 'again' : 'behind';
    }
    if (relation === 'older') {
      this.#hasMissed = true;
      if (this.offsets.endsLog(request, rows.length, request.newest)) return 'behind';
      this.#search.goNewer(range, distance);
      return 'again';
    }
    if (this.#isSameAgain(held, request, rows)) return 'beginning';
    if (this.offsets.beginsLog(request, rows.length, request.newest)) return 'beginning';
    const isFar = relation === 'newer' && this.#search.goOlder(range, distance);
    if (!isFar || this.#search.width <= 2 * overlapOf(request.limit) + 2) {
      // The next page lies directly behind this one, and may be empty.
      this.#search.follow(range);
      this.#work = { ...this.#work, isBehind: true };
    }
    if (isNewestFirst && this.offsets.isRefused(range.oldest + 1)) return 'refused';
    return 'again';
  }

  /**
   * Returns whether a page farther back, also with the lines that came since, is the one before for the
   * second time: the service has nothing behind it.
   */
  #isSameAgain(held: HeldLines, request: PageRequest, rows: readonly LogRow<Line>[]): boolean {
    const [first] = rows;
    const before = this.#lastPage;
    if (first === undefined || this.offsets.order === 'oldest') return false;
    const row = rowKey(first);
    const { newest, offset } = request;
    const since = (place: Place | undefined): number =>
      place === undefined ? 0 : held.linesFrom(place);
    const isBehind =
      before !== undefined && offset - before.offset > since(before.newest) - since(newest);
    const isSame = isBehind && row === before.row && rows.length >= before.rows;
    const times = isSame ? before.times + 1 : 0;
    this.#lastPage = { offset, newest, row, rows: rows.length, times };
    return times > 1;
  }

  /** True when the page that was requested last lies directly behind the known lines. */
  get isBehind(): boolean {
    return this.#work.isBehind;
  }

  get isIdle(): boolean {
    return this.#work.idle > mostIdle;
  }

  /**
   * Asks again after a while: the service may be behind its own stream, or away. Returns the target
   * that is given up instead after many attempts.
   */
  later(isOrderCertain = false): Pick<Work, 'target' | 'edge'> | undefined {
    const attempt = this.#work.attempt + 1;
    const { target, edge } = this.#work;
    if (attempt > this.#patience) {
      this.abandon();
      return { target, edge };
    }
    this.#work = { ...this.#work, attempt, idle: 0 };
    this.#restartSearch();
    if (attempt % attemptsOfOrder === 0 && !isOrderCertain) {
      this.offsets.forget();
      this.#anchors = [];
    }
    return undefined;
  }

  /** Stops asking for a target. Returns it. */
  abandon(): Pick<Work, 'target' | 'edge'> {
    const { target, edge } = this.#work;
    if (target === 'head') this.#head = 'known';
    else if (target === 'older') this.#history = 0;
    this.restart();
    return { target, edge };
  }

  /** A request was refused or failed for its size. Returns false when nothing smaller is left. */
  refused(request: PageRequest, why: FailureKind): boolean {
    return why === 'size' && this.offsets.refuse(request);
  }

  /**
   * A service that lists its oldest line first refused an offset: where the log is read once, its lines up to there
   * are better than none. Returns false when none is read.
   */
  endsBefore({ target, offset, limit }: PageRequest): boolean {
    const { order, isGuess } = this.offsets;
    const isEnd = this.#isOnce && target === 'head' && order === 'oldest' && !isGuess;
    if (!isEnd) return false;
    // It is read again.
    this.#near = undefined;
    return this.end.refused({ offset, limit });
  }
}

/** Returns the relation of a page's ends to the place that it was requested for. */
export function sightOf(
  lowest: Place | undefined,
  highest: Place | undefined,
  rows: number,
  edge: Place,
): EdgeSight {
  // Pages of a numbering that nothing tells are older than all that is known there.
  if (lowest === undefined || highest === undefined)
    return { relation: rows === 0 ? 'empty' : 'older', distance: rows === 0 ? 0 : 1 };
  const isOlder = highest < edge;
  const isNewer = lowest > edge;
  const step = Number(shiftPlace(highest, -BigInt(lowest))) / Math.max(1, rows - 1);
  const between = isOlder
    ? Number(shiftPlace(edge, -BigInt(highest)))
    : Number(shiftPlace(lowest, -BigInt(edge)));
  const distance = step > 0 && between > 0 ? Math.floor((between / step) * trust) : 1;
  return { relation: isOlder ? 'older' : isNewer ? 'newer' : 'touching', distance };
}

/** Returns the rows of two pages that follow each other; undefined when lines between them came late. */
function inTurn<Row extends LogRow<unknown>>(
  older: readonly Row[],
  newer: readonly Row[],
): readonly Row[] | undefined {
  const [first, last, next] = [older[0]?.id, older.at(-1)?.id, newer[0]?.id];
  const isLate = first !== undefined && last !== undefined && next !== undefined;
  return isLate && first < next && next <= last ? undefined : [...older, ...newer];
}
