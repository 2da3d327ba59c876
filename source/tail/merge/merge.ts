import type { InsertedRun } from '../arena/entries.ts';
import { maxPlace, type Place } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { forgetBefore, refetchGaps, type Spans } from './coverage.ts';
import { Doubts } from './doubts.ts';
import { JoinedLines } from './joined-lines.ts';
import { LiveLines } from './live-lines.ts';
import type { MergedLog } from './merged-log.ts';
import { Offsets, type ReadPage } from './offsets.ts';
import { PageJudge } from './page-judge.ts';
import { PageLines } from './page-lines.ts';
import { PastPages } from './past-pages.ts';
import type { FailureKind, MergeOptions, PageRequest } from './page-request.ts';
import { WantedPages } from './wanted-pages.ts';

/** Joins the live stream, pages of history, and the lines after a drop into one log. */
export class LogMerge<Line> {
  asking: PageRequest | undefined;
  isOpen = false;
  /** The first history has been had, or given up. */
  isReady = false;
  /** Pages away from the known lines. */
  readonly past: PastPages<Line>;
  readonly #isAppendOnly: boolean;
  #wasDisordered = false;
  /** The order of the pages that were joined. */
  #order: Offsets<Line>['order'];
  readonly #joined: JoinedLines<Line>;
  readonly #offsets: Offsets<Line>;
  readonly #doubts = new Doubts();
  readonly #live: LiveLines<Line>;
  readonly #pages: PageLines<Line>;
  readonly #wanted: WantedPages<Line>;
  readonly #judge: PageJudge<Line>;

  constructor(log: MergedLog<Line>, options: MergeOptions) {
    const { pageSize, isAppendOnly = false } = options;
    this.#isAppendOnly = isAppendOnly;
    this.#joined = new JoinedLines(log);
    this.#offsets = new Offsets(pageSize);
    this.#wanted = new WantedPages(this.#joined, this.#offsets, this.#doubts, options);
    this.#live = new LiveLines(this.#joined, this.#doubts, isAppendOnly);
    this.#pages = new PageLines(this.#joined, this.#doubts, this.#offsets, isAppendOnly);
    const parts = [this.#joined, this.#offsets, this.#doubts, this.#wanted, this.#pages] as const;
    this.#judge = new PageJudge(...parts);
    this.past = new PastPages(this.#joined, this.#offsets, this.#wanted, this.#pages, {
      isFlowing: () => this.isOpen && this.#joined.liveFrom !== undefined,
      placedAnew: () => this.#placedAnew(),
      endIds: () => this.#endIds(),
    });
  }

  /** True when the service has nothing before the oldest known line. */
  get isComplete(): boolean {
    return this.#wanted.isComplete;
  }

  get spans(): Spans {
    return this.#joined.spans;
  }

  /** The first place of the live lines; undefined while all lines are history. */
  get start(): Place | undefined {
    return this.#joined.start;
  }

  /** True once ids turned out not to tell the order of the lines. */
  get hasUnusableIds(): boolean {
    return this.#joined.fields.areIdsUnusable;
  }

  /** Returns true when a run of messages may be appended by its ids alone. */
  get isById(): boolean {
    return this.#joined.order === 'id';
  }

  /** Returns the first place of the instant that a place lies in; by id, the place itself. */
  startOf(place: Place): Place {
    return this.#joined.startOf(place);
  }

  /** Returns the lines inserted since the last call. */
  takeInserted(): readonly InsertedRun[] {
    return this.#joined.takeInserted();
  }

  /** The stream stands: what it sends from now on has no gap. */
  opened(): void {
    this.isOpen = true;
    this.#wanted.connection += 1;
    this.#joined.liveFrom = undefined;
    this.#joined.instants.opened();
    this.poll();
  }

  closed(): void {
    this.isOpen = false;
    this.#wanted.isAllowed = false;
    this.#live.closed();
  }

  /** Asks for the newest lines. */
  poll(): void {
    this.#wanted.isAllowed = true;
    this.#wanted.wantHead('wanted');
    this.#wanted.restart();
  }

  /** Asks whether the quiet stream keeps lines back. */
  audit(): void {
    if (this.#wanted.head === 'known' && this.isOpen) this.#wanted.wantHead('audit');
  }

  /** Asks for lines before the oldest one. */
  older(lines: number): void {
    this.#wanted.older(lines);
  }

  /** Tries gaps again that were given up. */
  retry(): void {
    this.#wanted.isAllowed = true;
    this.#wanted.restart();
    const spans = refetchGaps(this.spans);
    this.#joined.apply({ spans });
  }

  /** Called every few seconds: lets history confirm what the stream left in doubt. */
  check(): void {
    const newest = this.spans.at(-1)?.to;
    if (newest === undefined) return;
    this.#doubts.check(newest);
    if (!this.#offsets.isGuess || !this.isOpen || this.asking !== undefined) return;
    this.#wanted.forgetOrder();
    this.#wanted.wantHead('audit');
  }

  /** Adds lines of the open stream. Since its first line, it has left none out. */
  lines(rows: readonly LogRow<Line>[]): void {
    if (rows.length === 0) return;
    if (this.#joined.note('stream', rows)) this.#placedAnew();
    const { spans } = this;
    if (!this.#live.take(rows)) {
      this.#endIds();
      this.#live.take(rows);
    }
    if (this.spans !== spans) this.#wanted.noteLiveLines();
    this.#noteDisorder();
  }

  /**
   * Appends a run whose ids rise behind all known lines. Returns false when its lines must be added
   * one by one.
   */
  append(run: Run, append: (spans: Spans) => InsertedRun): boolean {
    const isAppended = this.#live.append(run, append);
    if (isAppended) this.#wanted.noteLiveLines();
    return isAppended;
  }

  /** Entries before `place` are about to be dropped from memory. */
  forget(place: Place): void {
    const { liveFrom, start } = this.#joined;
    this.#joined.spans = forgetBefore(this.spans, place);
    if (liveFrom !== undefined) this.#joined.liveFrom = maxPlace(liveFrom, place);
    if (start !== undefined) this.#joined.start = maxPlace(start, place);
    this.#doubts.forgetBefore(place);
    this.#wanted.forgetOlder();
  }

  /** Requests the next page, when one is needed and none is in flight. */
  ask(): void {
    if (!this.#wanted.isAllowed || this.asking !== undefined) return;
    this.asking = this.#wanted.next(this.isOpen);
    if (this.asking === undefined) this.isReady = true;
  }

  failed(request: PageRequest, why: FailureKind): void {
    if (this.asking?.number !== request.number) return;
    this.asking = undefined;
    if (why === 'size' && this.#offsets.shrink()) return;
    // While the service is away nothing is given up: it is asked again when it is back.
    if (!this.isOpen) {
      this.#wanted.isAllowed = false;
      if (why === 'final') this.isReady = true;
    } else if (why === 'passing') this.#wanted.later('unanswered');
    else this.#wanted.abandon('unanswered');
  }

  /**
   * Adds a page. Returns true when the service has lines that its open stream has not delivered.
   */
  page(request: PageRequest, raw: readonly LogRow<Line>[]): boolean {
    if (this.asking?.number !== request.number) return false;
    this.asking = undefined;
    this.#offsets.note(request, raw.length);
    if (request.limit === 1) {
      this.#judge.head(request, raw.length);
      return false;
    }
    if (this.#joined.note('http', raw)) this.#placedAnew();
    const { order } = this.#offsets;
    const rows = this.#offsets.sorted(raw);
    const pages = this.#offsets.learn(
      { request, rows },
      this.#joined.hasNewest(request.newest, rows),
    );
    if (order !== undefined && this.#offsets.order !== order) this.#wanted.forgetIndexes();
    this.#noteOrder();
    const isWhole = this.#offsets.order === undefined;
    const isBehind = pages?.map((page) => this.#join(page, isWhole));
    this.#noteDisorder();
    return isBehind?.includes(true) === true;
  }

  /** Joins the rows of a page, oldest first, and decides how to go on. */
  #join(page: ReadPage<Line>, isWhole: boolean): boolean {
    const { request, rows } = page;
    const { target, edge } = request;
    if (rows.length === 0) {
      if (target !== 'head') this.#judge.foundNothing(request);
      else if (this.#judge.head(request, 0)) this.#wanted.noteHead(request);
      if (request.offset === 0 && this.spans.length === 0) this.#wanted.isComplete = true;
      return false;
    }
    if (target === 'head' && !this.#judge.head(request, rows.length)) return false;
    if (this.#joined.order === 'text') return this.#joinText(page);
    const placed = this.#pages.place(page, isWhole, this.#wanted.work);
    if (placed === undefined) {
      this.#endIds();
      return this.#join(page, isWhole);
    }
    const [oldest, youngest] = placed.ends;
    const newest = this.#joined.newest() ?? youngest;
    const isBehind = this.#wanted.head === 'audit' && target === 'head' && youngest > newest;
    const isFlowing = this.isOpen && this.#joined.liveFrom !== undefined && !isBehind;
    this.#pages.apply(placed, isFlowing);
    this.#wanted.anchor(
      this.#pages.newestOf(placed),
      this.#offsets.rangeOf(request, rows.length).newest,
    );
    this.#doubts.resolve(...placed.shows);
    if (isWhole && edge !== undefined && youngest < this.#joined.startOf(edge)) {
      this.#wanted.later('unanswered');
      return isBehind;
    }
    if (isWhole) this.#wanted.beginAt(oldest);
    if (target === 'head') this.#wanted.noteHead(request);
    else if (target === 'check') this.#judge.checked(page, placed);
    else if (edge !== undefined) this.#judge.page(page, placed, edge);
    return isBehind;
  }

  /** Shows the only page that can be had of a log without ids or instants. */
  #joinText({ request, rows }: ReadPage<Line>): boolean {
    this.#joined.joinText(rows, this.#wanted.isComplete);
    this.#wanted.isComplete = true;
    this.#wanted.noteHead({ connection: this.#wanted.connection });
    if (request.target !== 'head') this.#wanted.abandon('unclear');
    return false;
  }

  #endIds(): void {
    const isCovered = this.#joined.endIds();
    this.#placedAnew();
    if (!isCovered) this.#wanted.head = 'wanted';
  }

  /** Pages were joined at wrong ends once another order of pages is found than the one assumed. */
  #noteOrder(): void {
    const { order } = this.#offsets;
    if (order === undefined || order === this.#order) return;
    if (this.#order !== undefined) {
      this.#joined.uncover();
      this.#wanted.readAgain();
    }
    this.#order = order;
  }

  /** A stream that swaps lines may have sent all of them in another order. */
  #noteDisorder(): void {
    const { isDisordered } = this.#joined.instants;
    if (isDisordered && !this.#wasDisordered) this.#doubtLiveLines();
    this.#wasDisordered = isDisordered;
  }

  #doubtLiveLines(): void {
    const { start } = this.#joined;
    const newest = this.#joined.newest();
    if (this.#isAppendOnly || start === undefined || newest === undefined) return;
    this.#doubts.note(start, newest);
  }

  /** All lines have other places. */
  #placedAnew(): void {
    this.#doubts.clear();
    this.#doubtLiveLines();
    this.#wanted.forgetIndexes();
    this.#wanted.restart();
  }
}
