/** Rule 6 over the lines at hand: tells whether they reach back to a time. */
import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, type Entry, seqAt } from '../../../tail/arena/entries.ts';
import { rowTime, toRow } from '../../../tail/arena/row.ts';
import { TimeWalk } from '../../../tail/log/time-walk.ts';

/** Entries that count as a page of the walk back. */
const pageEntries = 100;

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
      this.#walk.page(entries.slice(from, to).map(timeOf));
      to = from;
    }
    this.#from = seqAt(entries, 0);
    return this.#walk.isDone;
  }
}

function timeOf(entry: Entry<LogLine>): number | undefined {
  return entry.kind === 'line' ? rowTime(toRow(entry.line)) : undefined;
}
