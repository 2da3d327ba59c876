import type { LogLine } from '../../../contract/logs.ts';
import { bisect } from '../../../tail/arena/bisect.ts';
import { type Entries, type InsertedRun, seqAt } from '../../../tail/arena/entries.ts';
import { isBefore } from '../../../tail/arena/time-search.ts';

/** Lines before a line without a time that are asked for theirs. */
const maxUntimed = 64;

/** `seq` after all lines: the start of a slot that no line has reached. */
const afterAll = Number.POSITIVE_INFINITY;

/**
 * Finds where points of time lie in a log whose times are nearly sorted. A point is remembered by
 * the `seq` of the first entry at or after it, which new lines at the end do not change.
 */
export class SlotStarts {
  readonly #entries: Entries<LogLine>;
  readonly #known = new Map<number, number>();
  #epoch = 0;
  /** The highest `seq` among the known ones. */
  #highest = Number.NEGATIVE_INFINITY;

  constructor(entries: Entries<LogLine>) {
    this.#entries = entries;
  }

  /** Forgets points that inserted lines may have changed. Returns whether there are any. */
  noteInserted(runs: readonly InsertedRun[]): boolean {
    // The `seq` of a dropped line may be that of an older line that is read again.
    if (!runs.some(({ first }) => first <= this.#highest)) return false;
    this.#clear();
    return true;
  }

  /** Returns the `seq` of the first entry at or after each of these rising times. */
  of(times: readonly number[]): readonly number[] {
    const entries = this.#entries;
    if (entries.epoch !== this.#epoch) this.#clear();
    this.#epoch = entries.epoch;
    this.#forgetBefore(times[0] ?? 0);
    let low = 0;
    return times.map((time) => {
      const known = this.#known.get(time);
      const at = known === undefined ? undefined : entries.indexOf(known);
      // Once it is dropped, lines without a time behind it have lost theirs.
      const isThere = at !== undefined && seqAt(entries, at) === known;
      low = isThere ? Math.max(low, at) : this.#indexOf(time, low);
      const seq = seqAt(entries, low);
      if (seq === undefined) return afterAll;
      this.#known.set(time, seq);
      this.#highest = Math.max(this.#highest, seq);
      return seq;
    });
  }

  #clear(): void {
    this.#known.clear();
    this.#highest = Number.NEGATIVE_INFINITY;
  }

  #forgetBefore(time: number): void {
    for (const known of this.#known.keys()) if (known < time) this.#known.delete(known);
  }

  /** Returns the index of the first entry from `low` on that is at or after a time. */
  #indexOf(time: number, low: number): number {
    const entries = this.#entries;
    const isEarlier = (index: number): boolean => isBefore(entries, low + index, time, maxUntimed);
    return low + bisect(entries.length - low, isEarlier);
  }
}
