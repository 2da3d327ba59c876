import type { LogLine } from '../../../contract/logs.ts';
import { isNext, type Place } from '../../../tail/arena/place.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import {
  type Entry,
  type GapEntry,
  indexBehind,
  type Inserted,
  type LineMessage,
  seqAt,
} from '../../../tail/arena/entries.ts';
import type { Clock } from '../../time/clock.ts';
import type { Logs } from './logs.ts';

/** What a reader is given next. */
export interface Reading {
  /** In order, each once; good until the log changes. */
  readonly entries: readonly (LineMessage | GapEntry<LogLine>)[];
  /** Lines that turned up among those that had been read already. */
  readonly late: readonly LogLine[];
  /** Lines were pushed out of memory before they could be read. */
  readonly lost: boolean;
  /** Milliseconds after which there is more to read even if nothing new comes. */
  readonly again: number | undefined;
}

/**
 * Reads a log for output that cannot be taken back: entries are given when nothing can come in
 * before them any more, as far as anyone can know.
 */
export interface LogReader {
  /** @param bytes of messages after which no further one is read. */
  read(most: number, bytes: number): Reading;
  /** Entries in memory that have not been read. */
  waiting(): number;
  stop(): void;
}

/** So long a line whose id does not follow waits for one in between that it may have overtaken, ms. */
const overtaking = 200;

/** Arrivals so close to each other count as one, ms. */
const grain = 20;

interface Arrival {
  readonly at: number;
  /** Of the newest line that had come by then. */
  readonly seq: number;
}

/** @param before lines of history to begin with. */
export function createLogReader(logs: Logs, clock: Clock, before: number): LogReader {
  const { entries } = logs;
  let arrivals: Arrival[] = [];
  let late: LogLine[] = [];
  /** `seq` of the first entry to read and of the last one read; undefined before the beginning. */
  let begin: number | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let beginPlace: Place | undefined;
  let lastPlace: Place | undefined;
  let isAtGap = false;
  let { epoch } = entries;

  const ignore = logs.onInserted((inserted) => {
    renew();
    const newest = inserted.at(-1)?.last;
    const live = entries.at(logs.firstLive());
    if (newest !== undefined && live !== undefined && newest >= live.seq) note(newest);
    for (const run of inserted) noteLate(run);
  });

  /** Entries that got other numbers are known by their places. */
  const renew = (): void => {
    if (entries.epoch === epoch) return;
    epoch = entries.epoch;
    arrivals = [];
    if (beginPlace !== undefined) begin = seqAt(entries, indexFrom(beginPlace)) ?? last;
    const place = lastPlace ?? beginPlace;
    if (place === undefined) return;
    let index = indexFrom(place);
    while (isRead(entries.at(index))) index += 1;
    last = seqAt(entries, index - 1) ?? Number.NEGATIVE_INFINITY;
  };

  /** Of entries at or behind the place of the last one; a gap has that of the line behind it. */
  const isRead = (entry: Entry<LogLine> | undefined): boolean =>
    entry !== undefined && entry.place === lastPlace && (entry.kind === 'gap' || !isAtGap);

  /** Index of the first entry at or behind a place. */
  const indexFrom = (place: Place): number =>
    bisect(entries.length, (index) => (entries.at(index)?.place ?? place) < place);

  /** Lines are late when they come before an entry that was read, which may be a gap that has gone. */
  const noteLate = (run: Inserted): void => {
    if (begin === undefined || run.last < begin || run.first >= last) return;
    const index = entries.indexOf(run.first);
    for (const entry of entries.slice(index, index + run.count)) {
      if (entry.kind === 'line' && entry.seq >= begin && entry.seq < last) late.push(entry.line);
    }
  };

  const note = (seq: number): void => {
    const now = clock.now();
    const latest = arrivals.at(-1);
    if (latest !== undefined && seq <= latest.seq) return;
    const isSame = latest !== undefined && now < latest.at + grain;
    if (isSame) arrivals.pop();
    arrivals.push({ at: isSame ? latest.at : now, seq });
  };

  /** Skips what lies before the beginning, once it is known where that is. */
  const start = (): void => {
    if (begin !== undefined || !logs.ready()) return;
    const first = Math.max(0, logs.firstLive() - before);
    const skipped = entries.at(first - 1);
    last = skipped?.seq ?? last;
    begin = entries.at(first)?.seq ?? last;
    beginPlace = entries.at(first)?.place;
  };

  const nextIndex = (): number => indexBehind(entries, last);

  /** When a line may be read that has a hole before it; undefined for one that may be now. */
  const heldUntil = (entry: LineMessage | GapEntry<LogLine>): number | undefined => {
    if (lastPlace === undefined || entry.kind === 'gap' || isNext(lastPlace, entry.place)) {
      return undefined;
    }
    const arrival = arrivals.find(({ seq }) => seq >= entry.seq);
    const until = arrival === undefined ? 0 : arrival.at + overtaking;
    return until > clock.now() ? until : undefined;
  };

  return {
    read(most, bytes) {
      renew();
      start();
      const turnedUp = late;
      late = [];
      if (begin === undefined)
        return { entries: [], late: turnedUp, lost: false, again: undefined };
      const index = nextIndex();
      const oldest = logs.messageAt(index);
      const isUnread = lastPlace !== undefined && oldest !== undefined && oldest.seq > last + 1;
      const lost = index === 0 && isUnread;
      const found: (LineMessage | GapEntry<LogLine>)[] = [];
      let again: number | undefined;
      let left = bytes;
      const end = Math.min(logs.settled(), index + most);
      for (let at = index; at < end && left > 0; at += 1) {
        const entry = logs.messageAt(at);
        if (entry === undefined) break;
        const until = heldUntil(entry);
        if (until !== undefined) {
          again = until - clock.now();
          break;
        }
        found.push(entry);
        if (entry.kind === 'message') left -= entry.end - entry.start;
        last = entry.seq;
        lastPlace = entry.place;
        isAtGap = entry.kind === 'gap';
      }
      arrivals = arrivals.filter(({ seq }) => seq > last);
      return { entries: found, late: turnedUp, lost, again };
    },
    waiting: () => entries.length - nextIndex(),
    stop: ignore,
  };
}
