/** Rules 1 and 4: the numberings of a log, and the places of lines by their ids. */
import type { LogId } from '../../contract/logs.ts';
import { comparePlaces, isAdjacent, type Place, shiftPlace } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import { isRepeated, type Likeness } from './copies.ts';

/** A numbering: its lines stand at their ids plus `shift`, and none is below `from`. */
interface Epoch {
  readonly from: Place;
  readonly shift: Place;
}

/** Places that stay free on both sides of the place at which numbers begin again. */
const room = 2 ** 20;

/** Held ids that come again with other lines before that tells a new numbering. */
const fewestConflicts = 3;

/** Steps by one within the services that tell that each of them numbers for itself. */
const fewestSteps = 8;

/** The part of a page that belongs to one numbering, oldest first, each line once. */
export interface NumberedPart<Line> {
  readonly epoch: number;
  readonly rows: readonly PlacedRow<Line>[];
}

export interface NumberedPage<Line> {
  /** In order. Two parts next to each other show that nothing is between their numberings. */
  readonly parts: readonly NumberedPart<Line>[];
  /** True when the page lists its lines by something else than their ids. */
  readonly isUnordered: boolean;
}

/** The known lines, as the reading of a page needs them. */
export interface PageSight<Line> {
  /** The numbering in which the page was requested. */
  readonly epoch: number;
  /** True when the page ends with the newest line of the service. */
  readonly isNewest: boolean;
  /** Rows of a whole page. */
  readonly pageSize: number;
  /** Returns the first line of a numbering before which nothing is missing. */
  beginOf(epoch: number): Place | undefined;
  /** Compares a row with the held line at a place; undefined when none is held there. */
  compare(place: Place, row: LogRow<Line>): Likeness | undefined;
}

export class Numbering<Line> {
  #epochs: readonly Epoch[] = [{ from: Number.NEGATIVE_INFINITY, shift: 0 }];

  /** The number of the newest numbering. */
  get newest(): number {
    return this.#epochs.length - 1;
  }

  /** The distance of the newest numbering's places from its ids. */
  get shift(): Place {
    return this.#epochs.at(-1)?.shift ?? 0;
  }

  placeOf(id: LogId, epoch = this.newest): Place {
    const shift = this.#epochs[epoch]?.shift ?? 0;
    return shift === 0 ? id : shiftPlace(id, shift);
  }

  /** Returns the number of the numbering that a place belongs to. */
  epochAt(place: Place): number {
    return Math.max(
      0,
      this.#epochs.findLastIndex(({ from }) => from <= place),
    );
  }

  /** Returns true when a place is the first one of a numbering behind another one. */
  isBetween(place: Place, other: Place): boolean {
    return this.#epochs.length > 1 && this.epochAt(place) !== this.epochAt(other);
  }

  /** Begins a numbering behind all lines. Returns its number. */
  beginAfter(end: Place, lowest: LogId): number {
    const shift = shiftPlace(shiftPlace(end, room), lowest < 0 ? -BigInt(lowest) : 0);
    this.#epochs = [...this.#epochs, { from: shiftPlace(end, room / 2), shift }];
    return this.newest;
  }

  /** Puts a numbering that ends with an id before another one, whose number rises by one. */
  #beginBefore(epoch: number, highest: LogId): void {
    const above = this.#epochs[epoch];
    if (above === undefined) return;
    const end = shiftPlace(above.shift, -room);
    const before: Epoch = { from: above.from, shift: shiftPlace(end, -BigInt(highest)) };
    const after: Epoch = { ...above, from: shiftPlace(above.shift, -room / 2) };
    this.#epochs = this.#epochs.toSpliced(epoch, 1, before, after);
  }

  /**
   * Places the rows of a page, in the order of the listing from old to new. Undefined when different
   * lines share an id (rule 1): the log is unnumbered.
   */
  read(rows: readonly LogRow<Line>[], sight: PageSight<Line>): NumberedPage<Line> | undefined {
    const turns = turnsOf(rows);
    const [turn] = turns;
    if (turn === undefined) return this.#readRising(rows, sight);
    if (turns.length > 1 && isOfServices(rows)) return undefined;
    if (turns.length === 1 && hasBothSides(rows, turn)) {
      const page = this.#readTurn(rows, turn, sight);
      if (page !== undefined) return page;
    }
    const part = this.#part(rows, sight.epoch);
    return part && { parts: [part], isUnordered: true };
  }

  /** Rule 4 (a): ids turn down once, and nothing newer rises above the turn. */
  #readTurn(
    rows: readonly LogRow<Line>[],
    turn: number,
    sight: PageSight<Line>,
  ): NumberedPage<Line> | undefined {
    const [before, after] = [rows.slice(0, turn), rows.slice(turn)];
    const last = before.at(-1)?.id ?? 0;
    if (after.some(({ id }) => (id ?? 0) > last) || isMixed(before, after)) return undefined;
    const found = this.#sidesOf(before, after, sight);
    if (found === 'one') return undefined;
    const isTold = sight.isNewest || after.length >= sight.pageSize || found !== undefined;
    if (!isTold) {
      // Too few rows tell whether ids rise above the turn again: the next page will show them.
      const page = this.#readRising(before, sight);
      return page && { ...page, isUnordered: false };
    }
    const epoch = this.#epochBehind(found, last, after, sight);
    const [lower, upper] = [this.#part(before, epoch - 1), this.#part(after, epoch)];
    return lower && upper && { parts: [lower, upper], isUnordered: false };
  }

  /**
   * Returns the numbering of held lines on one side of a turn, as that of the lines behind it.
   * `one`: lines on both sides are held in one numbering, so that their ids do not begin again.
   */
  #sidesOf(
    before: readonly LogRow<Line>[],
    after: readonly LogRow<Line>[],
    sight: PageSight<Line>,
  ): number | 'one' | 'below' | undefined {
    for (let epoch = this.newest; epoch >= 0; epoch -= 1) {
      const isBefore = this.#has(before, epoch, sight);
      const isAfter = this.#has(after, epoch, sight);
      if (isBefore && isAfter) return 'one';
      if (isAfter) return epoch === 0 || !this.#has(before, epoch - 1, sight) ? 'below' : epoch;
      if (isBefore) return epoch + 1;
    }
    return undefined;
  }

  #epochBehind(
    found: number | 'below' | undefined,
    last: LogId,
    after: readonly LogRow<Line>[],
    sight: PageSight<Line>,
  ): number {
    if (found === 'below' || (found === undefined && !sight.isNewest)) {
      const epoch = found === undefined ? sight.epoch : this.#epochOf(after, sight);
      // The numbering before it may be known already by other lines.
      if (epoch > 0) return epoch;
      this.#beginBefore(epoch, last);
      return epoch + 1;
    }
    if (typeof found === 'number' && found <= this.newest) return found;
    return this.newest + 1;
  }

  /** Returns the newest numbering in which some of the rows are held. */
  #epochOf(rows: readonly LogRow<Line>[], sight: PageSight<Line>): number {
    for (let epoch = this.newest; epoch >= 0; epoch -= 1)
      if (this.#has(rows, epoch, sight)) return epoch;
    return sight.epoch;
  }

  #has(rows: readonly LogRow<Line>[], epoch: number, sight: PageSight<Line>): boolean {
    return rows.some((row) => sight.compare(this.placeOf(row.id ?? 0, epoch), row) === 'same');
  }

  /** Places rows whose ids rise. They may end one numbering and begin the next, as a backup does. */
  #readRising(
    rows: readonly LogRow<Line>[],
    sight: PageSight<Line>,
  ): NumberedPage<Line> | undefined {
    const epoch = this.newest === 0 ? 0 : this.#epochOf(rows, sight);
    const compare = (at: number): Likeness | undefined => {
      const row = rows[at];
      return row && sight.compare(this.placeOf(row.id ?? 0, epoch), row);
    };
    const likenesses = rows.map((_, at) => compare(at));
    const behind = conflictsFrom(likenesses);
    if (behind !== undefined) return this.#joined(rows, behind, epoch + 1);
    if (epoch === 0) return this.#single(rows, epoch);
    const begin = sight.beginOf(epoch);
    if (begin === undefined) {
      const older = rows.findLastIndex(
        (row) => sight.compare(this.placeOf(row.id ?? 0, epoch - 1), row) === 'same',
      );
      return older < 0 ? this.#single(rows, epoch) : this.#joined(rows, older + 1, epoch);
    }
    // Lines before the first one of a numbering, as a backup has them, belong to older ones.
    const parts = this.#downFrom(rows, epoch, sight);
    return parts && { parts, isUnordered: false };
  }

  /** Places rising rows in a numbering and those before it, each from its first line on. */
  #downFrom(
    rows: readonly LogRow<Line>[],
    epoch: number,
    sight: PageSight<Line>,
  ): readonly NumberedPart<Line>[] | undefined {
    const begin = epoch === 0 ? undefined : sight.beginOf(epoch);
    const found =
      begin === undefined ? 0 : rows.findIndex(({ id }) => this.placeOf(id ?? 0, epoch) >= begin);
    const first = found < 0 ? rows.length : found;
    const lower = first === 0 ? [] : this.#downFrom(rows.slice(0, first), epoch - 1, sight);
    const upper = first === rows.length ? [] : [this.#part(rows.slice(first), epoch)];
    const parts = lower && [...lower, ...upper];
    return parts?.every((part) => part !== undefined) ? parts : undefined;
  }

  #single(rows: readonly LogRow<Line>[], epoch: number): NumberedPage<Line> | undefined {
    const part = this.#part(rows, epoch);
    return part && { parts: [part], isUnordered: false };
  }

  #joined(
    rows: readonly LogRow<Line>[],
    at: number,
    epoch: number,
  ): NumberedPage<Line> | undefined {
    if (at === 0) return this.#single(rows, epoch);
    if (at === rows.length) return this.#single(rows, epoch - 1);
    const [lower, upper] = [
      this.#part(rows.slice(0, at), epoch - 1),
      this.#part(rows.slice(at), epoch),
    ];
    return lower && upper && { parts: [lower, upper], isUnordered: false };
  }

  /** Places rows in one numbering; undefined when different lines share an id. */
  #part(rows: readonly LogRow<Line>[], epoch: number): NumberedPart<Line> | undefined {
    const isBegun = epoch <= this.newest;
    const placed = rows.map((row) => ({
      // The caller begins a numbering that is not known yet, and then reads the page again.
      place: isBegun ? this.placeOf(row.id ?? 0, epoch) : (row.id ?? 0),
      row,
    }));
    placed.sort((left, right) => comparePlaces(left.place, right.place));
    const single: PlacedRow<Line>[] = [];
    for (const each of placed) {
      const before = single.at(-1);
      if (before?.place !== each.place) single.push(each);
      else if (!isRepeated(before.row, each.row)) return undefined;
    }
    return { epoch, rows: single };
  }
}

/** Returns the indexes of rows whose id is lower than that of the row before. */
function turnsOf(rows: readonly LogRow<unknown>[]): readonly number[] {
  const turns: number[] = [];
  for (let index = 1; index < rows.length; index += 1) {
    const [before, id] = [rows[index - 1]?.id, rows[index]?.id];
    if (before !== undefined && id !== undefined && id < before) turns.push(index);
  }
  return turns;
}

/**
 * Rule 1: returns whether each service numbers for itself. Its ids rise one by one then, although those
 * of all services don't even rise.
 */
function isOfServices(rows: readonly LogRow<unknown>[]): boolean {
  const last = new Map<string, LogId>();
  let steps = 0;
  for (const { id, service } of rows) {
    if (id === undefined || service === undefined) return false;
    const before = last.get(service);
    if (before !== undefined && !isAdjacent(before, id)) return false;
    if (before !== undefined) steps += 1;
    last.set(service, id);
  }
  return last.size > 1 && steps >= fewestSteps;
}

/** Returns whether ids of one side lie between those of the other, and none is on both: one numbering. */
function isMixed(before: readonly LogRow<unknown>[], after: readonly LogRow<unknown>[]): boolean {
  const ids = new Set(before.map(({ id }) => id));
  const [lowest, highest] = [before[0]?.id ?? 0, after.at(-1)?.id ?? 0];
  return highest > lowest && !after.some(({ id }) => ids.has(id));
}

/** Returns whether ids turn down more often than a new numbering explains. */
export function isUnordered(rows: readonly LogRow<unknown>[]): boolean {
  return turnsOf(rows).length > 1 && !isOfServices(rows);
}

/** Returns whether a service has lines on both sides of a turn. */
function hasBothSides(rows: readonly LogRow<unknown>[], turn: number): boolean {
  const before = new Set(rows.slice(0, turn).map(({ service }) => service));
  return rows.slice(turn).some(({ service }) => before.has(service));
}

/**
 * Rule 4 (b): returns the index of the first row that belongs to a new numbering, when three or more
 * held ids came again with other lines and none agrees behind them.
 */
export function conflictsFrom(likenesses: readonly (Likeness | undefined)[]): number | undefined {
  const from = likenesses.lastIndexOf('same') + 1;
  const behind = likenesses.slice(from);
  const conflicts = behind.filter((likeness) => likeness === 'other').length;
  return conflicts < fewestConflicts ? undefined : from + behind.indexOf('other');
}
