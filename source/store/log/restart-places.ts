import type { LogLine } from '../../contract/logs.ts';
import { bisect } from '../../tail/arena/bisect.ts';
import type { Entries } from '../../tail/arena/entries.ts';
import { findTime, isBefore } from '../../tail/arena/time-search.ts';
import type { LogRestart, LogRestarts } from './restarts.ts';

/** Entries that are checked one by one before a binary search. */
const nearby = 200;

/**
 * Places the notes of restarts between the lines of a log, by the timestamps of the lines. Notes
 * are not entries, so nothing counts, finds or copies them. A note stays after its line while lines
 * are inserted elsewhere, and moves on when earlier lines are inserted after that line.
 */
export class RestartPlaces {
  /** `seq` of the entry before each restart. */
  #places = new Map<LogRestart, number>();
  #entries: Entries<LogLine> | undefined;
  #epoch = 0;

  /** Returns the restarts directly after an entry, by the `seq` of that entry. */
  behind(
    entries: Entries<LogLine>,
    restarts: LogRestarts,
  ): ReadonlyMap<number, readonly LogRestart[]> {
    const isVoid = this.#entries !== entries || this.#epoch !== entries.epoch;
    this.#entries = entries;
    this.#epoch = entries.epoch;
    const places = new Map<LogRestart, number>();
    const byEntry = new Map<number, readonly LogRestart[]>();
    for (const restart of restarts) {
      const before = isVoid ? undefined : this.#places.get(restart);
      const seq = placeOf(entries, restart.at, before);
      if (seq === undefined) continue;
      places.set(restart, seq);
      byEntry.set(seq, [...(byEntry.get(seq) ?? []), restart]);
    }
    this.#places = places;
    return byEntry;
  }
}

/** Returns the `seq` of the entry before a restart; undefined when all entries are later. */
function placeOf(
  entries: Entries<LogLine>,
  at: number,
  before: number | undefined,
): number | undefined {
  if (before !== undefined) {
    const index = entries.indexOf(before);
    const entry = entries.at(index);
    const endIndex = entry?.seq === before ? firstNotBefore(entries, index + 1, at) : undefined;
    if (endIndex !== undefined) return entries.at(endIndex - 1)?.seq;
  }
  // A restart before the oldest line may belong far above it, so it is not shown.
  if (!((findTime(entries, 0) ?? at) < at)) return undefined;
  const start = bisect(entries.length, (index) => isBefore(entries, index, at, nearby));
  return entries.at((firstNotBefore(entries, start, at) ?? start) - 1)?.seq;
}

/**
 * Returns the first index from `index` on that is not before `at`; undefined when it is far off.
 */
function firstNotBefore(entries: Entries<LogLine>, index: number, at: number): number | undefined {
  for (let next = index; next <= index + nearby; next += 1) {
    if (next >= entries.length || !isBefore(entries, next, at, nearby)) return next;
  }
  return undefined;
}
