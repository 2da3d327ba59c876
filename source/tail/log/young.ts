/** Rule 3, late lines: holes in what came just now are read once more. */
import { maxPlace, minPlace, type Place, shiftPlace } from '../arena/place.ts';

/** A range with holes, noted between two ticks. */
interface Range {
  readonly from: Place;
  readonly to: Place;
  readonly tick: number;
  readonly looks: number;
}

/** Ticks, five seconds apart, after which a range is no longer young. */
const youth = 3;

/** Most pages in two ticks, and most pages for a range that they do not settle. */
const mostPages = 4;
const mostLooks = 6;

/** Most ranges that wait; more come only from a log with holes that is read too slowly. */
const mostRanges = 200;

export class YoungHoles {
  #tick = 0;
  #pages = 0;
  #ranges: readonly Range[] = [];
  /** The range that {@link next} has named. */
  #named: Range | undefined;
  /** The newest place at each of the last ticks. */
  #newest: readonly (Place | undefined)[] = [];

  get ticks(): number {
    return this.#tick;
  }

  /** The last line that is no longer young. */
  get settledEnd(): Place | undefined {
    return this.#newest.length < youth ? undefined : this.#newest[0];
  }

  /** Returns whether a line is no longer young. */
  isSettled(place: Place | undefined): boolean {
    const { settledEnd } = this;
    return place !== undefined && settledEnd !== undefined && place <= settledEnd;
  }

  note(from: Place, to: Place): void {
    const last = this.#ranges.at(-1);
    const isSame = last?.tick === this.#tick;
    const range = isSame
      ? { ...last, from: minPlace(last.from, from), to: maxPlace(last.to, to) }
      : { from, to, tick: this.#tick, looks: 0 };
    this.#ranges = [...(isSame ? this.#ranges.slice(0, -1) : this.#ranges), range];
    if (this.#ranges.length > mostRanges) this.#ranges = this.#ranges.slice(-mostRanges);
  }

  /** @param newest the newest place. */
  tick(newest: Place | undefined): void {
    this.#tick += 1;
    if (this.#tick % 2 === 0) this.#pages = 0;
    this.#newest = [...this.#newest, newest].slice(-youth);
  }

  /** Returns the place to look at next; undefined while there is none. */
  next(): Place | undefined {
    this.#named = undefined;
    const first = this.#ranges[0];
    if (first === undefined || this.#pages >= mostPages) return undefined;
    if (this.#tick - first.tick < youth) return undefined;
    this.#named = first;
    return first.to;
  }

  /** A page was read for {@link next}. Returns the range that is given up. */
  looked(): readonly [Place, Place] | undefined {
    this.#pages += 1;
    const [first, ...rest] = this.#ranges;
    // The page has settled the range, or a part of it.
    if (first === undefined || first !== this.#named) return undefined;
    const looks = first.looks + 1;
    this.#ranges = looks < mostLooks ? [{ ...first, looks }, ...rest] : rest;
    return looks < mostLooks ? undefined : [first.from, first.to];
  }

  /** Looks on below the part of a range that was given up. */
  goOn(from: Place, to: Place): void {
    this.#ranges = [{ from, to, tick: this.#tick - youth, looks: 0 }, ...this.#ranges];
  }

  /** Gives up the range of {@link next}, about which nothing can be found out. */
  dismiss(): readonly [Place, Place] | undefined {
    const [first, ...rest] = this.#ranges;
    if (first === undefined || first !== this.#named) return undefined;
    this.#ranges = rest;
    return [first.from, first.to];
  }

  /** A page has shown every line of a range. */
  resolve(from: Place, to: Place): void {
    if (this.#ranges.length === 0) return;
    this.#ranges = this.#ranges.flatMap((range) => {
      const isYoung = this.#tick - range.tick < youth;
      if (isYoung || range.to < from || range.from > to) return range;
      const under = { ...range, to: shiftPlace(from, -1), looks: 0 };
      const over = { ...range, from: shiftPlace(to, 1), looks: 0 };
      return [under, over].filter((part) => part.from <= part.to);
    });
  }

  /** Lines before a place leave memory; with `after`, only those behind that line. */
  forget(place: Place, after: Place | undefined): void {
    if (this.#ranges.length === 0) return;
    this.#ranges = this.#ranges.flatMap((range) => {
      if (range.to >= place) return range;
      return after === undefined || range.from >= after
        ? []
        : { ...range, to: minPlace(range.to, after) };
    });
  }

  clear(): void {
    this.#ranges = [];
    this.#newest = [];
  }
}
