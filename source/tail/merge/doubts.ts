import { maxPlace, minPlace, type Place, shiftPlace } from '../arena/place.ts';

/** The most ranges in doubt that are remembered; the oldest are taken as they are. */
const mostRanges = 1000;

/** Pages that may be read for a range without any effect before it is taken as it is. */
const mostLooks = 4;

interface Range {
  readonly from: Place;
  readonly to: Place;
  readonly looks: number;
}

/**
 * The parts of the log of which only history can tell the number and the order of the lines. They
 * are looked at when they are old enough for history to have all of them.
 */
export class Doubts {
  /** Noted since the last check, and before it. */
  #fresh: Range | undefined;
  #waiting: Range | undefined;
  #ready: readonly Range[] = [];
  /** The newest place at the last check. What came before that is old enough at the next one. */
  #newest: Place | undefined;
  /** Everything up to here is old enough. */
  settled: Place = Number.NEGATIVE_INFINITY;
  /** Copies of an instant that the last page lacked. */
  readonly #surplus = new Map<Place, number>();
  /** The last page lacked copies that another one is to confirm. */
  #hasSurplus = false;
  /** False once a look has changed nothing: the next one has time until the next check. */
  #mayLook = false;

  note(from: Place, to: Place): void {
    const { from: low, to: high } = this.#fresh ?? { from, to };
    this.#fresh = { from: minPlace(low, from), to: maxPlace(high, to), looks: 0 };
  }

  /** Called every few seconds. */
  check(newest: Place): void {
    if (this.#waiting !== undefined)
      this.#ready = [...this.#ready, this.#waiting].slice(-mostRanges);
    this.#waiting = this.#fresh;
    this.#fresh = undefined;
    this.settled = this.#newest ?? this.settled;
    this.#newest = newest;
    this.#mayLook = true;
  }

  /** Returns the next place to look at; undefined while there is none. */
  next(): Place | undefined {
    return this.#mayLook ? this.#ready[0]?.to : undefined;
  }

  /** A page was read for the place. */
  noteLook(hasChanged: boolean): void {
    const [first, ...rest] = this.#ready;
    const hasEffect = hasChanged || this.#hasSurplus;
    this.#hasSurplus = false;
    this.#mayLook = hasEffect;
    if (first === undefined || hasEffect) return;
    const looks = first.looks + 1;
    this.#ready = looks < mostLooks ? [{ ...first, looks }, ...rest] : rest;
  }

  /** Nothing can be found out about the place. */
  dismiss(): void {
    this.#ready = this.#ready.slice(1);
  }

  /** A page has shown every line of a range. */
  resolve(from: Place, to: Place): void {
    this.#ready = this.#ready.flatMap((range) => {
      if (range.to < from || range.from > to) return range;
      const under = { from: range.from, to: shiftPlace(from, -1), looks: 0 };
      const over = { from: shiftPlace(to, 1), to: range.to, looks: 0 };
      return [under, over].filter((part) => part.from <= part.to);
    });
  }

  /** Returns whether copies that a page lacks are to be removed: when two pages say so. */
  isConfirmed(start: Place, copies: number): boolean {
    const isSettled = start <= this.settled;
    const isConfirmed = isSettled && this.#surplus.get(start) === copies;
    if (!isConfirmed) this.note(start, start);
    if (isConfirmed) this.#surplus.delete(start);
    else if (isSettled) {
      this.#surplus.set(start, copies);
      this.#hasSurplus = true;
    }
    return isConfirmed;
  }

  forgetBefore(place: Place): void {
    this.#ready = this.#ready.filter(({ to }) => to >= place);
    for (const start of this.#surplus.keys()) if (start < place) this.#surplus.delete(start);
  }

  clear(): void {
    this.#fresh = undefined;
    this.#waiting = undefined;
    this.#ready = [];
    this.#newest = undefined;
    this.settled = Number.NEGATIVE_INFINITY;
    this.#surplus.clear();
  }
}
