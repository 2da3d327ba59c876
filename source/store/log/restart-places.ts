import type { LogLine } from '../../contract/logs.ts';
import { bisect } from '../../tail/arena/bisect.ts';
import type { Entries } from '../../tail/arena/entries.ts';
import { rowOf, rowTime } from '../../tail/arena/row.ts';
import { timeFrom } from '../../tail/arena/time-search.ts';
import type { LogRestart, LogRestarts } from './restarts.ts';

/** Entries that are looked at one by one before the place is searched for anew. */
const nearby = 200;

/**
 * Where in a log its restarts stand: between the lines from before and those from after, by the
 * times the service gave them. They are no entries, so nothing counts, finds or copies them. A note
 * stays behind its line while lines come elsewhere, and goes on when earlier ones come behind it.
 */
export class RestartPlaces {
  /** `seq` of the entry that each stands behind. */
  #places = new Map<LogRestart, number>();
  #entries: Entries<LogLine> | undefined;
  #epoch = 0;

  /** The restarts that stand directly behind an entry, by the `seq` of that. */
  behind(
    entries: Entries<LogLine>,
    restarts: LogRestarts,
  ): ReadonlyMap<number, readonly LogRestart[]> {
    const isVoid = this.#entries !== entries || this.#epoch !== entries.epoch;
    this.#entries = entries;
    this.#epoch = entries.epoch;
    const places = new Map<LogRestart, number>();
    const found = new Map<number, readonly LogRestart[]>();
    for (const restart of restarts) {
      const before = isVoid ? undefined : this.#places.get(restart);
      const seq = placeOf(entries, restart.at, before);
      if (seq === undefined) continue;
      places.set(restart, seq);
      found.set(seq, [...(found.get(seq) ?? []), restart]);
    }
    this.#places = places;
    return found;
  }
}

/** `seq` of the entry that a note of that time stands behind; undefined when all are later. */
function placeOf(
  entries: Entries<LogLine>,
  at: number,
  before: number | undefined,
): number | undefined {
  if (before !== undefined) {
    const index = entries.indexOf(before);
    const entry = entries.at(index);
    const end = entry?.seq === before ? walkOn(entries, index + 1, at) : undefined;
    if (end !== undefined) return entries.at(end - 1)?.seq;
  }
  // Where nothing is known from before, it may as well have been long ago.
  if (!((timeFrom(entries, 0) ?? at) < at)) return undefined;
  const low = bisect(entries.length, (index) => isBefore(entries, index, at));
  return entries.at((walkOn(entries, low, at) ?? low) - 1)?.seq;
}

/** The first index from `index` on that is not before `at`; undefined when it is far off. */
function walkOn(entries: Entries<LogLine>, index: number, at: number): number | undefined {
  for (let next = index; next <= index + nearby; next += 1) {
    if (!isBefore(entries, next, at)) return next;
  }
  return undefined;
}

/** Whether the entry is from before `at`. A line that tells no time belongs to the one before it. */
function isBefore(entries: Entries<LogLine>, index: number, at: number): boolean {
  if (index >= entries.length) return false;
  for (let told = index; told >= 0 && told > index - nearby; told -= 1) {
    const entry = entries.at(told);
    const line = entry?.kind === 'gap' ? entry.until : entry?.line;
    const time = line && rowTime(rowOf(line));
    if (time !== undefined) return time < at;
  }
  return true;
}
