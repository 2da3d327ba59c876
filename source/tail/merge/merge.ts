import type { InsertedRun } from '../arena/entries.ts';
import { maxPlace, type Place } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { forgetBefore, refetchGaps, type Spans } from '../arena/spans.ts';
import { Doubts } from './doubts.ts';
import { JoinedLines } from './joined-lines.ts';
import { LiveLines } from './live-lines.ts';
import type { MergedLog } from '../arena/change.ts';
import { LinePlaces } from './line-places.ts';
import { Offsets } from './offsets.ts';
import { PageJoin } from './page-join.ts';
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
  readonly #joined: JoinedLines<Line>;
  readonly #offsets: Offsets<Line>;
  readonly #doubts = new Doubts();
  readonly #live: LiveLines<Line>;
  readonly #wanted: WantedPages<Line>;
  readonly #places: LinePlaces<Line>;
  readonly #pages: PageJoin<Line>;

  constructor(log: MergedLog<Line>, options: MergeOptions) {
    const { pageSize, isAppendOnly = false } = options;
    this.#joined = new JoinedLines(log);
    this.#offsets = new Offsets(pageSize);
    this.#wanted = new WantedPages(this.#joined, this.#offsets, this.#doubts, options);
    this.#live = new LiveLines(this.#joined, this.#doubts, isAppendOnly);
    this.#places = new LinePlaces(this.#joined, this.#doubts, this.#wanted, isAppendOnly);
    const pages = new PageLines(this.#joined, this.#doubts, this.#offsets, isAppendOnly);
    const parts = {
      joined: this.#joined,
      offsets: this.#offsets,
      wanted: this.#wanted,
      pages,
      places: this.#places,
      isFlowing: () => this.isOpen && this.#joined.liveFrom !== undefined,
    };
    this.#pages = new PageJoin({ ...parts, doubts: this.#doubts });
    this.past = new PastPages(parts);
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
    if (this.#joined.note('stream', rows)) this.#places.placedAnew();
    const { spans } = this;
    if (!this.#live.take(rows)) {
      this.#places.endIds();
      this.#live.take(rows);
    }
    if (this.spans !== spans) this.#wanted.noteLiveLines();
    this.#places.noteDisorder();
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
    return this.#pages.add(request, raw);
  }
}
