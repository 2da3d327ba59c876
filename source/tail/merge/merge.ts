import { defaultLogLimit } from '../../contract/logs.ts';
import type { InsertedRun } from '../arena/entries.ts';
import { fillingState, type GapReason } from '../arena/gap.ts';
import { isAdjacent, maxPlace, minPlace, type Place, shiftPlace } from '../arena/place.ts';
import { type LogRow, type PlacedRow, rowTime } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { cover, doubtBehind, forgetBefore, giveUp, spanAt, type Spans } from './coverage.ts';
import { Doubts } from './doubts.ts';
import { haveRisingIds, placeById } from './id-lines.ts';
import { InstantLines, type PageBucket } from './instant-lines.ts';
import { bucketEdge } from './instants.ts';
import type { Change, MergedLog } from './merged-log.ts';
import { rowOrder, type RowOrder } from './page-order.ts';
import { OrderProbe, type ReadPage } from './order-probe.ts';
import { PagePlanner, type PageSight } from './page-planner.ts';
import { overlapOf } from './paging.ts';
import type { FailureKind, MergeOptions, PageRequest, PageTarget } from './page-request.ts';
import { type Order, ShownFields } from './shown-fields.ts';

/** Lines that a breaking stream may have delivered out of order. */
const reorderDepth = 32;

/** Pages in a row that may bring nothing before that counts as a failed attempt. */
const mostIdle = 24;

/** After so many attempts, the meaning of offsets is found out anew. */
const attemptsOfOrder = 4;

/** The attempts for the present target since its last progress. */
interface Work {
  readonly target: PageTarget;
  readonly edge: Place | undefined;
  readonly attempt: number;
  /** Answers that brought nothing. */
  readonly idle: number;
  /** True once a page held nothing but lines of the instant at the edge. */
  readonly isInside: boolean;
  /** True once a page held the newest lines of that instant. */
  readonly sawNewest: boolean;
}

const noWork: Work = {
  target: 'head',
  edge: undefined,
  attempt: 0,
  idle: 0,
  isInside: false,
  sawNewest: false,
};

/** Rows of a page as they were placed. */
interface PlacedPage<Line> {
  readonly change: Pick<Change<Line>, 'put' | 'drop'>;
  /** The range between whose ends the page has every line. */
  readonly covers: readonly [Place, Place];
  /** The range of which the page shows every line; the first place is higher when there is none. */
  readonly shows: readonly [Place, Place];
  /** Places of the oldest and of the newest row, or of the starts of their instants. */
  readonly ends: readonly [Place, Place];
  readonly buckets: readonly PageBucket[];
}

/** Joins the live stream, pages of history, and the lines after a drop into one log. */
export class LogMerge<Line> {
  spans: Spans = [];
  asking: PageRequest | undefined;
  isOpen = false;
  /** The first history has been had, or given up. */
  isReady = false;
  /** The service has nothing before the oldest known line. */
  isComplete = false;
  /** The first place of the live lines; undefined while all lines are history. */
  start: Place | undefined;

  readonly #log: MergedLog<Line>;
  readonly #options: MergeOptions;
  readonly #fields = new ShownFields();
  readonly #instants: InstantLines<Line>;
  readonly #planner: PagePlanner;
  readonly #doubts = new Doubts();
  #order: Order = 'id';
  #digits = 0;
  #inserted: InsertedRun[] = [];
  /** Requests may be made: not while the service is away. */
  #isAllowed = false;
  #connection = 0;
  /** The first place that the present connection vouches for. */
  #liveFrom: Place | undefined;
  #head: 'known' | 'wanted' | 'audit' = 'known';
  #wanted: number;
  #work = noWork;
  #requests = 0;
  readonly #probe = new OrderProbe<Line>();
  /** The order of offsets is a guess by the order of rows, to be proven before it matters. */
  #isGuess = false;
  #mustProve = false;
  #rowOrder: RowOrder | undefined;

  constructor(log: MergedLog<Line>, options: MergeOptions) {
    this.#log = log;
    this.#options = options;
    this.#wanted = options.history;
    this.#instants = new InstantLines(log, this.#fields);
    this.#planner = new PagePlanner(log, options.pageSize);
  }

  /** Returns the lines inserted since the last call. */
  takeInserted(): readonly InsertedRun[] {
    const inserted = this.#inserted;
    this.#inserted = [];
    return inserted;
  }

  /** Returns true when a run of messages may be appended by its ids alone. */
  get isById(): boolean {
    return this.#order === 'id';
  }

  /** The stream stands: what it sends from now on has no gap. */
  opened(): void {
    this.isOpen = true;
    this.#connection += 1;
    this.#liveFrom = undefined;
    this.#instants.opened();
    this.poll();
  }

  /** Asks for the newest lines. */
  poll(): void {
    this.#isAllowed = true;
    this.#wantHead('wanted');
    this.#resetWork();
  }

  /** Asks whether the quiet stream keeps lines back. */
  audit(): void {
    if (this.#head === 'known' && this.isOpen) this.#wantHead('audit');
  }

  /** Asks for lines before the oldest one. */
  older(lines: number): void {
    this.#wanted = this.#hadHistory() + lines;
  }

  /** Tries gaps again that were given up. */
  retry(): void {
    this.#isAllowed = true;
    this.#resetWork();
    const spans = this.spans.map((span) =>
      span.below?.kind === 'missing' ? { ...span, below: fillingState } : span,
    );
    this.#apply({ spans });
  }

  /** Called every few seconds: lets history confirm what the stream left in doubt. */
  check(): void {
    const newest = this.spans.at(-1)?.to;
    if (newest === undefined) return;
    this.#doubts.check(newest);
    if (!this.#isGuess || !this.isOpen || this.asking !== undefined) return;
    this.#forgetOrder();
    this.#wantHead('wanted');
  }

  /** Adds lines of the open stream. Since its first line, it has left none out. */
  lines(rows: readonly LogRow<Line>[]): void {
    if (rows.length === 0) return;
    this.#fields.note('stream', rows);
    this.#adapt();
    if (this.#order === 'id' && !this.#takeById(rows)) this.#endIds();
    else if (this.#order === 'id') return;
    if (this.#order === 'instant') this.#takeByInstant(rows);
    else this.#takeByArrival(rows);
  }

  /**
   * Appends a run whose ids rise behind all known lines. Returns false when its lines must be added
   * one by one.
   */
  append(run: Run, append: (spans: Spans) => InsertedRun): boolean {
    const first = run.places[0] ?? 0;
    const last = run.places[run.count - 1] ?? 0;
    const newest = this.#newest();
    if (this.#order !== 'id' || this.#liveFrom === undefined) return false;
    if (newest === undefined || first <= newest) return false;
    if (last - first + 1 !== run.count || !isAdjacent(newest, first))
      this.#doubts.note(newest, last);
    this.spans = this.#extended(this.#liveFrom, last, first);
    this.#inserted.push(append(this.spans));
    return true;
  }

  closed(): void {
    const top = this.spans.at(-1);
    this.isOpen = false;
    this.#isAllowed = false;
    const from = this.#liveFrom;
    this.#liveFrom = undefined;
    if (from === undefined || top === undefined || from > top.to || this.#order === 'text') return;
    const last = this.#log.upTo(this.#newest() ?? top.to, reorderDepth);
    const isUnbroken = last.every(
      ({ place }, index) => index === 0 || isAdjacent(last[index - 1]?.place ?? place, place),
    );
    if (this.#order === 'id' && isUnbroken) return;
    const place = last[0]?.place ?? top.to;
    const doubtful =
      this.#order === 'id' ? place : this.#instants.bucketOf(Number(place)) + bucketEdge.end;
    this.#apply({ spans: doubtBehind(this.spans, maxPlace(from, doubtful)) });
  }

  /** Entries before `place` are about to be dropped from memory. */
  forget(place: Place): void {
    this.spans = forgetBefore(this.spans, place);
    if (this.#liveFrom !== undefined) this.#liveFrom = maxPlace(this.#liveFrom, place);
    if (this.start !== undefined) this.start = maxPlace(this.start, place);
    this.#doubts.forgetBefore(place);
    // Lines that were just dropped are fetched again only on request.
    this.#wanted = 0;
    this.isComplete = false;
  }

  /** Requests the next page, when one is needed and none is in flight. */
  ask(): void {
    if (!this.#isAllowed || this.asking !== undefined) return;
    const next = this.#nextTarget();
    if (next === undefined) {
      this.isReady = true;
      return;
    }
    const { target, edge } = next;
    if (this.#work.target !== target || this.#work.edge !== edge) {
      this.#work = { ...noWork, target, edge };
      this.#planner.restart();
    }
    const above = edge === undefined ? 0 : this.#log.linesFrom(this.#behind(edge));
    const lines = target === 'head' ? this.#wanted : this.#missingHistory();
    const probe = this.#planner.order === undefined ? this.#probe.next : undefined;
    const plan = probe ?? this.#planner.plan(target, edge, lines, above);
    this.#requests += 1;
    this.asking = {
      number: this.#requests,
      ...plan,
      attempt: this.#work.attempt,
      target,
      edge,
      connection: this.#connection,
      newest: this.#newest(),
      settled: this.#doubts.settled,
    };
  }

  failed(request: PageRequest, why: FailureKind): void {
    if (this.asking?.number !== request.number) return;
    this.asking = undefined;
    if (why === 'size' && this.#planner.shrink()) return;
    // While the service is away nothing is given up: it is asked again when it is back.
    if (!this.isOpen) {
      this.#isAllowed = false;
      if (why === 'final') this.isReady = true;
    } else if (why === 'passing') this.#later('unanswered');
    else this.#abandon('unanswered');
  }

  /**
   * Adds a page. Returns true when the service has lines that its open stream has not delivered.
   */
  page(request: PageRequest, raw: readonly LogRow<Line>[]): boolean {
    if (this.asking?.number !== request.number) return false;
    this.asking = undefined;
    this.#planner.noteRows(request, raw.length);
    const isSearch = request.target === 'head' && request.limit === 1;
    if (isSearch && this.#planner.order === 'oldest') {
      this.#planner.end.look({ offset: request.offset, rows: raw.length }, 1, false);
      if (this.#planner.end.isFound) this.#headIsKnown(request);
      return false;
    }
    this.#fields.note('http', raw);
    this.#adapt();
    this.#rowOrder = rowOrder(raw) ?? this.#rowOrder ?? this.#orderAmongKnown(raw);
    const rows = this.#rowOrder === 'descending' ? raw.toReversed() : raw;
    if (this.#planner.order === undefined && this.#rowOrder === 'descending' && !this.#mustProve) {
      this.#probe.look({ request, rows }, false);
      this.#planner.order = 'newest';
      this.#isGuess = true;
    }
    if (this.#planner.order !== undefined) return this.#join({ request, rows });
    const found = this.#probe.look({ request, rows }, this.#isKnownWhole(request, rows));
    if (found === undefined) return false;
    if (found.order !== 'whole') this.#planner.order = found.order;
    if (found.order === 'oldest') this.#planner.end.restart(rows.length - 1, false);
    const isBehind = found.pages.map((page) => this.#join(page, found.order === 'whole'));
    return isBehind.includes(true);
  }

  /** Returns whether a page is the whole log that was read before: no line behind it is known. */
  #isKnownWhole(request: PageRequest, rows: readonly LogRow<Line>[]): boolean {
    const last = rows.at(-1);
    if (last === undefined || rows.length >= defaultLogLimit) return false;
    const { newest } = request;
    const hasNewest = newest === undefined || this.#placeOf(last) >= this.startOf(newest);
    return hasNewest && this.#planner.endsLog(request, rows.length);
  }

  #forgetOrder(): void {
    if (!this.#isGuess) this.#probe.restart();
    this.#isGuess = false;
    this.#mustProve = true;
    this.#planner.forgetOrder();
  }

  #orderAmongKnown(rows: readonly LogRow<Line>[]): RowOrder | undefined {
    return this.#order === 'instant' ? this.#instants.orderOf(rows) : undefined;
  }

  #placeOf(row: LogRow<Line>): Place {
    return this.#order === 'id' ? (row.id ?? 0) : this.#instants.startOf(row);
  }

  /** Joins the rows of a page, oldest first, and decides how to go on. */
  #join({ request, rows }: ReadPage<Line>, isWholeLog = false): boolean {
    const { target, edge } = request;
    if (rows.length === 0) {
      if (target === 'head') {
        this.#planner.end.look({ offset: request.offset, rows: 0 }, request.limit, true);
        if (this.#planner.order !== 'oldest' || this.#planner.end.isFound) {
          this.#headIsKnown(request);
          if (request.offset === 0 && this.spans.length === 0) this.isComplete = true;
        }
      } else this.#judge(request, rows.length, emptySight);
      return false;
    }
    if (this.#order === 'text') return this.#joinText(request, rows);
    const placed = this.#placePage(request, rows, isWholeLog);
    if (placed === undefined) {
      this.#endIds();
      return this.#join({ request, rows }, isWholeLog);
    }
    const newest = this.#newest();
    const isBehind =
      this.#head === 'audit' && target === 'head' && placed.ends[1] > (newest ?? placed.ends[1]);
    this.#applyPage(placed, isBehind);
    this.#planner.anchor(this.#newestOf(placed), request, rows.length);
    this.#doubts.resolve(...placed.shows);
    if (this.#rowOrder === undefined) this.#doubts.note(...placed.ends);
    if (isWholeLog && edge !== undefined && placed.ends[1] < this.startOf(edge)) {
      this.#later('unanswered');
      return isBehind;
    }
    if (isWholeLog) this.#atBeginning(placed.ends[0]);
    if (target === 'head') {
      const { offset, limit } = request;
      const isShort = this.#planner.isShort(request, rows.length);
      this.#planner.end.look({ offset, rows: rows.length }, limit, isShort);
      if (this.#planner.order !== 'oldest' || this.#planner.end.isFound) this.#headIsKnown(request);
    } else if (target === 'check') this.#checked(request, rows, placed);
    else if (edge !== undefined) this.#judgePage(request, rows, placed);
    return isBehind;
  }

  /** Places the rows of a page; undefined when the ids do not order them. */
  #placePage(
    request: PageRequest,
    rows: readonly LogRow<Line>[],
    isWholeLog: boolean,
  ): PlacedPage<Line> | undefined {
    if (this.#order === 'id') {
      const placed = haveRisingIds(rows)
        ? placeById(rows, this.#log, this.#fields, this.#newest())
        : undefined;
      if (placed === undefined) return undefined;
      const covers: readonly [Place, Place] = [placed[0]?.place ?? 0, placed.at(-1)?.place ?? 0];
      const put = placed.filter(({ isKnown }) => !isKnown);
      return { change: { put, drop: [] }, covers, shows: covers, ends: covers, buckets: [] };
    }
    const begins = isWholeLog || this.#planner.beginsLog(request, rows.length);
    const isNewest = isWholeLog || this.#planner.endsLog(request, rows.length);
    const { put, drop, buckets } = this.#instants.page(rows, {
      begins,
      // Lines of its last instant may have come after the page was cut.
      ends: isNewest && this.#instants.startOf(rows.at(-1)) <= request.settled,
      isNewest,
      inside: this.#work.isInside ? Number(this.startOf(this.#work.edge ?? 0)) : undefined,
      mayMove: this.#options.isAppendOnly !== true,
      mayLower: (start, surplus) => this.#doubts.isConfirmed(start, surplus),
    });
    const first = buckets[0]?.start ?? 0;
    const last = buckets.at(-1)?.start ?? 0;
    const from = buckets[0]?.from ?? 0;
    let to = buckets.at(-1)?.isWhole === true ? this.#behind(last) : last + bucketEdge.end;
    // Of an instant larger than a page, the newest page has the newest lines.
    if (isNewest) to = maxPlace(from, to);
    const whole = buckets.filter(({ isWhole }) => isWhole);
    const shows: readonly [Place, Place] = [
      whole[0]?.start ?? 0,
      shiftPlace(this.#behind(whole.at(-1)?.start ?? -1), -1),
    ];
    return { change: { put, drop }, covers: [from, to], shows, ends: [first, last], buckets };
  }

  /**
   * Applies a page, but not its lines behind all that are known once the open stream has brought
   * some: it will bring these as well. A stream with much under way would else never catch up.
   */
  #applyPage({ change, covers: [from, to] }: PlacedPage<Line>, isBehind: boolean): void {
    const top = this.spans.at(-1);
    const newest = this.#newest();
    const isFlowing = this.isOpen && this.#liveFrom !== undefined && !isBehind;
    const isLimited = isFlowing && newest !== undefined;
    const behind = isLimited ? this.#behind(newest) : undefined;
    const put = change.put.filter(({ place }) => behind === undefined || place < behind);
    const end = isLimited && top !== undefined ? minPlace(top.to, to) : to;
    const spans = from <= end ? cover(this.spans, from, end) : this.spans;
    this.#apply({ put, drop: change.drop, lean: 'newer', spans });
  }

  /** Decides how to go on after a page that was requested for an edge. */
  #judgePage(request: PageRequest, rows: readonly LogRow<Line>[], placed: PlacedPage<Line>): void {
    const { edge } = request;
    const sight = this.#sight(request, rows, placed);
    const isSameInstant =
      this.#order === 'instant' && edge !== undefined && placed.ends[1] === this.startOf(edge);
    if (isSameInstant && placed.buckets.length > 1 && this.#work.isInside) {
      // No page holds the instant whole: it may have more lines.
      this.#joinBelow(edge);
      this.#split(placed.ends[1]);
    }
    const span = this.spans[spanAt(this.spans, edge ?? 0)];
    if (span === undefined || edge === undefined || span.from < edge) {
      if (request.offset > 0) this.#isGuess = false;
      this.#resetWork();
      return;
    }
    if (sight.isOneInstant) {
      const isNew = placed.change.put.length > 0;
      this.#work = { ...this.#work, isInside: true, idle: isNew ? 0 : this.#work.idle };
    }
    if (sight.relation === 'touching') this.#work = { ...this.#work, sawNewest: true };
    const isJoinable =
      isSameInstant && placed.buckets.length > 1 && placed.buckets.at(-1)?.hasAllKnown === true;
    this.#judge(request, rows.length, sight, isJoinable);
  }

  #judge(request: PageRequest, rows: number, sight: PageSight, isJoinable = false): void {
    const { edge } = request;
    if (this.#isGuess) {
      this.#forgetOrder();
      return;
    }
    const verdict = this.#planner.judge(request, rows, sight);
    if (request.target === 'check' && verdict !== 'again') {
      this.#doubts.looked(false);
      this.#resetWork();
    } else if (verdict === 'beginning') {
      this.#atBeginning(edge ?? 0);
      this.#resetWork();
    } else if (verdict === 'again') {
      this.#work = { ...this.#work, idle: this.#work.idle + 1 };
      if (this.#work.idle > mostIdle) this.#later('unclear');
    } else if (isJoinable && edge !== undefined) {
      // The newest page ends with the instant in which the live lines begin.
      this.#joinBelow(edge);
      this.#doubts.note(this.startOf(edge), edge);
      this.#resetWork();
    } else this.#later('unanswered');
  }

  #sight(request: PageRequest, rows: readonly LogRow<Line>[], placed: PlacedPage<Line>): PageSight {
    const start = this.startOf(request.edge ?? 0);
    const [oldest, newest] = placed.ends;
    const last = placed.buckets.at(-1);
    // A page within the instant of the edge helps only behind the page with its newest lines.
    const isKnownEnd = this.#work.sawNewest || this.#planner.endsLog(request, rows.length);
    const isSingle = placed.buckets.length === 1;
    const isCut = last?.start === start && !last.isWhole && !(isSingle && isKnownEnd);
    const relation =
      newest < start || isCut ? 'older' : oldest > start ? 'newer' : ('touching' as const);
    const step = Number(shiftPlace(newest, -BigInt(oldest))) / Math.max(1, rows.length - 1);
    const places = relation === 'newer' ? [start, oldest] : [newest, start];
    const between = Number(shiftPlace(places[1] ?? 0, -BigInt(places[0] ?? 0)));
    const newerRows = rows.filter((row) => this.#placeOf(row) > start).length;
    const isFull = newerRows <= 2 * overlapOf(request.limit);
    return {
      relation,
      distance: step > 0 && between > 0 ? Math.floor((between / step) * trust) : 1,
      newerRows,
      isOneInstant: relation === 'touching' && oldest === start && isFull,
    };
  }

  /** Joins the span above an edge to the one below it. */
  #joinBelow(edge: Place): void {
    const index = spanAt(this.spans, edge);
    const under = this.spans[index - 1];
    if (under !== undefined) this.#apply({ spans: cover(this.spans, under.to, edge) });
  }

  /** Says that an instant may have more equal lines than can be counted. */
  #split(start: Place): void {
    const index = spanAt(this.spans, start);
    const span = this.spans[index];
    const inside = shiftPlace(start, bucketEdge.start);
    if (span === undefined || span.from >= inside) return;
    const under = { ...span, to: shiftPlace(start, bucketEdge.end) };
    const above = { ...span, from: inside, below: { kind: 'missing', why: 'equal' } as const };
    this.#apply({ spans: this.spans.toSpliced(index, 1, under, above) });
  }

  /** A page was read for lines in doubt. */
  #checked(request: PageRequest, rows: readonly LogRow<Line>[], placed: PlacedPage<Line>): void {
    const sight = this.#sight(request, rows, placed);
    const { put, drop } = placed.change;
    if (sight.relation === 'touching') this.#doubts.looked(put.length + drop.length > 0);
    else this.#judge(request, rows.length, sight);
  }

  /** Shows the only page that can be had of a log without ids or instants. */
  #joinText(request: PageRequest, rows: readonly LogRow<Line>[]): boolean {
    if (this.#log.lines === 0) {
      const put = rows.map((row, index) => ({ place: index + 1, row }));
      this.#apply({ put, lean: 'newer', spans: cover(this.spans, 1, rows.length) });
    }
    this.isComplete = true;
    this.#headIsKnown({ ...request, connection: this.#connection });
    if (request.target !== 'head') this.#abandon('unclear');
    return false;
  }

  /** Takes live lines by their ids. Returns false when the ids do not order them. */
  #takeById(rows: readonly LogRow<Line>[]): boolean {
    const newest = this.#newest();
    const placed = placeById(rows, this.#log, this.#fields, newest);
    if (placed === undefined) return false;
    const floor = this.#floor();
    const isInRange = (place: Place): boolean => floor === undefined || place >= floor;
    const put = placed.filter(({ place, isKnown }) => !isKnown && isInRange(place));
    const first = rows.find(({ id }) => isInRange(id ?? 0))?.id;
    const last = placed.at(-1)?.place;
    if (first === undefined || last === undefined) return true;
    const lowest = floor === undefined ? minPlace(placed[0]?.place ?? first, first) : first;
    const behind = put.filter(({ place }) => newest !== undefined && place > newest);
    const isUnbroken = behind.every(({ place }, index) =>
      isAdjacent(behind[index - 1]?.place ?? newest ?? place, place),
    );
    if (newest !== undefined && !isUnbroken) this.#doubts.note(newest, last);
    // A replay that fills a gap may have holes as well.
    if (newest !== undefined && put.length > behind.length) {
      this.#doubts.note(put[0]?.place ?? newest, newest);
    }
    const spans = this.#extended(lowest, last, put[0]?.place);
    this.#apply({ put, lean: 'older', spans: this.#withLate(spans, put) });
    return true;
  }

  #takeByInstant(rows: readonly LogRow<Line>[]): void {
    const floor = this.#floor();
    const isFresh = floor === undefined;
    const { put, first, from, last, doubts } = this.#instants.live(
      rows,
      isFresh ? undefined : this.#instants.bucketOf(Number(floor)),
    );
    if (first === undefined || last === undefined) return;
    if (this.#options.isAppendOnly !== true)
      for (const start of doubts) this.#doubts.note(start, start);
    const lowest = isFresh && put[0] !== undefined ? this.startOf(put[0].place) : first;
    const start = lowest < first ? shiftPlace(lowest, bucketEdge.start) : from;
    const spans = this.#extended(start, last + bucketEdge.end, put[0]?.place);
    this.#apply({ put, lean: 'older', spans: this.#withLate(spans, put) });
  }

  /** Lines of which nothing tells the position stand one behind the other, as they come. */
  #takeByArrival(rows: readonly LogRow<Line>[]): void {
    const newest = this.#newest();
    const isFirst = this.#liveFrom === undefined;
    const place = newest === undefined ? 1 : shiftPlace(newest, isFirst ? 2 : 1);
    const put = rows.map((row, index) => ({ place: shiftPlace(place, index), row }));
    const spans = this.#extended(place, shiftPlace(place, rows.length - 1), place);
    const isApart = isFirst && newest !== undefined;
    this.#apply({
      put,
      lean: 'older',
      spans: isApart ? giveUp(spans, spans.length - 1, 'unclear') : spans,
    });
  }

  /** Returns the place before which live lines are left to history; undefined without one. */
  #floor(): Place | undefined {
    const bottom = this.spans[0]?.from;
    return bottom === this.#liveFrom ? undefined : bottom;
  }

  /** Returns the spans after the stream has left nothing out between two places. */
  #extended(from: Place, to: Place, firstNew: Place | undefined): Spans {
    const isFresh = this.#floor() === undefined;
    const start = this.#liveFrom ?? from;
    this.#liveFrom = isFresh ? minPlace(start, from) : start;
    this.start ??= firstNew;
    // With a live line at hand, what is missing before it is asked for instead of the newest page.
    if (this.#head === 'wanted') this.#head = 'known';
    return cover(this.spans, this.#liveFrom, maxPlace(this.#liveFrom, to));
  }

  /** Adds lines that came late, in the midst of a gap, each as known by itself. */
  #withLate(spans: Spans, put: readonly PlacedRow<Line>[]): Spans {
    let covered = spans;
    for (const { place } of put) {
      const from =
        this.#order === 'id' ? place : shiftPlace(this.startOf(place), bucketEdge.start);
      if (from > (this.#liveFrom ?? from)) break;
      if (spanAt(covered, from) < 0) covered = cover(covered, from, from);
    }
    return covered;
  }

  #nextTarget(): { readonly target: PageTarget; readonly edge: Place | undefined } | undefined {
    if (this.#head === 'wanted') return { target: 'head', edge: undefined };
    const gap = this.spans.findLast(({ below }) => below?.kind === 'filling');
    if (gap !== undefined) return { target: 'gap', edge: gap.from };
    if (this.#missingHistory() > 0) return { target: 'older', edge: this.spans[0]?.from };
    const doubt = this.#doubts.next();
    if (doubt !== undefined && this.isOpen) return { target: 'check', edge: doubt };
    return this.#head === 'audit' ? { target: 'head', edge: undefined } : undefined;
  }

  /** Returns the number of lines of history that are wanted and missing. */
  #missingHistory(): number {
    if (this.isComplete || this.spans.length === 0) return 0;
    return Math.max(0, this.#wanted - this.#hadHistory());
  }

  #hadHistory(): number {
    return this.#log.lines - (this.start === undefined ? 0 : this.#log.linesFrom(this.start));
  }

  #wantHead(head: 'wanted' | 'audit'): void {
    this.#head = head;
    this.#planner.restartEnd();
  }

  #headIsKnown({ connection }: Pick<PageRequest, 'connection'>): void {
    // Only a page that was requested on this connection joins what came before it.
    if (connection === this.#connection) this.#head = 'known';
    else this.#planner.restartEnd();
  }

  /** Asks again after a while: the service may be behind its own stream, or away. */
  #later(why: GapReason): void {
    const attempt = this.#work.attempt + 1;
    if (attempt > this.#options.patience) {
      this.#abandon(why);
      return;
    }
    this.#work = { ...this.#work, attempt, idle: 0 };
    this.#planner.restart();
    if (attempt % attemptsOfOrder !== 0) return;
    this.#forgetOrder();
  }

  /** Stops asking for a target; a gap stands as missing until it is tried again. */
  #abandon(why: GapReason): void {
    const { target, edge } = this.#work;
    if (target === 'head') this.#head = 'known';
    else if (target === 'older') this.#wanted = 0;
    else if (target === 'check') {
      this.#doubts.dismiss();
    } else if (edge !== undefined) {
      this.#apply({ spans: giveUp(this.spans, spanAt(this.spans, edge), why) });
    }
    this.#resetWork();
  }

  /** The service has nothing before a place: what is missing below is gone. */
  #atBeginning(place: Place): void {
    let { spans } = this;
    for (let index = spanAt(spans, place); index > 0; index -= 1) {
      if (spans[index]?.below?.kind === 'filling') spans = giveUp(spans, index, 'gone');
    }
    this.isComplete = true;
    this.#apply({ spans });
  }

  #resetWork(): void {
    this.#work = noWork;
    this.#planner.restart();
  }

  #newest(): Place | undefined {
    return this.#log.upTo(Number.POSITIVE_INFINITY, 1)[0]?.place;
  }

  /** Returns the place of the newest line in a page. */
  #newestOf({ ends: [, newest] }: PlacedPage<Line>): Place {
    return this.#log.upTo(shiftPlace(this.#behind(newest), -1), 1)[0]?.place ?? newest;
  }

  /** Returns the first place of the instant that a place lies in; by id, the place itself. */
  startOf(place: Place): Place {
    return this.#order === 'instant' ? this.#instants.bucketOf(Number(place)) : place;
  }

  /** Returns the first place behind the instant that a place lies in. */
  #behind(place: Place): Place {
    const start = this.startOf(place);
    return shiftPlace(start, this.#order === 'instant' ? this.#instants.size : 1);
  }

  /** The ids do not tell the lines apart, or do not order them: instants do from now on. */
  #endIds(): void {
    const times = this.#log
      .from(Number.NEGATIVE_INFINITY, this.#log.lines)
      .map(({ row }) => rowTime(row) ?? 0);
    const isRising = times.every((time, index) => time >= (times[index - 1] ?? time));
    this.#fields.areIdsUnusable = true;
    this.#adapt();
    if (isRising) return;
    // Coverage by such ids means nothing: all of it is read again, above the oldest line.
    const [oldest] = this.#log.from(Number.NEGATIVE_INFINITY, 1);
    const bottom = oldest && shiftPlace(this.startOf(oldest.place), bucketEdge.start);
    this.#liveFrom = undefined;
    this.#head = 'wanted';
    this.#apply({ spans: bottom === undefined ? [] : cover([], bottom, bottom) });
  }

  /** Places all lines anew when both transports turn out to show other fields. */
  #adapt(): void {
    const { order, digits } = this.#fields;
    const isSame = order === this.#order && (order !== 'instant' || digits === this.#digits);
    this.#order = order;
    this.#digits = digits;
    if (isSame || order !== 'instant') return;
    this.#instants.opened();
    this.#doubts.clear();
    this.#planner.forgetAnchor();
    this.#resetWork();
    const old = this.#log.from(Number.NEGATIVE_INFINITY, this.#log.lines);
    const [first] = old;
    const last = old.at(-1);
    if (first === undefined || last === undefined) return;
    const places = this.#instants.replaced(old.map(({ row }) => row));
    const moved = old.map(({ place, row }, index) => ({
      old: place,
      place: places[index] ?? 0,
      row,
    }));
    const startIn = (place: Place | undefined): Place | undefined => {
      const line = place === undefined ? undefined : moved.find((each) => each.old >= place);
      return line && shiftPlace(this.startOf(line.place), bucketEdge.start);
    };
    let spans: Spans = [];
    for (const { from, to } of this.spans) {
      const inside = moved.filter((each) => each.old >= from && each.old <= to);
      const starts = inside.map(({ place }) => Number(this.startOf(place)));
      if (starts.length === 0) continue;
      const lowest = starts.reduce((least, start) => Math.min(least, start)) + bucketEdge.start;
      const highest = starts.reduce((most, start) => Math.max(most, start)) + bucketEdge.end;
      spans = cover(spans, lowest, Math.max(lowest, highest));
    }
    this.#liveFrom = startIn(this.#liveFrom);
    this.start = startIn(this.start);
    const put: readonly PlacedRow<Line>[] = moved.toSorted(
      (left, right) => left.place - right.place,
    );
    const from = this.#liveFrom;
    const live = from === undefined ? [] : put.filter(({ place }) => place >= from);
    this.spans = spans;
    this.#log.replace(put, spans);
    this.#instants.resume(live.map(({ row }) => row));
  }

  #apply(change: Partial<Change<Line>> & Pick<Change<Line>, 'spans'>): void {
    const { put = [], drop = [], lean = 'newer', spans } = change;
    if (put.length === 0 && drop.length === 0 && spans === this.spans) return;
    this.spans = spans;
    this.#inserted.push(...this.#log.apply({ put, drop, lean, spans }));
  }
}

/** The share of a distance in rows that is trusted: ids and instants may lie closer elsewhere. */
const trust = 0.9;

const emptySight: PageSight = {
  relation: 'empty',
  distance: 0,
  newerRows: 0,
  isOneInstant: false,
};
