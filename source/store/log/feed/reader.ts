import type { LogLine } from '../../../contract/logs.ts';
import { isAdjacent, type Place } from '../../../tail/arena/place.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import {
  type Entry,
  type GapEntry,
  indexAfter,
  type InsertedRun,
  type LineMessage,
  seqAt,
} from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import type { FollowedLog } from './followed-log.ts';

/** Result of one read. */
export interface LogReadResult {
  /** Entries in order, each returned once; valid until the log changes. */
  readonly entries: readonly (LineMessage | GapEntry<LogLine>)[];
  /** Live lines that were inserted before an entry that had been read already. */
  readonly lateLines: readonly LogLine[];
  /** Lines of history that came after they were waited for in vain. */
  readonly backfill: readonly LogLine[];
  /** Gaps that were waited for in vain; `opening` for the first history. */
  readonly passed: readonly (GapEntry<LogLine> | 'opening')[];
  /** True when memory dropped lines before they could be read. */
  readonly hasLostLines: boolean;
  /** Milliseconds after which more can be read even if no new lines arrive. */
  readonly retryIn: number | undefined;
}

export interface LogReaderOptions {
  /** Returns the number of lines of history to read first; called when the history is there. */
  readonly before: () => number;
  /** Milliseconds that live lines wait for the first history. */
  readonly openingTimeout?: number | undefined;
  /** Milliseconds that live lines wait for the lines before them after a drop. */
  readonly historyTimeout?: number | undefined;
}

/** The log, as a reader needs it. */
type ReadLog = Pick<
  FollowedLog,
  'entries' | 'firstLive' | 'isById' | 'messageAt' | 'onInserted' | 'ready' | 'settled'
>;

/**
 * Reads a log for output that cannot be revised. An entry is returned only when, as far as the ids
 * and times show, no line can be inserted before it any more, or when that was waited for in vain.
 */
export class LogReader {
  readonly #logs: ReadLog;
  readonly #clock: Clock;
  readonly #options: LogReaderOptions;
  readonly #arrivals: Arrivals;
  readonly #passedGaps = new PassedGaps();
  readonly #unsubscribe: () => void;
  #lateLines: LogLine[] = [];
  #backfill: LogLine[] = [];
  /** The place before which lines are waited for, and since when. */
  #waiting: { readonly place: Place; readonly since: number } | undefined;
  /** True while history comes that the reader has gone on without at the opening. */
  #isOpeningPassed = false;
  /** `seq` of the first entry to read; undefined until it is determined. */
  #beginSeq: number | undefined;
  /** `seq` of the last entry that was read or skipped. */
  #lastSeq = Number.NEGATIVE_INFINITY;
  #beginPlace: Place | undefined;
  #lastPlace: Place | undefined;
  #isAtGap = false;
  #epoch: number;

  constructor(logs: ReadLog, clock: Clock, options: LogReaderOptions) {
    this.#logs = logs;
    this.#clock = clock;
    this.#options = options;
    this.#arrivals = new Arrivals(clock);
    this.#epoch = logs.entries.epoch;
    this.#unsubscribe = logs.onInserted((inserted) => {
      this.#resync();
      const newest = inserted.at(-1)?.last;
      const live = logs.entries.at(logs.firstLive());
      if (newest !== undefined && live !== undefined && newest >= live.seq)
        this.#arrivals.add(newest);
      for (const run of inserted) this.#addLateLines(run);
    });
  }

  /**
   * Returns the next entries.
   * @param most entries to return.
   * @param bytes size of the returned messages after which no further message is added.
   */
  read(most: number, bytes: number): LogReadResult {
    this.#resync();
    const passed: (GapEntry<LogLine> | 'opening')[] = [];
    const wasOpeningPassed = this.#isOpeningPassed;
    const left = this.#begin();
    if (this.#isOpeningPassed && !wasOpeningPassed) passed.push('opening');
    this.#takeOpening();
    const late = { lateLines: this.#lateLines, backfill: this.#backfill };
    [this.#lateLines, this.#backfill] = [[], []];
    if (this.#beginSeq === undefined)
      return { entries: [], ...late, passed, hasLostLines: false, retryIn: left };
    const hasLostLines = this.#hasLostLines();
    const { batch, retryIn } = this.#take(most, bytes, passed);
    this.#arrivals.forget(this.#lastSeq);
    return { entries: batch, ...late, passed, hasLostLines, retryIn };
  }

  /** Returns the number of entries in memory that have not been read. */
  unreadCount(): number {
    return this.#logs.entries.length - this.#nextIndex();
  }

  stop(): void {
    this.#unsubscribe();
  }

  #nextIndex(): number {
    return indexAfter(this.#logs.entries, this.#lastSeq);
  }

  /** Returns whether memory has dropped lines behind the last one that was read. */
  #hasLostLines(): boolean {
    const index = this.#nextIndex();
    const oldest = this.#logs.messageAt(index);
    const isUnread = this.#lastPlace !== undefined && oldest !== undefined;
    return index === 0 && isUnread && oldest.seq > this.#lastSeq + 1;
  }

  /**
   * Takes the next entries that need not wait, and goes on behind gaps that were waited for in vain.
   * @param passed takes these gaps.
   */
  #take(most: number, bytes: number, passed: (GapEntry<LogLine> | 'opening')[]) {
    const batch: (LineMessage | GapEntry<LogLine>)[] = [];
    const index = this.#nextIndex();
    let bytesLeft = bytes;
    let filling = this.#nextFilling(index);
    for (let at = index; at < index + most && bytesLeft > 0; at += 1) {
      const entry = this.#logs.messageAt(at);
      if (entry === undefined) break;
      if (at === filling && entry.kind === 'gap') {
        const retryIn = this.#waitLeft(entry.place, this.#options.historyTimeout);
        if (retryIn > 0) return { batch, retryIn };
        this.#passedGaps.add(entry, this.#lastPlace);
        passed.push(entry);
        this.#advance(entry);
        filling = this.#nextFilling(at + 1);
        continue;
      }
      const until = this.#holdEnd(entry);
      if (until !== undefined) return { batch, retryIn: until - this.#clock.now() };
      batch.push(entry);
      if (entry.kind === 'message') bytesLeft -= entry.end - entry.start;
      this.#advance(entry);
    }
    return { batch, retryIn: undefined };
  }

  #advance({ seq, place, kind }: LineMessage | GapEntry<LogLine>): void {
    this.#lastSeq = seq;
    this.#lastPlace = place;
    this.#isAtGap = kind === 'gap';
  }

  /** Finds the position again by its place. */
  #resync(): void {
    const { entries } = this.#logs;
    if (entries.epoch === this.#epoch) return;
    this.#epoch = entries.epoch;
    this.#arrivals.clear();
    const beginPlace = this.#beginPlace;
    if (beginPlace !== undefined)
      this.#beginSeq = seqAt(entries, this.#indexFrom(beginPlace)) ?? this.#lastSeq;
    const place = this.#lastPlace ?? beginPlace;
    if (place === undefined) return;
    let index = this.#indexFrom(place);
    while (this.#isRead(entries.at(index))) index += 1;
    this.#lastSeq = seqAt(entries, index - 1) ?? Number.NEGATIVE_INFINITY;
  }

  /** Tests an entry at or after the last place; a gap has the place of the line after it. */
  #isRead(entry: Entry<LogLine> | undefined): boolean {
    const isLast = entry !== undefined && entry.place === this.#lastPlace;
    return isLast && (entry.kind === 'gap' || !this.#isAtGap);
  }

  /** Returns the index of the first entry at or after a place. */
  #indexFrom(place: Place): number {
    const { entries } = this.#logs;
    return bisect(entries.length, (index) => (entries.at(index)?.place ?? place) < place);
  }

  /** Collects lines inserted before an entry that was read, even if that was a gap since filled. */
  #addLateLines(run: InsertedRun): void {
    const { entries } = this.#logs;
    const begin = this.#beginSeq;
    if (begin === undefined || run.first >= this.#lastSeq || run.last < begin) return;
    const index = entries.indexOf(run.first);
    for (const entry of entries.slice(index, index + run.count)) {
      if (entry.kind !== 'line' || entry.seq >= this.#lastSeq || entry.seq < begin) continue;
      if (this.#passedGaps.holds(entry.place)) this.#backfill.push(entry.line);
      else this.#lateLines.push(entry.line);
    }
  }

  /**
   * Collects the first history that the reader has gone on without, once all of it is there: a part of it may
   * be farther back than the wanted lines.
   */
  #takeOpening(): void {
    const { entries } = this.#logs;
    if (!this.#isOpeningPassed || this.#beginSeq === undefined || !this.#logs.ready()) return;
    const end = entries.indexOf(this.#beginSeq);
    const wanted = entries.slice(Math.max(0, end - this.#options.before()), end);
    if (wanted.some((entry) => entry.kind === 'gap' && entry.state.kind === 'filling')) return;
    this.#isOpeningPassed = false;
    const lines = wanted.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
    this.#backfill = [...lines, ...this.#backfill];
  }

  /** Returns the milliseconds left to wait for lines before a place; 0 when the time is over. */
  #waitLeft(place: Place, timeout = Number.POSITIVE_INFINITY): number {
    const now = this.#clock.now();
    if (this.#waiting?.place !== place) this.#waiting = { place, since: now };
    return Math.max(0, this.#waiting.since + timeout - now);
  }

  /**
   * Begins with the wanted history, or with the first live line after waiting for history in vain.
   * Returns the milliseconds left to wait; undefined when it has begun, or no live line waits.
   */
  #begin(): number | undefined {
    const logs = this.#logs;
    if (this.#beginSeq !== undefined) return undefined;
    const first = logs.firstLive();
    if (logs.ready()) {
      this.#beginAt(Math.max(0, first - this.#options.before()));
      return undefined;
    }
    const live = logs.entries.at(first);
    if (live === undefined) return undefined;
    const left = this.#waitLeft(live.place, this.#options.openingTimeout);
    if (left > 0) return left;
    this.#beginAt(first);
    this.#isOpeningPassed = true;
    return undefined;
  }

  /** Begins at the entry with this index. */
  #beginAt(first: number): void {
    const { entries } = this.#logs;
    const begin = entries.at(first);
    this.#lastSeq = entries.at(first - 1)?.seq ?? this.#lastSeq;
    this.#beginSeq = begin?.seq ?? this.#lastSeq;
    this.#beginPlace = begin?.place;
  }

  /** Returns the index of the next gap that is being fetched, or else the number of entries. */
  #nextFilling(index: number): number {
    const { entries } = this.#logs;
    const settled = this.#logs.settled();
    if (index <= settled) return settled;
    const isNext = ({ seq, state }: GapEntry<LogLine>): boolean =>
      seq > this.#lastSeq && state.kind === 'filling';
    const gap = entries.gaps.find(isNext);
    return gap === undefined ? entries.length : entries.indexOf(gap.seq);
  }

  /** Returns until when a line after a hole is held back; undefined when it can be read now. */
  #holdEnd(entry: LineMessage | GapEntry<LogLine>): number | undefined {
    const place = this.#lastPlace;
    // Only ids tell that a line may have overtaken another one.
    const mayFollowHole = this.#logs.isById() && place !== undefined && entry.kind !== 'gap';
    if (!mayFollowHole || isAdjacent(place, entry.place)) return undefined;
    return this.#arrivals.holdEnd(entry.seq);
  }
}

/** Milliseconds that a line whose id leaves a hole waits for the line that it may have overtaken. */
const reorderWindow = 200;

/** Milliseconds within which several arrivals count as one. */
const arrivalGrain = 20;

interface Arrival {
  readonly at: number;
  /** `seq` of the newest line at that time. */
  readonly seq: number;
}

/** The times at which live lines came that have not been read. */
class Arrivals {
  readonly #clock: Clock;
  #arrivals: Arrival[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds the arrival of the newest line. */
  add(seq: number): void {
    const now = this.#clock.now();
    const latest = this.#arrivals.at(-1);
    if (latest !== undefined && seq <= latest.seq) return;
    const isSame = latest !== undefined && now < latest.at + arrivalGrain;
    if (isSame) this.#arrivals.pop();
    this.#arrivals.push({ at: isSame ? latest.at : now, seq });
  }

  /** Returns until when a line after a hole waits; undefined when it has waited. */
  holdEnd(seq: number): number | undefined {
    const arrival = this.#arrivals.find((each) => each.seq >= seq);
    const until = arrival === undefined ? 0 : arrival.at + reorderWindow;
    return until > this.#clock.now() ? until : undefined;
  }

  /** Forgets the arrivals of lines up to this one. */
  forget(seq: number): void {
    this.#arrivals = this.#arrivals.filter((each) => each.seq > seq);
  }

  clear(): void {
    this.#arrivals = [];
  }
}

/** Ranges of places whose lines were waited for in vain, without their ends. */
class PassedGaps {
  #ranges: readonly { readonly after: Place | undefined; readonly until: Place }[] = [];

  /** @param after place of the last line that was read. */
  add({ place }: { readonly place: Place }, after: Place | undefined): void {
    this.#ranges = [...this.#ranges, { after, until: place }];
  }

  /** Returns whether a place is in one of the gaps. */
  holds(place: Place): boolean {
    return this.#ranges.some(
      ({ after, until }) => place < until && (after === undefined || place > after),
    );
  }
}
