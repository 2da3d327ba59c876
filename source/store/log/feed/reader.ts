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

/**
 * Reads a log for output that cannot be revised. An entry is returned only when, as far as the ids
 * and times show, no line can be inserted before it any more, or when that was waited for in vain.
 */
export interface LogReader {
  /**
   * Returns the next entries.
   * @param most entries to return.
   * @param bytes size of the returned messages after which no further message is added.
   */
  read(most: number, bytes: number): LogReadResult;
  /** Returns the number of entries in memory that have not been read. */
  unreadCount(): number;
  stop(): void;
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

export function createLogReader(
  logs: ReadLog,
  clock: Clock,
  {
    before,
    openingTimeout = Number.POSITIVE_INFINITY,
    historyTimeout = Number.POSITIVE_INFINITY,
  }: LogReaderOptions,
): LogReader {
  const { entries } = logs;
  const arrivals = new Arrivals(clock);
  let lateLines: LogLine[] = [];
  let backfill: LogLine[] = [];
  const passedGaps = new PassedGaps();
  /** The place before which lines are waited for, and since when. */
  let waiting: { readonly place: Place; readonly since: number } | undefined;
  /** True while history comes that the reader has gone on without at the opening. */
  let isOpeningPassed = false;
  /** `seq` of the first entry to read; undefined until it is determined. */
  let beginSeq: number | undefined;
  /** `seq` of the last entry that was read or skipped. */
  let lastSeq = Number.NEGATIVE_INFINITY;
  let beginPlace: Place | undefined;
  let lastPlace: Place | undefined;
  let isAtGap = false;
  let { epoch } = entries;

  const unsubscribe = logs.onInserted((inserted) => {
    resync();
    const newest = inserted.at(-1)?.last;
    const live = entries.at(logs.firstLive());
    if (newest !== undefined && live !== undefined && newest >= live.seq) arrivals.add(newest);
    for (const run of inserted) addLateLines(run);
    if (logs.ready()) isOpeningPassed = false;
  });

  /** Finds the position again by its place. */
  const resync = (): void => {
    if (entries.epoch === epoch) return;
    epoch = entries.epoch;
    arrivals.clear();
    if (beginPlace !== undefined) beginSeq = seqAt(entries, indexFrom(beginPlace)) ?? lastSeq;
    const place = lastPlace ?? beginPlace;
    if (place === undefined) return;
    let index = indexFrom(place);
    while (isRead(entries.at(index))) index += 1;
    lastSeq = seqAt(entries, index - 1) ?? Number.NEGATIVE_INFINITY;
  };

  /** Tests an entry at or after the last place; a gap has the place of the line after it. */
  const isRead = (entry: Entry<LogLine> | undefined): boolean =>
    entry !== undefined && entry.place === lastPlace && (entry.kind === 'gap' || !isAtGap);

  /** Returns the index of the first entry at or after a place. */
  const indexFrom = (place: Place): number =>
    bisect(entries.length, (index) => (entries.at(index)?.place ?? place) < place);

  /** Collects lines inserted before an entry that was read, even if that was a gap since filled. */
  const addLateLines = (run: InsertedRun): void => {
    if (beginSeq === undefined || run.first >= lastSeq) return;
    if (run.last < beginSeq && !isOpeningPassed) return;
    const index = entries.indexOf(run.first);
    const firstWanted = entries.indexOf(beginSeq) - before();
    for (const [offset, entry] of entries.slice(index, index + run.count).entries()) {
      if (entry.kind !== 'line' || entry.seq >= lastSeq) continue;
      if (entry.seq < beginSeq) {
        if (isOpeningPassed && index + offset >= firstWanted) backfill.push(entry.line);
      } else if (passedGaps.holds(entry.place)) backfill.push(entry.line);
      else lateLines.push(entry.line);
    }
  };

  /** Returns the milliseconds left to wait for lines before a place; 0 when the time is over. */
  const waitLeft = (place: Place, timeout = historyTimeout): number => {
    const now = clock.now();
    if (waiting?.place !== place) waiting = { place, since: now };
    return Math.max(0, waiting.since + timeout - now);
  };

  /** Begins at the entry with this index. */
  const beginAt = (first: number): void => {
    const skipped = entries.at(first - 1);
    lastSeq = skipped?.seq ?? lastSeq;
    beginSeq = entries.at(first)?.seq ?? lastSeq;
    beginPlace = entries.at(first)?.place;
  };

  /**
   * Begins with the wanted history, or with the first live line after waiting for history in vain.
   * Returns the milliseconds left to wait; undefined when it has begun, or no live line waits.
   */
  const begin = (): number | undefined => {
    if (beginSeq !== undefined) return undefined;
    if (logs.ready()) {
      beginAt(Math.max(0, logs.firstLive() - before()));
      return undefined;
    }
    const first = logs.firstLive();
    const live = entries.at(first);
    if (live === undefined) return undefined;
    const left = waitLeft(live.place, openingTimeout);
    if (left > 0) return left;
    beginAt(first);
    isOpeningPassed = true;
    return undefined;
  };

  /** Returns the index of the next gap that is being fetched, or else the number of entries. */
  const nextFilling = (index: number): number => {
    const settled = logs.settled();
    if (index <= settled) return settled;
    const gap = entries.gaps.find(({ seq, state }) => seq > lastSeq && state.kind === 'filling');
    return gap === undefined ? entries.length : entries.indexOf(gap.seq);
  };

  /** Goes on behind a gap that is being fetched. */
  const pass = (gap: GapEntry<LogLine>): void => {
    passedGaps.add(gap, lastPlace);
    lastSeq = gap.seq;
    lastPlace = gap.place;
    isAtGap = true;
  };

  const takeLate = () => {
    const taken = { lateLines, backfill };
    lateLines = [];
    backfill = [];
    return taken;
  };

  const nextIndex = (): number => indexAfter(entries, lastSeq);

  /** Returns until when a line after a hole is held back; undefined when it can be read now. */
  const holdEnd = (entry: LineMessage | GapEntry<LogLine>): number | undefined => {
    // Only ids tell that a line may have overtaken another one.
    if (
      !logs.isById() ||
      lastPlace === undefined ||
      entry.kind === 'gap' ||
      isAdjacent(lastPlace, entry.place)
    ) {
      return undefined;
    }
    return arrivals.holdEnd(entry.seq);
  };

  return {
    read(most, bytes) {
      resync();
      const passed: (GapEntry<LogLine> | 'opening')[] = [];
      const wasOpeningPassed = isOpeningPassed;
      const left = begin();
      if (isOpeningPassed && !wasOpeningPassed) passed.push('opening');
      const late = takeLate();
      if (beginSeq === undefined) {
        return { entries: [], ...late, passed, hasLostLines: false, retryIn: left };
      }
      const index = nextIndex();
      const oldest = logs.messageAt(index);
      const isUnread = lastPlace !== undefined && oldest !== undefined && oldest.seq > lastSeq + 1;
      const lost = index === 0 && isUnread;
      const batch: (LineMessage | GapEntry<LogLine>)[] = [];
      let again: number | undefined;
      let bytesLeft = bytes;
      let filling = nextFilling(index);
      for (let at = index; at < index + most && bytesLeft > 0; at += 1) {
        const entry = logs.messageAt(at);
        if (entry === undefined) break;
        if (at === filling && entry.kind === 'gap') {
          const wait = waitLeft(entry.place);
          if (wait > 0) {
            again = wait;
            break;
          }
          pass(entry);
          passed.push(entry);
          filling = nextFilling(at + 1);
          continue;
        }
        const until = holdEnd(entry);
        if (until !== undefined) {
          again = until - clock.now();
          break;
        }
        batch.push(entry);
        if (entry.kind === 'message') bytesLeft -= entry.end - entry.start;
        lastSeq = entry.seq;
        lastPlace = entry.place;
        isAtGap = entry.kind === 'gap';
      }
      arrivals.forget(lastSeq);
      return { entries: batch, ...late, passed, hasLostLines: lost, retryIn: again };
    },
    unreadCount: () => entries.length - nextIndex(),
    stop: unsubscribe,
  };
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
