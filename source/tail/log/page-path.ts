/**
 * Rule 4: finds the numberings to which the rows of a page belong: those with which they agree most.
 * A page lists lines from old to new, so that its numberings rise. -1 stands for older ones that are
 * not known, and the number behind the newest one for a new numbering.
 */
import type { LogId } from '../../contract/logs.ts';
import type { Place } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import { isPrecise, type Likeness } from './copies.ts';

/** Held ids that come again with other lines before that tells a new numbering. */
const fewestConflicts = 3;

/** The weight of an equal line whose text comes more than once. */
const repeatedWeight = 1 / 2;

/** The cost of ids that turn down within the only numbering, and within one of several. */
const disorder = 1 / 4;
const disorderOfSeveral = 2;

/** A cost that decides only what nothing else does. */
const tie = 1 / 64;

const never = Number.POSITIVE_INFINITY;

/** Lines at the beginning of a numbering that a stream may leave out. */
const mostLeftOut = 8;

/** The known lines, as the reading of a page needs them. */
export interface PageSight<Line> {
  /** True in a log that is listed by time. */
  readonly isByTime: boolean;
  /** True when the page ends with the newest line of the service. */
  readonly isNewest: boolean;
  /** The newest known line, when something else speaks for a new numbering, should the page lack it. */
  readonly doubtedEnd: Place | undefined;
  /** Returns the first line of a numbering before which nothing is missing. */
  beginOf(epoch: number): Place | undefined;
  /** Returns the number of known lines between two places, where a page is to show them all. */
  linesBetween(from: Place, to: Place): number;
  /** Returns the last known line up to a place. */
  lastUpTo(place: Place): Place | undefined;
  /** Returns the held line at a place. */
  at(place: Place): LogRow<Line> | undefined;
  compare(held: LogRow<Line>, row: LogRow<Line>): Likeness;
}

/** The known numberings; `Numbering` implements it. */
interface Epochs {
  readonly newest: number;
  placeOf(id: LogId, epoch?: number): Place;
  lastOf(epoch: number): Place;
}

interface FoundPath {
  /** The numbering of each row. */
  readonly epochs: readonly number[];
  /** The agreements of the rows with these, less the costs. */
  readonly score: number;
  /** True when the service lists its lines by something else than their ids. */
  readonly isUnordered: boolean;
}

export class PagePath<Line> {
  readonly #known: Epochs;
  readonly #rows: readonly LogRow<Line>[];
  readonly #isNewest: boolean;
  readonly #linesBetween: PageSight<Line>['linesBetween'];
  /** True when the page lacks the doubted end of the log. */
  readonly #lacksEnd: boolean;
  /** The cost of numbers that begin again without a turn of the ids. */
  readonly #conflicts: number;
  readonly #begins: readonly (Place | undefined)[];
  readonly #ends: readonly (Place | undefined)[];
  readonly #likenesses: readonly (readonly (Likeness | undefined)[])[];
  /** Rows that are held in two numberings: no line has a place in both. */
  readonly #twofold: number;
  readonly #counts = new Map<string, number>();

  constructor(known: Epochs, rows: readonly LogRow<Line>[], sight: PageSight<Line>) {
    this.#known = known;
    this.#rows = rows;
    this.#isNewest = sight.isNewest;
    this.#linesBetween = (from, to) => sight.linesBetween(from, to);
    const { doubtedEnd } = sight;
    const last = rows.slice(turnsOf(rows).at(-1) ?? 0);
    this.#lacksEnd =
      sight.isNewest &&
      doubtedEnd !== undefined &&
      !last.some(({ id }) => known.placeOf(id ?? 0) >= doubtedEnd);
    this.#conflicts = this.#lacksEnd ? 1 / 2 : fewestConflicts - 1 / 2;
    const epochs = Array.from({ length: known.newest + 1 }, (_, epoch) => epoch);
    this.#begins = epochs.map((epoch) => sight.beginOf(epoch));
    this.#ends = epochs.map((epoch) => sight.lastUpTo(known.lastOf(epoch)));
    let twofold = 0;
    this.#likenesses = rows.map((row) => {
      const held = epochs.map((epoch) => sight.at(known.placeOf(row.id ?? 0, epoch)));
      const likenesses = held.map((each) => each && sight.compare(each, row));
      const same = held.filter(
        (each, epoch) => likenesses[epoch] === 'same' && isPrecise(each?.timestamp),
      );
      if (same.length > 1 && isPrecise(row.timestamp)) twofold += 1;
      return likenesses;
    });
    this.#twofold = twofold;
    for (const { text } of rows) this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  find(): FoundPath {
    const states = Array.from({ length: this.#known.newest + 3 }, (_, state) => state - 1);
    let scores = states.map((epoch) => this.#agreement(0, epoch) - this.#costOfFirst(epoch));
    const steps: number[][] = [];
    for (let at = 1; at < this.#rows.length; at += 1) {
      const from: number[] = [];
      const before = scores;
      scores = states.map((to, state) => {
        let best = Number.NEGATIVE_INFINITY;
        for (let each = state; each >= 0; each -= 1) {
          const score = (before[each] ?? 0) - this.#costOfStep(at, each - 1, to);
          if (score <= best) continue;
          best = score;
          from[state] = each;
        }
        return best + this.#agreement(at, to);
      });
      steps[at] = from;
    }
    scores = scores.map((score, state) => score - this.#costOfLast(state - 1));
    // The newest known numbering comes first among equals.
    let state = this.#known.newest + 1;
    for (const [each, score] of scores.entries()) if (score > (scores[state] ?? 0)) state = each;
    const score = scores[state] ?? 0;
    const epochs: number[] = [];
    for (let at = this.#rows.length - 1; at >= 0; at -= 1) {
      epochs.unshift(state - 1);
      state = steps[at]?.[state] ?? state;
    }
    return { epochs, score, isUnordered: this.#isUnordered(epochs) };
  }

  #isUnordered(epochs: readonly number[]): boolean {
    const isDisorder = (at: number): boolean =>
      (epochs[at] ?? 0) >= 0 && epochs[at] === epochs[at - 1];
    return this.#twofold >= fewestConflicts || turnsOf(this.#rows).some(isDisorder);
  }

  #placeAt(at: number, epoch: number): Place {
    return this.#known.placeOf(this.#rows[at]?.id ?? 0, epoch);
  }

  /** Returns how much a row speaks for a numbering. */
  #agreement(at: number, epoch: number): number {
    if (epoch < 0 || epoch > this.#known.newest) return 0;
    const likeness = this.#likenesses[at]?.[epoch];
    if (likeness === 'other') return -1;
    if (likeness === 'same')
      return this.#counts.get(this.#rows[at]?.text ?? '') === 1 ? 1 : repeatedWeight;
    // A line before the first one of a numbering is rather one of an older numbering.
    const begin = this.#begins[epoch];
    return begin !== undefined && this.#placeAt(at, epoch) < begin ? -tie : 0;
  }

  /** Only the newest page tells a new numbering, and it ends with none that is not known. */
  #costOfFirst(epoch: number): number {
    if (epoch <= this.#known.newest) return 0;
    if (!this.#isNewest) return never;
    return this.#lacksEnd ? 0 : this.#conflicts;
  }

  #costOfLast(epoch: number): number {
    if (epoch < 0 && this.#isNewest) return never;
    return epoch > this.#known.newest && this.#lacksEnd ? -2 * tie : 0;
  }

  /** Returns the cost of going from one numbering to another one, or the same, before a row. */
  #costOfStep(at: number, from: number, to: number): number {
    const { newest } = this.#known;
    const isTurn = (this.#rows[at]?.id ?? 0) < (this.#rows[at - 1]?.id ?? 0);
    if (from === to) return this.#costOfStay(at, to, isTurn);
    const skipped = (to - from - 1) * tie;
    if (isTurn) {
      const isNew = to > newest || (from < 0 && to === 0);
      if (isNew && !isTurnTold(this.#rows, at)) return never;
      const end = this.#ends[from];
      // The last row of a numbering is its last line.
      return skipped + (end !== undefined && this.#placeAt(at - 1, from) < end ? 1 : 0);
    }
    const begin = this.#begins[to];
    const isBegin =
      begin !== undefined && this.#placeAt(at - 1, to) < begin && begin <= this.#placeAt(at, to);
    // A few rows before the first known line may be ones that the stream has left out.
    if (isBegin) return at > mostLeftOut || from >= 0 ? skipped - tie : -2 * tie;
    if (from < 0 || (to > newest && !this.#isNewest)) return never;
    return this.#conflicts + skipped;
  }

  #costOfStay(at: number, epoch: number, isTurn: boolean): number {
    const { newest } = this.#known;
    if (epoch < 0 || (epoch > newest && !isTurn)) return 0;
    if (isTurn) return newest === 0 ? disorder : disorderOfSeveral;
    return this.#linesBetween(this.#placeAt(at - 1, epoch), this.#placeAt(at, epoch));
  }
}

/** Returns the indexes of rows whose id is lower than that of the row before. */
export function turnsOf(rows: readonly LogRow<unknown>[]): readonly number[] {
  const turns: number[] = [];
  for (let index = 1; index < rows.length; index += 1) {
    const [before, id] = [rows[index - 1]?.id, rows[index]?.id];
    if (before !== undefined && id !== undefined && id < before) turns.push(index);
  }
  return turns;
}

/** Rule 4 (a): returns whether nothing behind a turn rises above it, and a service is on both sides. */
function isTurnTold(rows: readonly LogRow<unknown>[], turn: number): boolean {
  const [before, after] = [rows.slice(0, turn), rows.slice(turn)];
  const last = before.at(-1)?.id ?? 0;
  const isHigher = after.some(({ id }) => (id ?? 0) > last);
  return !isHigher && hasBothSides(rows, turn) && !isMixed(before, after);
}

/** Returns whether ids of one side lie between those of the other, and none is on both: one numbering. */
function isMixed(before: readonly LogRow<unknown>[], after: readonly LogRow<unknown>[]): boolean {
  const ids = new Set(before.map(({ id }) => id));
  const [lowest, highest] = [before[0]?.id ?? 0, after.at(-1)?.id ?? 0];
  return highest > lowest && !after.some(({ id }) => ids.has(id));
}

/** Returns whether a service has lines on both sides of a turn. */
function hasBothSides(rows: readonly LogRow<unknown>[], turn: number): boolean {
  const before = new Set(rows.slice(0, turn).map(({ service }) => service));
  return rows.slice(turn).some(({ service }) => before.has(service));
}
