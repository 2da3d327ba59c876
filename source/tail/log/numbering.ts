/** Rules 1 and 4: the numberings of a log, and the places of lines by their ids. */
import type { LogId } from '../../contract/logs.ts';
import { comparePlaces, isAdjacent, type Place, shiftPlace } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import { type Copies, isRepeated } from './copies.ts';
import type { Held } from './held.ts';
import { isTurnTold, type PageFacts, PagePath, turnsOf } from './page-path.ts';

/** A numbering: its lines stand at their ids plus `shift`, and none is below `from`. */
interface Epoch {
  readonly from: Place;
  readonly shift: Place;
}

/** Places that stay free on both sides of the place at which numbers begin again. */
const room = 2 ** 20;

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
  read(
    rows: readonly LogRow<Line>[],
    held: Held<Line>,
    copies: Copies,
    facts: PageFacts,
  ): NumberedPage<Line> | undefined {
    const turns = turnsOf(rows);
    if (turns.length > 1 && isOfServices(rows)) return undefined;
    const isListed = facts.isByTime || this.isUnordered(rows);
    const path = isListed ? undefined : new PagePath(this, rows, held, copies, facts).find();
    if (path?.isContradicted === true) return undefined;
    if (path === undefined || path.isUnordered) {
      const part = this.#part(rows, this.newest);
      return part && { parts: [part], isUnordered: true };
    }
    const { epochs } = path;
    // Ids alone place a page in a log of one numbering; else it has to show lines that are known.
    const isOnlyOne = this.newest === 0 && epochs.every((epoch) => epoch === 0);
    const isTold = isOnlyOne || facts.isNewest || path.score >= 1 / 2;
    const parts = isTold ? this.#parts(rows, epochs, facts.isNewest) : [];
    return parts && { parts, isUnordered: false };
  }

  /** Returns the parts of a page by the numberings of its rows, as `PagePath` finds them. */
  #parts(
    rows: readonly LogRow<Line>[],
    epochs: readonly number[],
    isNewest: boolean,
  ): readonly NumberedPart<Line>[] | undefined {
    const { newest } = this;
    const known = epochs.findIndex((epoch) => epoch >= 0);
    const isBefore = known > 0 && epochs[known] === 0;
    // Rows before all that are known are placed down to the next turn.
    const first = isBefore ? (turnsOf(rows).findLast((at) => at < known) ?? 0) : Math.max(0, known);
    if (isBefore) this.#beginBefore(0, rows[known - 1]?.id ?? 0);
    const parts: NumberedPart<Line>[] = [];
    for (let from = first; from < rows.length; ) {
      const epoch = epochs[from] ?? 0;
      const until = epochs.findIndex((each) => each > epoch);
      const end = until < 0 ? rows.length : until;
      const part = this.#part(rows.slice(from, end), isBefore ? epoch + 1 : epoch);
      if (part === undefined) return undefined;
      // Only the newest page tells a new numbering.
      if (epoch <= newest || isNewest) parts.push(part);
      from = end;
    }
    return parts;
  }

  /** Returns whether ids turn down more often than new numberings explain. */
  isUnordered(rows: readonly LogRow<unknown>[]): boolean {
    const turns = turnsOf(rows);
    const isTold = turns.every((turn) => isTurnTold(rows, turn));
    return this.newest === 0 && turns.length > 1 && !isTold && !isOfServices(rows);
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

/**
 * Rule 1: returns whether each service numbers for itself. Its ids rise one by one then, although those
 * of all services don't even rise.
 */
function isOfServices(rows: readonly LogRow<unknown>[]): boolean {
  return (stepsOfServices(rows) ?? 0) >= fewestSteps;
}

/** Returns how often ids rise by one within a service; undefined where any don't, or where one service has all. */
export function stepsOfServices(rows: readonly LogRow<unknown>[]): number | undefined {
  const last = new Map<string, LogId>();
  let steps = 0;
  for (const { id, service } of rows) {
    if (id === undefined || service === undefined) return undefined;
    const before = last.get(service);
    if (before === id) continue;
    if (before !== undefined && !isAdjacent(before, id)) return undefined;
    if (before !== undefined) steps += 1;
    last.set(service, id);
  }
  return last.size > 1 ? steps : undefined;
}
