/** Rule 6: tells when a walk back through a log has every line since a time. */
import type { LogLine } from '../../contract/logs.ts';
import { type Entries, type Entry, type GapEntry, seqAt } from '../arena/entries.ts';
import { type LogRow, rowTime, toRow } from '../arena/row.ts';
import { indexOfTime } from '../arena/time-search.ts';

/** Pages that must lie before the bound; that many in a row are enough by themselves. */
const fewestPages = 2;
const mostPages = 20;

/** Distance before the bound at which one of the pages must lie, ms, whatever the clocks do. */
const leastDepth = 2 * 60_000;
export const mostDepth = 6 * 3_600_000;

export class TimeWalk {
  readonly #bound: number;
  /** Pages in a row of which every line is before the bound. */
  #pages = 0;
  /** True once one of them lies far before it. */
  #isDeep = false;
  /** The greatest step back from one line to the next. */
  #stepBack = 0;
  /** Time of the oldest line so far that has one. */
  #oldest: number | undefined;
  /** The newest time of the page that was noted last. */
  #newest: number | undefined;
  /** Lines before the bound at the end of the walk. */
  #lines = 0;

  /** @param bound ms since the epoch. */
  constructor(bound: number) {
    this.#bound = bound;
  }

  /** True when no older line is expected at or after the bound. */
  get isDone(): boolean {
    return this.#pages >= mostPages || (this.#pages >= fewestPages && this.#isDeep);
  }

  /** The newest time of the last page with times, ms since the epoch. */
  get newestOfLast(): number | undefined {
    return this.#newest;
  }

  /** Lines read last that all lie before the bound. */
  get lines(): number {
    return this.#lines;
  }

  /** Notes the times of a page's lines, oldest first, which lies before those noted so far. */
  page(times: readonly (number | undefined)[]): void {
    let newest: number | undefined;
    let before: number | undefined;
    for (const time of times) {
      if (time === undefined) continue;
      if (before !== undefined) this.#noteStep(before, time);
      before = time;
      newest = newest === undefined ? time : Math.max(newest, time);
    }
    if (newest === undefined) return;
    if (before !== undefined && this.#oldest !== undefined) this.#noteStep(before, this.#oldest);
    this.#oldest = times.find((time) => time !== undefined);
    this.#newest = newest;
    const isBefore = newest < this.#bound;
    this.#pages = isBefore ? this.#pages + 1 : 0;
    this.#lines = isBefore ? this.#lines + times.length : 0;
    const depth = Math.min(mostDepth, Math.max(leastDepth, 2 * this.#stepBack));
    this.#isDeep = isBefore && (this.#isDeep || newest < this.#bound - depth);
  }

  #noteStep(before: number, time: number): void {
    this.#stepBack = Math.max(this.#stepBack, before - time);
  }
}

/**
 * Returns whether most lines of one of a page's services fit into a range of times: a service whose clock is off
 * has its lines elsewhere than the others.
 */
export function fitsMostly(
  rows: readonly LogRow<unknown>[],
  fits: (time: number) => boolean,
): boolean {
  const balances = new Map<string | undefined, number>();
  for (const row of rows) {
    const time = rowTime(row);
    if (time === undefined) continue;
    balances.set(row.service, (balances.get(row.service) ?? 0) + (fits(time) ? 1 : -1));
  }
  return [...balances.values()].some((balance) => balance > 0);
}

/** Returns the time in the middle of a page's times in their order; undefined without any. */
export function middleTime(times: readonly (number | undefined)[]): number | undefined {
  const timed = times.filter((time) => time !== undefined).toSorted((left, right) => left - right);
  return timed[timed.length >> 1];
}

/**
 * Returns whether a page that lies farther back than another one is so much newer that a clock must have
 * stepped back between them.
 */
export function tellsStepBack(middle: number | undefined, nearer: number | undefined): boolean {
  return middle !== undefined && nearer !== undefined && middle > nearer + leastDepth;
}

/** Entries that count as a page of the walk back. */
const pageEntries = 100;

/** Tells whether the lines at hand reach back to a time. */
export class TimeReach {
  readonly #bound: number;
  #walk: TimeWalk;
  /** `seq` of the oldest entry that was read. */
  #from: number | undefined;
  #epoch: number | undefined;

  /** @param bound ms since the epoch. */
  constructor(bound: number) {
    this.#bound = bound;
    this.#walk = new TimeWalk(bound);
  }

  /** The time from which on all lines are known; undefined while no line with a time was read. */
  get knownFrom(): number | undefined {
    return this.#walk.isDone ? this.#bound : this.#walk.newestOfLast;
  }

  /** Lines read last that all lie before the time. */
  get linesBefore(): number {
    return this.#walk.lines;
  }

  /**
   * Returns true when no line before the entries is expected at or after the time.
   * @param end index behind the entries to read; those read before are not read again.
   */
  isReached(entries: Entries<LogLine>, end: number): boolean {
    if (this.#epoch !== entries.epoch) {
      this.#epoch = entries.epoch;
      this.#walk = new TimeWalk(this.#bound);
      this.#from = undefined;
    }
    let to = this.#from === undefined ? end : Math.min(end, entries.indexOf(this.#from));
    if (to === 0) return this.#walk.isDone;
    while (to > 0) {
      const from = Math.max(0, to - pageEntries);
      this.#walk.page(entries.slice(from, to).map((entry) => rowTime(entryRow(entry))));
      to = from;
    }
    this.#from = seqAt(entries, 0);
    return this.#walk.isDone;
  }
}

/** Returns the row of an entry; for a gap, one without a time. */
export function entryRow(entry: Entry<LogLine>): LogRow<LogLine> {
  return toRow(entry.kind === 'line' ? entry.line : { logLine: '' });
}

/** Returns whether an entry is a gap whose lines nobody has asked for. */
export function isUnread(entry: Entry<LogLine> | undefined): entry is GapEntry<LogLine> {
  return entry?.kind === 'gap' && entry.state.kind === 'missing' && entry.state.why === 'unread';
}

/** The first line at or after a time among the lines at hand. */
export interface FirstSince {
  /** Its index; the number of entries without one. */
  readonly index: number;
  /** Index of the entry before which lines are not loaded of which one may be the first. */
  readonly unread: number | undefined;
}

/**
 * Finds the first line at or after a time, as a walk back through all lines does.
 * @param hasOlder whether lines before the first entry are not loaded.
 */
export function firstSince(entries: Entries<LogLine>, time: number, hasOlder: boolean): FirstSince {
  let index = indexOfTime(entries, time);
  let to = Math.min(entries.length, index + 2 * pageEntries);
  let unread: number | undefined;
  const steps = new BackSteps(time);
  while (!steps.isOver) {
    to -= steps.distance;
    if (to <= 0 && !steps.isDone) break;
    const page = to <= 0 ? [] : entries.slice(Math.max(0, to - pageEntries), to);
    const gap = page.findLastIndex(isUnread);
    const from = to - page.length + gap + 1;
    const rows = page.slice(gap + 1).map(entryRow);
    if (steps.page(rows)) {
      const first = rows.findIndex((row) => (rowTime(row) ?? 0) >= time);
      if (first >= 0) index = Math.min(index, from + first);
      if (gap >= 0 && !steps.isDone) unread ??= from;
    }
    to = gap >= 0 ? from - 1 : from;
  }
  if (hasOlder && !steps.isDone && entries.length > 0) unread ??= 0;
  return { index, unread };
}

/** Most pages at doubling distances: enough for ten million lines. */
const mostProbes = 15;

/**
 * The steps of a walk back to the first line since a time: page by page, then at doubling distances, and where
 * there are no lines at last, at halving ones up to the beginning of the log.
 */
export class BackSteps {
  readonly #time: number;
  #walk: TimeWalk;
  #distance: number;
  #isProbing: boolean;
  #isHalving = false;
  #probes = 0;
  /** Lines to read although those before them are all before the time: a clock was set among them. */
  #owed = 0;
  /** The middle time of the page before. */
  #nearer: number | undefined;

  /** @param distance lines to the first page; more than 0 where lines nearer than that are known. */
  constructor(time: number, distance = 0) {
    this.#time = time;
    this.#walk = new TimeWalk(time);
    this.#distance = distance;
    this.#isProbing = distance > 0;
  }

  /** Lines to leave out before the next page; less than 0 to go back to some that were left out. */
  get distance(): number {
    return this.#distance;
  }

  /** True when the first line is known, but for clocks that were set. */
  get isDone(): boolean {
    return this.#isProbing;
  }

  get isOver(): boolean {
    return (
      this.#probes >= mostProbes || (this.#isHalving && Math.abs(this.#distance) < pageEntries)
    );
  }

  /** Notes known lines behind those of the first page. */
  noteNearer(rows: readonly LogRow<unknown>[]): void {
    this.#nearer = middleTime(rows.map(rowTime));
  }

  /** Notes a page. Returns false for one at a distance that tells nothing. */
  page(rows: readonly LogRow<unknown>[]): boolean {
    const times = rows.map(rowTime);
    const middle = middleTime(times);
    if (this.#isProbing) {
      this.#probes += 1;
      const left = Math.abs(this.#distance);
      const isFit = fitsMostly(rows, (each) => each >= this.#time);
      const isSet = !isFit && tellsStepBack(middle, this.#nearer);
      if (!isFit && !isSet) {
        if (rows.length === 0) this.#isHalving = true;
        this.#distance = this.#isHalving ? Math.floor(left / 2) : 2 * left;
        if (rows.length === 0) this.#distance *= -1;
        this.#nearer = middle ?? this.#nearer;
        return false;
      }
      this.#walk = new TimeWalk(this.#time);
      this.#isProbing = false;
      if (isSet) {
        this.#owed = left + rows.length;
        this.#distance = -this.#owed;
        return false;
      }
    }
    this.#nearer = middle ?? this.#nearer;
    this.#owed -= rows.length;
    this.#walk.page(times);
    this.#isProbing = this.#walk.isDone && this.#owed <= 0;
    this.#distance = this.#isProbing ? Math.max(pageEntries, this.#walk.lines) : 0;
    return true;
  }
}
