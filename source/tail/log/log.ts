/** Joins the live stream, pages of history, and the lines after a drop into one log, by ids. */
import type { InsertedRun } from '../arena/entries.ts';
import type { GapReason } from '../arena/gap.ts';
import type { Place } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { Copies, type Likeness } from './copies.ts';
import { Held, type LineOrder } from './held.ts';
import { LiveLines } from './live-lines.ts';
import { isUnordered, type NumberedPage, Numbering } from './numbering.ts';
import type { SortedPage } from './offsets.ts';
import type { FailureKind, LogOptions, PageRequest } from './page-request.ts';
import { Pages, sightOf, type PageVerdict } from './pages.ts';
import { Unnumbered } from './unnumbered.ts';
import { YoungHoles } from './young.ts';

/** A statement about the whole log, said in the title and once on stderr. */
export type LogLabel = 'unnumbered' | 'by-time' | 'late';

/** Numberings within so many ticks, a minute, after which lines are no longer ordered by ids. */
const quickTicks = 12;

export class Log<Line> {
  readonly pages: Pages<Line>;
  readonly held: Held<Line>;
  readonly #copies = new Copies();
  readonly #numbering = new Numbering<Line>();
  readonly #young = new YoungHoles();
  readonly #live: LiveLines<Line>;
  readonly #isAppendOnly: boolean;
  #unnumbered: Unnumbered<Line> | undefined;
  #asking: PageRequest | undefined;
  /** The newest numbering, and whether it was in doubt, when the page was requested. */
  #askedIn = '';
  #isOpen = false;
  #isReady = false;
  #isLate = false;
  /** Ticks at which numberings began. */
  #begun: readonly number[] = [];
  /** The highest place that a page of the newest lines has shown in the newest numbering. */
  #provenEnd: Place | undefined;
  /** The oldest line of the last page at offset 0. */
  #wholeFrom: Place | undefined;
  /** The ends of a first page that was joined before the order of pages was certain. */
  #guessed: readonly [Place, Place] | undefined;

  constructor(store: LineOrder<Line>, options: LogOptions) {
    this.pages = new Pages(options);
    this.#isAppendOnly = options.isAppendOnly === true;
    this.held = new Held(store);
    this.#live = new LiveLines(this.held, this.#copies, this.#numbering, this.#young);
  }

  /** The request that waits for its page. */
  get asking(): PageRequest | undefined {
    return this.#asking;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The first history has been had, or given up. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get isComplete(): boolean {
    return this.pages.isComplete;
  }

  /** The first place of the live lines; undefined while all lines are history. */
  get start(): Place | undefined {
    return this.held.start;
  }

  get labels(): readonly LogLabel[] {
    return [
      ...(this.#unnumbered === undefined ? [] : (['unnumbered'] as const)),
      ...(this.pages.isByTime ? (['by-time'] as const) : []),
      ...(this.#isLate ? (['late'] as const) : []),
    ];
  }

  /** True when a run of messages may be appended by its ids alone. */
  get isById(): boolean {
    return this.#unnumbered === undefined;
  }

  /** Returns the lines inserted since the last call. */
  takeInserted(): readonly InsertedRun[] {
    return this.held.takeInserted();
  }

  /** The stream is open: what it sends from now on has no gap. */
  opened(): void {
    this.#isOpen = true;
    this.pages.opened();
    if (this.held.lines === 0) this.pages.reopen();
    this.#live.opened();
    this.#unnumbered?.opened();
    this.poll();
  }

  closed(): void {
    this.#isOpen = false;
    this.pages.allow(false);
    if (this.#unnumbered === undefined) this.#live.closed();
    else this.#unnumbered.closed();
  }

  /** Asks for the newest lines. */
  poll(): void {
    this.pages.allow(true);
    this.pages.wantHead('wanted');
    this.pages.restart();
  }

  /** Asks whether the quiet stream keeps lines back. */
  audit(): void {
    if (this.pages.isHeadKnown && this.#isOpen) this.pages.wantHead('audit');
  }

  /** Asks for lines before the oldest one. */
  older(lines: number): void {
    this.pages.older(this.held, lines);
  }

  /** Tries gaps again that were given up. */
  retry(): void {
    this.pages.allow(true);
    this.pages.restart();
    if (this.#unnumbered === undefined) this.held.refetch();
  }

  /** Called every five seconds: makes young lines old. */
  tick(): void {
    this.#young.tick(this.held.newest);
  }

  /** A frame could not be read: lines may be missing where it came. */
  unreadable(): void {
    this.#live.unreadable();
  }

  /** Adds lines of the open stream. Since its first line, it has left none out. */
  lines(rows: readonly LogRow<Line>[]): void {
    if (rows.length === 0) return;
    const { spans } = this.held;
    if (rows.some(({ id }) => id === undefined)) this.#endIds();
    if (this.#unnumbered !== undefined) {
      this.#unnumbered.live(rows);
      if (this.#unnumbered.needsHead) this.pages.wantHead('wanted');
      return;
    }
    const rest = this.#live.add(rows);
    if (this.#live.isSuspicious) this.pages.wantHead('wanted');
    if (this.#live.hasBegun) this.#noteBegun();
    if (rest !== undefined) {
      this.#endIds(true);
      this.lines(rest);
    } else if (this.held.spans !== spans && !this.#live.isSuspicious) this.pages.noteLiveLines();
  }

  /**
   * Appends a run whose ids rise behind all known lines. Returns false when its lines must be added
   * one by one.
   */
  append(run: Run): boolean {
    if (this.#unnumbered !== undefined || !this.#live.append(run)) return false;
    this.pages.noteLiveLines();
    return true;
  }

  /**
   * Entries before `place` are about to be dropped from memory; with `after`, only those behind that line.
   */
  forget(place: Place, after?: Place): void {
    this.pages.forget(this.held, place, after);
    // Without ids, nothing joins lines in the midst of others.
    this.held.forget(place, after, this.isById ? 'unread' : 'dropped');
    this.#live.forgetBefore(place);
    this.#unnumbered?.forgetBefore(place);
    this.#young.forget(place, after);
  }

  /**
   * Requests the next page, when one is needed and none is in flight.
   * @param now the present time, ms since the epoch: a hint where the log ends.
   */
  ask(now?: number): void {
    if (!this.pages.isAllowed || this.#asking !== undefined) return;
    const unnumbered = this.#unnumbered;
    const isChecked = this.#isOpen && unnumbered === undefined && !this.pages.isByTime;
    const check = isChecked ? this.#young.next() : undefined;
    this.#asking = this.pages.next(this.held, check, unnumbered, now);
    if (this.#asking === undefined) this.#isReady = true;
    else this.#askedIn = this.#numberingSeen;
  }

  get #numberingSeen(): string {
    return `${this.#numbering.newest} ${this.#live.isSuspicious} ${this.isById}`;
  }

  failed(request: PageRequest, why: FailureKind): void {
    if (this.#asking?.number !== request.number) return;
    this.#asking = undefined;
    if (this.pages.refused(request, why)) {
      // A service that gives no pages that far back has not shown its beginning.
      if (this.pages.offsets.isRefused(request.offset)) this.#abandon();
      return;
    }
    // While the service is away nothing is given up: it is asked again when it is back.
    if (!this.#isOpen) {
      this.pages.allow(false);
      if (why === 'final') this.#isReady = true;
    } else if (why === 'passing') this.#later('unanswered');
    else this.#abandon();
  }

  /**
   * Adds a page. Returns true when the service has lines that its open stream has not delivered.
   */
  page(request: PageRequest, raw: readonly LogRow<Line>[]): boolean {
    if (this.#asking?.number !== request.number) return false;
    this.#asking = undefined;
    const { offsets } = this.pages;
    offsets.note(request, raw.length, request.newest);
    if (raw.some(({ id }) => id === undefined)) this.#endIds();
    // The service cut the page before or after its numbers began again: nobody knows.
    if (this.#askedIn !== this.#numberingSeen) return false;
    // Only the newest page tells whether the lower lines that came begin a new numbering.
    const waitsForHead = this.#live.isSuspicious && !this.pages.isHeadKnown;
    if (waitsForHead && request.target !== 'head') return false;
    let rows = offsets.sorted(raw);
    const { offset, limit } = request;
    if (this.#unnumbered?.direct({ slice: { offset, limit }, rows }) === true) {
      rows = offsets.sorted(raw);
      // A page that was not read to find out the order does not tell it.
      if (offsets.order === undefined && offset !== 0) return false;
    }
    const { order } = offsets;
    const isProbe = order === undefined || offsets.isGuess;
    const asked = { slice: { offset, limit }, rows };
    if (this.isById && isUnordered(asked.rows)) this.pages.listByTime();
    const unnumbered = this.#unnumbered;
    const isFound = unnumbered !== undefined && unnumbered.isFound(request, rows);
    const page =
      isProbe || isFound ? asked : this.pages.withNear(request, asked, unnumbered !== undefined);
    if (page === undefined) return false;
    const found = offsets.learn(page) ?? [];
    if (order !== offsets.order && !offsets.isGuess) this.#noteOrder(order);
    const behind = found.map((each) => this.#add(request, each, isProbe));
    if (offsets.isWhole) this.#noteWhole(request, found);
    return behind.includes(true);
  }

  /** The first page had all that the service has. */
  #noteWhole({ target, edge }: PageRequest, found: readonly SortedPage<Line>[]): void {
    if (this.#unnumbered !== undefined) {
      if (found.some(({ rows }) => this.#unnumbered?.isHeld(rows))) this.pages.complete();
      else if (target === 'older') this.#later('unclear');
      return;
    }
    if (this.held.spans.length > 0) this.#beginHere(this.#wholeFrom);
    if (edge === undefined) return;
    const isLeft = target === 'gap' && this.held.isFilling(edge);
    if (isLeft) this.#later('unanswered');
    else if (target === 'check') this.#noteLooked();
  }

  /** Adds a page that was read away from the known lines. Lines between stay unread. */
  join(slice: SortedPage<Line>['slice'], raw: readonly LogRow<Line>[]): void {
    const page = { slice, rows: this.pages.offsets.sorted(raw) };
    const oldest = this.held.spans[0]?.from;
    if (this.#unnumbered !== undefined) this.#unnumbered.older(page.rows, true);
    else this.#place(page, { connection: 0, edge: undefined }, false);
    if (oldest !== undefined) this.held.leaveUnread(oldest);
    if (this.pages.offsets.beginsLog(slice, raw.length, this.held.newest)) this.#beginHere();
  }

  /** The lines of a guessed order were joined at the wrong end. */
  #noteOrder(before: 'newest' | 'oldest' | undefined): void {
    const guessed = this.#guessed;
    this.#guessed = undefined;
    this.pages.forgetPlaces();
    if (before !== 'newest' || this.pages.offsets.order !== 'oldest') return;
    // The page that was taken for the newest one is the oldest.
    if (this.pages.isByTime && !this.#isAppendOnly) {
      this.pages.older(this.held, this.held.clear());
      // Pages bring the live lines again, too.
      this.#live.opened();
    } else if (guessed !== undefined) this.held.takeOut(...guessed);
    this.pages.wantHead('wanted');
  }

  #add(request: PageRequest, page: SortedPage<Line>, isProbe: boolean): boolean {
    const { target, edge } = request;
    const { rows } = page;
    const unnumbered = this.#unnumbered;
    if (unnumbered !== undefined) return this.#addUnnumbered(unnumbered, request, page, isProbe);
    if (rows.length === 0) {
      if (target !== 'head' && this.pages.isByTime) this.#noteListed(request, page, true, false);
      else if (target !== 'head') this.#judge(request, page, undefined, undefined);
      else this.pages.noteHead(request);
      if (request.offset === 0 && this.held.spans.length === 0) this.pages.complete();
      return false;
    }
    if (this.held.lines === 0) this.pages.reopen();
    // A page of a probe lies where it was asked for, not where the target is.
    const isAsked = page.slice.offset === request.offset;
    const isHead = page.slice.offset === 0 && this.pages.offsets.order !== 'oldest';
    const isEnd = target === 'head' && !isProbe;
    const isNewest =
      isHead || isEnd || this.pages.offsets.endsLog(page.slice, rows.length, request.newest);
    const wasNewest = this.held.newest;
    const numbering = this.#numbering.newest;
    const isAudit = this.pages.isAuditing && target === 'head';
    const wasEmpty = this.held.lines === 0;
    const asked = { ...request, edge: isAsked ? edge : undefined };
    const { lines } = this.held;
    const ends = this.#place(page, asked, isNewest, isAudit);
    if (ends === undefined) return this.#add(request, page, isProbe);
    const [lowest, highest] = ends;
    if (this.pages.offsets.isGuess && wasEmpty) this.#guessed = ends;
    if (page.slice.offset === 0) this.#wholeFrom = lowest;
    const isBehind =
      isAudit &&
      wasNewest !== undefined &&
      highest > wasNewest &&
      // A page that shows a new numbering shows the lines that told it.
      numbering === this.#numbering.newest;
    if (target === 'head' && (isHead || isEnd)) this.pages.noteHead(request);
    if (this.pages.isByTime) {
      // Lines that the stream has brought since a gap tell nothing of those in the gap.
      const isBelowGaps = highest <= (this.held.endBeforeGaps ?? highest);
      const isKnown = this.held.lines === lines && isBelowGaps;
      const beginsWalk = isEnd || (isNewest && (target === 'head' || !this.pages.isListing));
      if (isAsked || beginsWalk) this.#noteListed(request, page, isKnown, beginsWalk);
    } else if (target !== 'head' && edge !== undefined && isAsked)
      this.#judge(request, page, lowest, highest);
    return isBehind;
  }

  /** Places the rows of a page. Returns its ends; undefined when their ids turned out to tell nothing. */
  #place(
    page: SortedPage<Line>,
    { connection, edge }: Pick<PageRequest, 'connection' | 'edge'>,
    isNewest: boolean,
    isAudit = false,
  ): readonly [Place, Place] | undefined {
    if (isNewest) this.#confirmSuspects(page.rows, connection);
    const { pageSize } = this.pages.offsets;
    const numbered = this.#numbering.read(page.rows, {
      epoch: edge === undefined ? this.#numbering.newest : this.#numbering.epochAt(edge),
      isNewest,
      pageSize,
      beginOf: (epoch) => this.held.begunIn((place) => this.#numbering.epochAt(place) === epoch),
      compare: (place, row) => this.#compare(place, row),
    });
    if (numbered?.isUnordered === true) this.pages.listByTime();
    // Nothing tells where numbers begin again in a log that is listed by time.
    if (numbered === undefined || (this.pages.isByTime && this.#numbering.newest > 0)) {
      this.#endIds(true);
      return undefined;
    }
    const isFlowing = this.#isOpen && this.#live.isFlowing && !isAudit;
    return this.#join(page, numbered, isNewest, isFlowing);
  }

  /** Puts the lines of a page, and covers what it shows. */
  #join(
    page: SortedPage<Line>,
    { parts, isUnordered }: NumberedPage<Line>,
    isNewest: boolean,
    isFlowing: boolean,
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
        ? placed.filter(({ place }) => place <= (this.held.newest ?? place))
        : placed;
      this.held.noteSteps(placed, isUnordered);
      // Until the walk from the newest lines has begun, nothing tells what lies behind a page.
      const isListed = this.pages.isByTime && (isNewest || this.pages.isListing);
      if (isListed) this.held.list(shown);
      if (!this.pages.isByTime) this.#noteLate(shown);
      // Lines that the newest page shows for the first time may have been overtaken by others.
      const range = isNewest && !this.pages.isByTime ? this.held.holesIn(shown) : undefined;
      if (!this.pages.isByTime) this.held.cover(shown);
      this.#young.resolve(first, last);
      if (range !== undefined) this.#young.note(...range);
      if (before !== undefined) this.held.beginAgainAt(first);
      before = last;
      lowest ??= first;
      highest = last;
    }
    if (lowest === undefined || highest === undefined) return undefined;
    if (isNewest) this.#provenEnd = highest;
    const { newest } = this.pages.offsets.rangeOf(page.slice, page.rows.length);
    this.pages.anchor(this.held, highest, newest);
    return [lowest, highest];
  }

  /** Returns the lines of a part at their places, in a numbering that may begin with them. */
  #begin(epoch: number, rows: readonly PlacedRow<Line>[]): readonly PlacedRow<Line>[] {
    const end = this.held.newest;
    if (epoch <= this.#numbering.newest || end === undefined) return rows;
    this.#numbering.beginAfter(end, rows[0]?.row.id ?? 0);
    this.#noteBegun();
    return rows.map(({ row }) => ({ row, place: this.#numbering.placeOf(row.id ?? 0) }));
  }

  /** Rule 4 (c): lower lines came, and the newest page ends with them and lacks the held end. */
  #confirmSuspects(rows: readonly LogRow<Line>[], connection: number): void {
    const end = this.held.newest;
    if (end === undefined) return;
    // Behind a turn, where ids go down, the held end may be in the page, too.
    const turn = rows.findIndex(({ id = 0 }, at) => at > 0 && id < (rows[at - 1]?.id ?? id));
    const hasEnd = rows
      .slice(Math.max(0, turn))
      .some(({ id }) => id !== undefined && this.#numbering.placeOf(id) >= end);
    const isKnown = (row: LogRow<Line>): boolean =>
      this.#compare(this.#numbering.placeOf(row.id ?? 0), row) === 'same';
    const isSuspicious = this.#live.isSuspicious;
    const isTold = !hasEnd && this.#live.endsPage(rows, isKnown);
    // The newest line is gone, and all lines of the newest page are lower and not known.
    const isReplaced =
      !hasEnd &&
      turn < 0 &&
      rows.length > 2 &&
      (end === this.#provenEnd || isSuspicious) &&
      !rows.some(isKnown);
    if (isTold || (isReplaced && isSuspicious)) this.#live.begin();
    else if (isReplaced) {
      this.#numbering.beginAfter(end, rows[0]?.id ?? 0);
      this.#live.opened();
    } else if (connection === this.pages.connection) this.#live.acquit();
    if (isTold || isReplaced) this.#noteBegun();
  }

  #compare(place: Place, row: LogRow<Line>): Likeness | undefined {
    const held = this.held.at(place);
    return held && this.#copies.compare(held.row, row);
  }

  /** A third numbering within a minute: ids tell nothing. */
  #noteBegun(): void {
    const { ticks } = this.#young;
    this.#live.noteBegun();
    this.#provenEnd = undefined;
    this.#young.clear();
    this.#begun = [...this.#begun.filter((tick) => ticks - tick < quickTicks), ticks];
    if (this.#begun.length > 2) this.#endIds();
  }

  /** Label "lines come late": a page brought a line where all lines were known for some time. */
  #noteLate(rows: readonly PlacedRow<Line>[]): void {
    const { settled } = this.#young;
    if (this.#isLate || settled === undefined) return;
    this.#isLate = rows.some(
      ({ place }) =>
        place < settled && this.held.isCovered(place) && this.held.at(place) === undefined,
    );
  }

  /** A page of a log that is listed by time has only its lines. */
  #noteListed(
    { target, newest }: PageRequest,
    page: SortedPage<Line>,
    isKnown: boolean,
    beginsWalk: boolean,
  ): void {
    if (!beginsWalk && !this.pages.isListing) return;
    const { slice, rows } = page;
    const { oldest: index } = this.pages.offsets.rangeOf(slice, rows.length);
    const places = rows.map(({ id = 0 }) => this.#numbering.placeOf(id));
    const listed = { index, places, isKnown };
    const isDone = this.pages.noteListed(this.held, target, listed, beginsWalk);
    const isReached = rows.length > 0 || this.pages.isListingAtEnd;
    const isBeginning =
      target !== 'head' && isReached && this.pages.offsets.beginsLog(slice, rows.length, newest);
    if (isBeginning) this.#beginHere();
    else if (rows.length === 0 && isReached) this.#later('unanswered');
    if (isBeginning || isDone) this.held.joinAll();
  }

  #judge(
    request: PageRequest,
    page: SortedPage<Line>,
    lowest: Place | undefined,
    highest: Place | undefined,
  ): void {
    const { edge, target } = request;
    if (edge === undefined) return;
    const isReached = (lowest ?? edge) <= edge && edge <= (highest ?? edge);
    if (target === 'check' && lowest !== undefined && isReached) {
      this.#noteLooked();
      return;
    }
    const from = this.held.spanFrom(edge) ?? edge;
    if (target !== 'check' && (from < edge || this.held.isBegun(edge))) {
      const { offsets } = this.pages;
      if (offsets.beginsLog(page.slice, page.rows.length, request.newest)) this.#beginHere(from);
      this.pages.restart();
      return;
    }
    const sight = sightOf(lowest, highest, page.rows.length, edge);
    this.#follow(this.pages.judge(this.held, request, page, sight), request);
  }

  #follow(verdict: PageVerdict, { target, edge }: PageRequest): void {
    if (verdict === 'again') {
      if (this.pages.isIdle) this.#later('unclear');
      return;
    }
    if (target === 'check') this.#noteLooked();
    else if (verdict === 'beginning') {
      this.#beginHere(edge);
      this.pages.restart();
    } else if (verdict === 'refused') this.#abandon();
    else this.#later('unanswered');
  }

  /** A hole that no page settled is a row, in a log that has no others. */
  #settle(range: readonly [Place, Place] | undefined, isDense = this.held.isDense): void {
    if (range !== undefined && isDense) this.held.splitHoles(...range);
  }

  #noteLooked(): void {
    this.#settle(this.#young.looked());
    this.pages.restart();
  }

  #later(why: GapReason): void {
    // Without ids, another order of pages would not be told from lines that can't be joined.
    const given = this.pages.later(this.#unnumbered !== undefined);
    if (given !== undefined) this.#giveUp(given.target, given.edge, why);
  }

  #abandon(): void {
    const { target, edge } = this.pages.abandon();
    this.#giveUp(target, edge, 'unanswered');
  }

  #giveUp(target: PageRequest['target'], edge: Place | undefined, why: GapReason): void {
    if (target === 'check') this.#settle(this.#young.dismiss(), this.held.isMostlyDense);
    else if (this.#unnumbered !== undefined) this.#unnumbered.giveUp();
    else if (target === 'gap' && edge !== undefined) this.held.giveUpBelow(edge, why);
  }

  /** The service has nothing before a place, or before the oldest known line. */
  #beginHere(place?: Place): void {
    this.pages.complete();
    this.held.beginAt(place, (edge, below) => this.#numbering.isBetween(edge, below));
  }

  /**
   * Lines stand as they come from now on.
   * @param isSorted true when those at hand stand in the order of ids that tell none: they are read again.
   */
  #endIds(isSorted = false): void {
    if (this.#unnumbered !== undefined) return;
    const taken = this.#live.takeSuspects();
    const isCleared = isSorted && !this.#isAppendOnly;
    const rest = isCleared ? [] : taken;
    if (isCleared) this.pages.older(this.held, this.held.clear());
    this.#unnumbered = new Unnumbered(this.held, this.pages);
    if (this.#isOpen) this.#unnumbered.opened();
    this.#young.clear();
    this.pages.forgetOrder();
    this.pages.wantHead('wanted');
    if (rest.length > 0) this.#unnumbered.live(rest);
  }

  /** Rule 7. */
  #addUnnumbered(
    unnumbered: Unnumbered<Line>,
    request: PageRequest,
    page: SortedPage<Line>,
    isProbe: boolean,
  ): boolean {
    const wasEmpty = this.held.lines === 0;
    if (wasEmpty && page.rows.length > 0) this.pages.reopen();
    const isBehind = unnumbered.page(request, page, isProbe);
    const [oldest, newest] = [this.held.spans[0]?.from, this.held.newest];
    if (wasEmpty && this.pages.offsets.isGuess && oldest !== undefined && newest !== undefined)
      this.#guessed = [oldest, newest];
    return isBehind;
  }
}
