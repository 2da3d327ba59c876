/**
 * Rule 4: finds the numberings to which the rows of a page belong: those with which they agree most.
 * A page lists lines from old to new, so that its numberings rise. -1 stands for older ones that are
 * not known, and the number behind the newest one for a new numbering.
 */
import type { LogId } from '../../contract/logs.ts';
import { minPlace, type Place, shiftPlace } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';
import type { Copies, Likeness } from './copies.ts';
import type { Held } from './held.ts';

/** Held ids that come again with other lines before that tells a new numbering. */
const fewestConflicts = 3;

/** The weight of an equal line whose text comes more than once (seed 602104). */
const repeatedWeight = 1 / 2;

/** The cost of ids that turn down within a numbering. */
const disorder = 1 / 4;

/** A cost that decides only what nothing else does (seed 600331). */
const tie = 1 / 64;

const never = Number.POSITIVE_INFINITY;

/** Lines at the beginning of a numbering that a stream may leave out. */
const mostLeftOut = 8;

/** Facts by which a page is read, besides its rows and the known lines. */
export interface PageFacts {
  /** The log is listed by time. */
  readonly isByTime: boolean;
  /** The page ends with the newest line of the service. */
  readonly isNewest: boolean;
  /** Lower lines of the stream wait for a page that tells whether numbers begin again. */
  readonly isSuspicious: boolean;
  /** The newest known line, when something else speaks for a new numbering, should the page lack it. */
  readonly doubtedEnd: Place | undefined;
  /** The last known line that was no longer young when the page was requested. */
  readonly settledEnd: Place | undefined;
}

/** The known numberings; `Numbering` implements it. */
interface Epochs {
  readonly newest: number;
  placeOf(id: LogId, epoch?: number): Place;
  epochAt(place: Place): number;
}

interface FoundPath {
  /** The numbering of each row. */
  readonly epochs: readonly number[];
  /** The agreements of the rows with these, less the costs. */
  readonly score: number;
  /** True when the service lists its lines by something else than their ids. */
  readonly isUnordered: boolean;
  /** True when rows contradict the numberings: ids tell nothing. */
  readonly isContradicted: boolean;
}

export class PagePath<Line> {
  readonly #known: Epochs;
  readonly #rows: readonly LogRow<Line>[];
  readonly #held: Held<Line>;
  readonly #facts: PageFacts;
  readonly #oldest: Place | undefined;
  /** True when the page lacks the doubted end of the log. */
  readonly #lacksEnd: boolean;
  /** The cost of numbers that begin again without a turn of the ids. */
  readonly #conflicts: number;
  /** The first line of each numbering before which nothing is missing. */
  readonly #begins: readonly (Place | undefined)[];
  readonly #likenesses: readonly (readonly (Likeness | undefined)[])[];
  /** Whether the line of a row is known in some numbering for certain (seed 630092). */
  readonly #isCopied: readonly boolean[];
  readonly #counts = new Map<string, number>();

  constructor(
    known: Epochs,
    rows: readonly LogRow<Line>[],
    held: Held<Line>,
    copies: Copies,
    facts: PageFacts,
  ) {
    this.#known = known;
    this.#rows = rows;
    this.#held = held;
    this.#facts = facts;
    this.#oldest = held.spans[0]?.from;
    this.#lacksEnd = facts.isNewest && this.#isEndLacking();
    this.#conflicts = this.#lacksEnd ? 1 / 2 : fewestConflicts - 1 / 2;
    const epochs = Array.from({ length: known.newest + 1 }, (_, epoch) => epoch);
    this.#begins = epochs.map((epoch) => held.begunIn((place) => known.epochAt(place) === epoch));
    const lines = rows.map(({ id = 0 }) =>
      epochs.map((epoch) => held.at(known.placeOf(id, epoch))?.row),
    );
    this.#likenesses = rows.map((row, at) =>
      (lines[at] ?? []).map((line) => line && copies.compare(line, row)),
    );
    this.#isCopied = rows.map((row, at) =>
      (lines[at] ?? []).some((line) => copies.isCertainCopy(line, row)),
    );
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
    const isUnordered = this.#isUnordered(epochs);
    return { epochs, score, isUnordered, isContradicted: this.#isContradicted(epochs) };
  }

  /** Returns whether the last numbering of the newest page has not the doubted end, nor lies behind it. */
  #isEndLacking(): boolean {
    const { doubtedEnd: end } = this.#facts;
    if (end === undefined) return false;
    const last = this.#rows.slice(turnsOf(this.#rows).at(-1) ?? 0);
    const places = last.map(({ id = 0 }) => this.#known.placeOf(id));
    return !places.includes(end) && !places.every((place) => place > end);
  }

  /** Returns whether a line is known in another numbering, or several differ from those that are known. */
  #isContradicted(epochs: readonly number[]): boolean {
    const isElsewhere = (epoch: number, at: number): boolean =>
      epoch >= 0 &&
      this.#likenesses[at]?.[epoch] !== 'same' &&
      (this.#isCopied[at] === true || this.#isKnownElsewhere(at, epoch));
    if (this.#endsTooEarly(epochs)) return true;
    if (epochs.some(isElsewhere) || this.#isAmbiguous(epochs) || this.#differs(epochs)) return true;
    const isTold = turnsOf(this.#rows).some(
      (at) => epochs[at] === epochs[at - 1] && isTurnTold(this.#rows, at),
    );
    return isTold || this.#leavesOut(epochs);
  }

  /** Returns whether lower lines wait, and the newest page ends a known numbering below an old line. */
  #endsTooEarly(epochs: readonly number[]): boolean {
    const { doubtedEnd, isSuspicious, settledEnd } = this.#facts;
    if (!isSuspicious || !this.#lacksEnd || doubtedEnd === undefined || settledEnd === undefined)
      return false;
    return doubtedEnd <= settledEnd && (epochs.at(-1) ?? 0) <= this.#known.newest;
  }

  /** Returns whether rows differ from the known lines, also where a page shows no other numbering. */
  #differs(epochs: readonly number[]): boolean {
    const isOnlyOne = this.#known.newest === 0 && turnsOf(this.#rows).length === 0;
    const others = epochs.filter(
      (epoch, at) => this.#likenesses[at]?.[isOnlyOne && epoch < 0 ? 0 : epoch] === 'other',
    );
    return others.length >= fewestConflicts;
  }

  /**
   * Returns whether known lines that were no longer young lie between two rows next to each other, in a
   * log that was numbered anew: any other may have removed lines. The first rows of a log that forgets may
   * stand beside ones that it has forgotten. Where ids turn down, a numbering ends with its last line, and
   * the next one follows.
   */
  #leavesOut(epochs: readonly number[]): boolean {
    const { settledEnd } = this.#facts;
    if (settledEnd === undefined || this.#known.newest === 0) return false;
    const turns = turnsOf(this.#rows);
    const end = shiftPlace(settledEnd, 1);
    return epochs.some((epoch, at) => {
      const before = epochs[at - 1] ?? epoch;
      const isStay = before === epoch;
      if (epoch < 0 || (isStay ? at <= mostLeftOut : !turns.includes(at))) return false;
      if (isStay && epoch > this.#known.newest) return false;
      const from = before < 0 ? Number.NEGATIVE_INFINITY : this.#placeAt(at - 1, before);
      const to = epoch > this.#known.newest ? end : minPlace(this.#placeAt(at, epoch), end);
      return (
        from < to &&
        this.#held.linesFrom(from) - this.#held.linesFrom(to) > (this.#held.at(from) ? 1 : 0)
      );
    });
  }

  /** Returns whether the first rows of a new numbering may as well be missing lines of the newest one (seed 602353). */
  #isAmbiguous(epochs: readonly number[]): boolean {
    const { newest } = this.#known;
    const place = this.#placeAt(0, newest);
    return (
      (epochs[0] ?? 0) > newest &&
      this.#likenesses[0]?.[newest] === undefined &&
      this.#oldest !== undefined &&
      place > this.#oldest
    );
  }

  /** Returns whether a row of a known numbering is rather a line of another one. */
  #isKnownElsewhere(at: number, epoch: number): boolean {
    const isSame = this.#likenesses[at]?.includes('same') === true;
    return (
      isSame && epoch <= this.#known.newest && this.#counts.get(this.#rows[at]?.text ?? '') === 1
    );
  }

  #isUnordered(epochs: readonly number[]): boolean {
    const isDisorder = (at: number): boolean =>
      (epochs[at] ?? 0) >= 0 && epochs[at] === epochs[at - 1];
    return turnsOf(this.#rows).some(isDisorder);
  }

  #placeAt(at: number, epoch: number): Place {
    return this.#known.placeOf(this.#rows[at]?.id ?? 0, epoch);
  }

  /** Returns how much a row speaks for a numbering. */
  #agreement(at: number, epoch: number): number {
    if (epoch < 0 || epoch > this.#known.newest) return 0;
    const likeness = this.#likenesses[at]?.[epoch];
    if (likeness === 'other') return -1;
    if (likeness === undefined || likeness === 'unsure') return 0;
    return this.#counts.get(this.#rows[at]?.text ?? '') === 1 ? 1 : repeatedWeight;
  }

  /** Only the newest page tells a new numbering, and it ends with none that is not known. */
  #costOfFirst(epoch: number): number {
    if (epoch <= this.#known.newest) return 0;
    if (!this.#facts.isNewest) return never;
    return this.#lacksEnd ? 0 : this.#conflicts;
  }

  #costOfLast(epoch: number): number {
    const { newest } = this.#known;
    if (epoch < 0 && this.#facts.isNewest) return never;
    if (epoch > newest) return this.#lacksEnd ? -2 * tie : 0;
    const end = this.#held.newest;
    const isBelow = end !== undefined && this.#placeAt(this.#rows.length - 1, newest) < end;
    // The newest page rather begins a numbering than ends below the newest known line.
    return this.#facts.isNewest && isBelow ? tie : 0;
  }

  /** Returns the cost of going from one numbering to another one, or the same, before a row. */
  #costOfStep(at: number, from: number, to: number): number {
    const { newest } = this.#known;
    const isTurn = (this.#rows[at]?.id ?? 0) < (this.#rows[at - 1]?.id ?? 0);
    if (from === to) return isTurn && to >= 0 ? disorder : 0;
    const skipped = (to - from - 1) * tie;
    if (isTurn) {
      const isNew = to > newest || (from < 0 && to === 0);
      return isNew && !isTurnTold(this.#rows, at) ? never : skipped;
    }
    const begin = this.#begins[to];
    const isBegin =
      begin !== undefined && this.#placeAt(at - 1, to) < begin && begin <= this.#placeAt(at, to);
    // A few rows before the first known line may be ones that the stream has left out (seed 603581).
    if (isBegin) return at > mostLeftOut || from >= 0 ? skipped - tie : -2 * tie;
    if (from < 0 || (to > newest && !this.#facts.isNewest)) return never;
    return this.#conflicts + skipped;
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
export function isTurnTold(rows: readonly LogRow<unknown>[], turn: number): boolean {
  const [before, after] = [rows.slice(0, turn), rows.slice(turn)];
  const last = before.at(-1)?.id ?? 0;
  const isHigher = after.some(({ id }) => (id ?? 0) > last);
  return !isHigher && hasBothSides(rows, turn);
}

/** Returns whether a service has lines on both sides of a turn. */
function hasBothSides(rows: readonly LogRow<unknown>[], turn: number): boolean {
  const before = new Set(rows.slice(0, turn).map(({ service }) => service));
  return rows.slice(turn).some(({ service }) => before.has(service));
}
