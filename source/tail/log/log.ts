/** Joins the live stream, pages of history, and the lines after a drop into one log, by ids. */
import type { InsertedRun } from '../arena/entries.ts';
import type { GapReason } from '../arena/gap.ts';
import type { Place } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { Copies } from './copies.ts';
import { Held, type LineOrder } from './held.ts';
import { LiveLines } from './live-lines.ts';
import { NumberedPages } from './numbered-pages.ts';
import { Numbering } from './numbering.ts';
import type { SortedPage } from './offsets.ts';
import type { FailureKind, LogOptions, PageRequest } from './page-request.ts';
import { Pages, sightOf, type PageVerdict } from './pages.ts';
import { FallingIds, Unnumbered } from './unnumbered.ts';
import { YoungHoles } from './young.ts';

/** A statement about the whole log, said in the title and once on stderr. */
export type LogLabel = 'unnumbered' | 'by-time' | 'late';

/** Numberings within so many ticks, a minute, after which lines are no longer ordered by ids. */
const quickTicks = 12;

/** A page that was read away from the known lines. */
const away = { isLast: false, isNewest: false, isStale: false, isFlowing: false };

export class Log<Line> {
  readonly pages: Pages<Line>;
  readonly held: Held<Line>;
  readonly #numbering = new Numbering<Line>();
  readonly #young = new YoungHoles();
  readonly #falling = new FallingIds();
  readonly #live: LiveLines<Line>;
  readonly #numbered: NumberedPages<Line>;
  readonly #isAppendOnly: boolean;
  #unnumbered: Unnumbered<Line> | undefined;
  #asking: PageRequest | undefined;
  /** The newest numbering, and whether it was in doubt, when the page was requested. */
  #askedIn = '';
  #isOpen = false;
  #isReady = false;
  #suspiciousTicks = 0;
  /** Ticks at which numberings began. */
  #begun: readonly number[] = [];
  /** The oldest line of the last page at offset 0. */
  #wholeFrom: Place | undefined;
  /** The ends of a first page that was joined before the order of pages was certain. */
  #guessed: readonly [Place, Place] | undefined;

  constructor(store: LineOrder<Line>, options: LogOptions) {
    this.pages = new Pages(options);
    this.#isAppendOnly = options.isAppendOnly === true;
    this.held = new Held(store);
    const [copies, numbering, young] = [new Copies(), this.#numbering, this.#young];
    this.#live = new LiveLines(this.held, copies, numbering, young);
    this.#numbered = new NumberedPages(this.held, this.pages, this.#live, copies, numbering, young);
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

  get labels(): readonly LogLabel[] {
    return [
      ...(this.#unnumbered === undefined ? [] : (['unnumbered'] as const)),
      ...(this.pages.isByTime ? (['by-time'] as const) : []),
      ...(this.#numbered.isLate ? (['late'] as const) : []),
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
    this.#falling.restart();
    this.#unnumbered?.opened();
    this.poll();
  }

  closed(): void {
    this.#isOpen = false;
    this.pages.allow(false);
    if (this.#unnumbered !== undefined) return this.#unnumbered.closed();
    this.#live.closed();
    if (this.#live.hasBegun) this.#noteBegun();
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
    if (this.#unnumbered === undefined) this.#settleLive();
    this.#young.tick(this.held.newest);
    // Numbers may have begun again since pages were read to find out their order.
    if (this.#young.ticks % quickTicks === 0) this.pages.offsets.restart();
  }

  /** Lines that wait are decided on after a minute without the newest page. */
  #settleLive(): void {
    this.#live.settle();
    this.#suspiciousTicks = this.#live.hasSuspects ? this.#suspiciousTicks + 1 : 0;
    if (this.#suspiciousTicks >= quickTicks) this.#decide();
  }

  /** A frame could not be read: lines may be missing where it came. */
  unreadable(): void {
    this.#live.unreadable();
  }

  /** Adds lines of the open stream. Since its first line, it has left none out. */
  lines(all: readonly LogRow<Line>[]): void {
    if (all.length === 0) return;
    const { spans } = this.held;
    const rows = this.#falling.note(all);
    if (rows.some(({ id }) => id === undefined)) this.#endIds(rows !== all);
    if (this.#unnumbered !== undefined) {
      this.#unnumbered.live(rows);
      if (this.#unnumbered.needsHead) this.pages.wantHead('wanted');
      return;
    }
    const rest = this.#live.add(rows);
    // Pages that are listed by time tell no numbering.
    if (this.#live.isSuspicious && this.pages.isByTime) this.#live.acquit();
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
    // Ids, until they are made places.
    const [first = 0, last = 0] = [run.places[0], run.places[run.count - 1]];
    if (this.#unnumbered !== undefined || !this.#live.append(run)) return false;
    this.#falling.noteRising(first, last, run.count);
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

  /** Requests the next page, if one is needed. @param now hints, in ms, where the log ends. */
  ask(now?: number): void {
    if (!this.pages.isAllowed || this.#asking !== undefined) return;
    const unnumbered = this.#unnumbered;
    // Only a page that is certain to be the newest one tells of a new numbering.
    if (this.#live.isSuspicious && this.pages.offsets.isGuess) this.pages.offsets.forget();
    const isChecked = this.#isOpen && unnumbered === undefined && !this.pages.isByTime;
    const check = isChecked ? this.#young.next() : undefined;
    this.#asking = this.pages.next(this.held, check, unnumbered, now);
    this.#askedIn = this.#numberingSeen;
    this.#numbered.noteRequest();
    if (this.#asking === undefined) this.#isReady = true;
  }

  get #numberingSeen(): string {
    return `${this.#numbering.newest} ${this.#live.isSuspicious} ${this.isById}`;
  }

  failed(request: PageRequest, why: FailureKind): void {
    if (this.#asking?.number !== request.number) return;
    this.#asking = undefined;
    if (this.pages.refused(request, why)) {
      // A service that gives no pages that far back has not shown its beginning.
      const { offsets } = this.pages;
      if (offsets.isRefused(request.offset) && !this.pages.endsBefore(request)) this.#abandon();
      return;
    }
    // While the service is away nothing is given up: it is asked again when it is back.
    if (!this.#isOpen) {
      this.pages.allow(false);
      if (why === 'final') this.#isReady = true;
    } else if (why === 'passing') this.#later('unanswered');
    else this.#abandon();
  }

  /** Adds a page. Returns true when the service has lines that its stream has not delivered. */
  page(request: PageRequest, all: readonly LogRow<Line>[]): boolean {
    if (this.#asking?.number !== request.number) return false;
    this.#asking = undefined;
    const { offsets } = this.pages;
    const raw = this.#falling.read(all);
    offsets.note(request, raw.length, request.newest);
    this.#numbered.noteAnswer(request);
    if (raw.some(({ id }) => id === undefined)) this.#endIds();
    // The service cut the page before or after its numbers began again: nobody knows.
    if (this.#askedIn !== this.#numberingSeen) {
      offsets.restart();
      return false;
    }
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
    if (this.isById && this.#numbering.isUnordered(asked.rows)) this.pages.listByTime();
    const unnumbered = this.#unnumbered;
    const isFound = unnumbered !== undefined && unnumbered.isFound(request, rows);
    const page =
      isProbe || isFound ? asked : this.pages.withNear(request, asked, unnumbered !== undefined);
    if (page === undefined) return false;
    const isUnknown = this.isById && this.#numbered.hasNoKnownLine(rows);
    const found = offsets.learn(page, isUnknown, this.#numbered.placeOfKnown) ?? [];
    if (order !== offsets.order && !offsets.isGuess) this.#noteOrder(order);
    const { isById } = this;
    const behind = found.map((each) => this.isById === isById && this.#add(request, each, isProbe));
    if (offsets.isWhole) this.#noteWhole(request, found);
    return behind.includes(true);
  }

  /** The first page had all that the service has. */
  #noteWhole({ target, edge }: PageRequest, found: readonly SortedPage<Line>[]): void {
    if (this.#unnumbered !== undefined) {
      if (found.some(({ rows }) => this.#unnumbered?.isHeld(rows))) this.pages.complete();
      else if (target === 'older') this.#later('unanswered');
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
    const page = { slice, rows: this.pages.offsets.sorted(this.#falling.read(raw)) };
    const oldest = this.held.spans[0]?.from;
    if (this.#unnumbered !== undefined) this.#unnumbered.older(page.rows, true);
    else if (this.#numbered.place(page, away) === 'contradicted') this.#endIds(true);
    this.held.leaveUnread(oldest);
    if (this.pages.offsets.beginsLog(slice, raw.length, this.held.newest)) this.#beginHere();
  }

  /** The lines of a guessed order were joined at the wrong end. */
  #noteOrder(before: 'newest' | 'oldest' | undefined): void {
    const guessed = this.#guessed;
    this.#guessed = undefined;
    this.pages.forgetPlaces();
    const isTurned = before === 'newest' || guessed !== undefined;
    if (!isTurned || this.pages.offsets.order !== 'oldest') return;
    // The page that was taken for the newest one is the oldest.
    if (this.pages.isByTime && !this.#isAppendOnly) {
      this.pages.older(this.held, this.held.clear());
      // Pages bring the live lines again, too.
      this.#live.opened();
    } else if (guessed !== undefined) this.held.takeOut(...guessed);
    if (!this.pages.isAuditing) this.pages.wantHead('wanted');
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
    const { lines, newest: end } = this.held;
    if (lines === 0) this.pages.reopen();
    const placeAt = (row: number): Place => this.#numbering.placeOf(rows.at(row)?.id ?? 0);
    // These pages add no lines from before the log: behind them would be a gap to read (seed 641289).
    const isBefore = placeAt(-1) < (this.held.spans[0]?.from ?? placeAt(-1));
    if (isBefore && (target === 'check' || this.#isFarBefore(request, page))) {
      this.#judge(request, page, placeAt(0), placeAt(-1));
      return false;
    }
    // A page of a probe lies where it was asked for, not where the target is.
    const isAsked = page.slice.offset === request.offset;
    const isHead = page.slice.offset === 0 && this.pages.offsets.order !== 'oldest';
    const isEnd = target === 'head' && !isProbe;
    const isLast =
      isHead || isEnd || this.pages.offsets.endsLog(page.slice, rows.length, request.newest);
    const isNewest = isLast && (this.pages.isByTime || !this.pages.offsets.isGuess);
    // A page that lacks lines that came some time ago is not the newest one.
    const isRefuted = this.pages.offsets.isGuess && isLast && this.#young.isSettled(end);
    if (isRefuted && end !== undefined && placeAt(-1) < end) {
      this.pages.offsets.forget();
      if (target !== 'head') this.pages.wantHead('wanted');
      return false;
    }
    // Only the newest page tells whether the lower lines that came begin a new numbering.
    if (this.pages.isByTime) this.#live.acquit();
    if (this.#live.isSuspicious && !isNewest) return false;
    const isAudit = this.pages.isAuditing && target === 'head';
    // The first page of several that tell the order was read before the held end came (seed 607668).
    const isStale = !isAsked && !isEnd && !this.#numbered.isFirstPageCurrent;
    if (isNewest && !isStale && this.#numbered.isUndecided(rows)) {
      this.#later('unanswered');
      return false;
    }
    const isFlowing = this.#isOpen && this.#live.isFlowing && !isAudit;
    const placed = this.#numbered.place(page, { isLast, isNewest, isStale, isFlowing });
    if (placed === 'contradicted') {
      this.#endIds(true);
      return false;
    }
    if (placed.hasBegun) this.#noteBegun();
    const { ends } = placed;
    const [lowest, highest] = ends ?? [];
    if (this.pages.offsets.isGuess && lines === 0) this.#guessed = ends;
    if (page.slice.offset === 0 && lowest !== undefined) this.#wholeFrom = lowest;
    const isBehind = isAudit && end !== undefined && (highest ?? end) > end;
    if (target === 'head' && (isHead || isEnd)) {
      if (!this.#live.isSuspicious) this.pages.noteHead(request);
      else if (this.pages.later(true) !== undefined) this.#decide();
    }
    if (this.pages.isByTime) {
      // Lines that the stream has brought since a gap tell nothing of those in the gap.
      const { endBeforeGaps } = this.held;
      const isBelowGaps = highest !== undefined && highest <= (endBeforeGaps ?? highest);
      const isKnown = this.held.lines === lines && isBelowGaps;
      const beginsWalk = isEnd || (isNewest && (target === 'head' || !this.pages.isListing));
      if (isAsked || beginsWalk) this.#noteListed(request, page, isKnown, beginsWalk);
    } else if (target !== 'head' && edge !== undefined && isAsked)
      this.#judge(request, page, lowest, highest);
    return isBehind;
  }

  /** Returns whether a page of a search for the lines before the oldest one lies more than a page before them. */
  #isFarBefore({ target, edge, offset }: PageRequest, { slice, rows }: SortedPage<Line>): boolean {
    const isSearch = target === 'older' && slice.offset === offset && !this.pages.isByTime;
    const [first, last] = [rows[0]?.id, rows.at(-1)?.id];
    if (!isSearch || edge === undefined || first === undefined || last === undefined) return false;
    if (this.pages.offsets.order !== 'oldest' || this.#numbering.newest > 0) return false;
    const { distance } = sightOf(first, last, rows.length, edge);
    return distance > this.pages.offsets.pageSize;
  }

  /** A third numbering within a minute: ids tell nothing. */
  #noteBegun(): void {
    const { ticks } = this.#young;
    this.#live.noteBegun();
    this.#begun = [...this.#begun.filter((tick) => ticks - tick < quickTicks), ticks];
    if (this.#live.hasMisplaced || this.#begun.length > 2) this.#endIds(true);
  }

  /** A page of a log that is listed by time has only its lines. */
  #noteListed(
    { target, newest }: PageRequest,
    page: SortedPage<Line>,
    isKnown: boolean,
    beginsWalk: boolean,
  ): void {
    // The walk begins with the newest page.
    if (!beginsWalk && !this.pages.isListing) return this.pages.wantHead('wanted');
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
    if (target === 'check' && isReached && page.rows.length > 0) {
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
      if (this.pages.isIdle) this.#later('unanswered');
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

  /** No page tells whether lower lines begin a new numbering. */
  #decide(): void {
    // Lines that contradicted all known ones were left to pages, and no page came.
    if (this.#live.isContradicted) return this.#endIds();
    this.#live.decide();
    if (this.#live.hasBegun) this.#noteBegun();
  }

  #noteLooked(): void {
    const range = this.#young.looked();
    this.#settle(range);
    // Pages show the lines before those that a backup lacks.
    const [from, to] = range ?? [];
    const isOlder = to !== undefined && this.#numbering.isBetween(to, this.held.newest ?? to);
    const below = isOlder ? this.held.upTo(to, this.pages.offsets.pageSize)[0]?.place : undefined;
    if (from !== undefined && to !== undefined && below !== undefined && from < below && below < to)
      this.#young.goOn(from, below);
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
    if (target === 'head' && this.#live.isSuspicious) this.#decide();
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
    if (isCleared) this.pages.older(this.held, this.held.clear());
    this.#unnumbered = new Unnumbered(this.held, this.pages);
    if (this.#isOpen) this.#unnumbered.opened();
    this.#young.clear();
    this.pages.forgetOrder(this.#falling.isFound);
    this.pages.wantHead('wanted');
    if (!isCleared && taken.length > 0) this.#unnumbered.live(taken);
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
