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
import type { Logs } from './logs.ts';

/** Result of one read. */
export interface LogReadResult {
  /** Entries in order, each returned once; valid until the log changes. */
  readonly entries: readonly (LineMessage | GapEntry<LogLine>)[];
  /** Lines that were inserted before an entry that had been read already. */
  readonly lateLines: readonly LogLine[];
  /** True when memory dropped lines before they could be read. */
  readonly hasLostLines: boolean;
  /** Milliseconds after which more can be read even if no new lines arrive. */
  readonly retryIn: number | undefined;
}

/**
 * Reads a log for output that cannot be revised. An entry is returned only when, as far as the ids
 * and times show, no line can be inserted before it any more.
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

/**
 * Milliseconds that a line whose id leaves a hole waits for the line that it may have overtaken.
 */
const reorderWindow = 200;

/** Milliseconds within which several arrivals count as one. */
const arrivalGrain = 20;

interface Arrival {
  readonly at: number;
  /** `seq` of the newest line at that time. */
  readonly seq: number;
}

/** @param before lines of history to read first. */
export function createLogReader(logs: Logs, clock: Clock, before: number): LogReader {
  const { entries } = logs;
  let arrivals: Arrival[] = [];
  let late: LogLine[] = [];
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
    if (newest !== undefined && live !== undefined && newest >= live.seq) addArrival(newest);
    for (const run of inserted) addLateLines(run);
  });

  /** Finds the position again by its place after entries were renumbered. */
  const resync = (): void => {
    if (entries.epoch === epoch) return;
    epoch = entries.epoch;
    arrivals = [];
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
    if (beginSeq === undefined || run.last < beginSeq || run.first >= lastSeq) return;
    const index = entries.indexOf(run.first);
    for (const entry of entries.slice(index, index + run.count)) {
      if (entry.kind === 'line' && entry.seq >= beginSeq && entry.seq < lastSeq)
        late.push(entry.line);
    }
  };

  const addArrival = (seq: number): void => {
    const now = clock.now();
    const latest = arrivals.at(-1);
    if (latest !== undefined && seq <= latest.seq) return;
    const isSame = latest !== undefined && now < latest.at + arrivalGrain;
    if (isSame) arrivals.pop();
    arrivals.push({ at: isSame ? latest.at : now, seq });
  };

  /** Skips the history that is not wanted, once the first live entry is known. */
  const skipHistory = (): void => {
    if (beginSeq !== undefined || !logs.ready()) return;
    const first = Math.max(0, logs.firstLive() - before);
    const skipped = entries.at(first - 1);
    lastSeq = skipped?.seq ?? lastSeq;
    beginSeq = entries.at(first)?.seq ?? lastSeq;
    beginPlace = entries.at(first)?.place;
  };

  const nextIndex = (): number => indexAfter(entries, lastSeq);

  /** Returns until when a line after a hole is held back; undefined when it can be read now. */
  const holdEnd = (entry: LineMessage | GapEntry<LogLine>): number | undefined => {
    if (lastPlace === undefined || entry.kind === 'gap' || isAdjacent(lastPlace, entry.place)) {
      return undefined;
    }
    const arrival = arrivals.find(({ seq }) => seq >= entry.seq);
    const until = arrival === undefined ? 0 : arrival.at + reorderWindow;
    return until > clock.now() ? until : undefined;
  };

  return {
    read(most, bytes) {
      resync();
      skipHistory();
      const lateLines = late;
      late = [];
      if (beginSeq === undefined)
        return { entries: [], lateLines, hasLostLines: false, retryIn: undefined };
      const index = nextIndex();
      const oldest = logs.messageAt(index);
      const isUnread = lastPlace !== undefined && oldest !== undefined && oldest.seq > lastSeq + 1;
      const lost = index === 0 && isUnread;
      const batch: (LineMessage | GapEntry<LogLine>)[] = [];
      let again: number | undefined;
      let bytesLeft = bytes;
      const end = Math.min(logs.settled(), index + most);
      for (let at = index; at < end && bytesLeft > 0; at += 1) {
        const entry = logs.messageAt(at);
        if (entry === undefined) break;
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
      arrivals = arrivals.filter(({ seq }) => seq > lastSeq);
      return { entries: batch, lateLines, hasLostLines: lost, retryIn: again };
    },
    unreadCount: () => entries.length - nextIndex(),
    stop: unsubscribe,
  };
}
