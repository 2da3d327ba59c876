/** Rule 6: tells when a walk back through a log has every line since a time. */

/** Pages that must lie before the bound; that many in a row are enough by themselves. */
const fewestPages = 2;
const mostPages = 20;

/** Distance before the bound at which one of the pages must lie, ms, whatever the clocks do. */
const leastDepth = 2 * 60_000;
const mostDepth = 6 * 3_600_000;

export class TimeWalk {
  readonly #bound: number;
  /** Pages in a row of which every line is before the bound. */
  #pages = 0;
  /** True once one of them lies far before it. */
  #isDeep = false;
  /** The greatest step back from one line to the next. */
  #stepBack = 0;
  /** Time of the oldest line so far that has one. */
  #oldest: number | undefined;
  /** The newest time of the page that was noted last. */
  #newest: number | undefined;

  /** @param bound ms since the epoch. */
  constructor(bound: number) {
    this.#bound = bound;
  }

  /** True when no older line is expected at or after the bound. */
  get isDone(): boolean {
    return this.#pages >= mostPages || (this.#pages >= fewestPages && this.#isDeep);
  }

  /** The newest time of the last page with times, ms since the epoch. */
  get newestOfLast(): number | undefined {
    return this.#newest;
  }

  /** Notes the times of a page's lines, oldest first, which lies before those noted so far. */
  page(times: readonly (number | undefined)[]): void {
    let newest: number | undefined;
    let before: number | undefined;
    for (const time of times) {
      if (time === undefined) continue;
      if (before !== undefined) this.#noteStep(before, time);
      before = time;
      newest = newest === undefined ? time : Math.max(newest, time);
    }
    if (newest === undefined) return;
    if (before !== undefined && this.#oldest !== undefined) this.#noteStep(before, this.#oldest);
    this.#oldest = times.find((time) => time !== undefined);
    this.#newest = newest;
    const isBefore = newest < this.#bound;
    this.#pages = isBefore ? this.#pages + 1 : 0;
    const depth = Math.min(mostDepth, Math.max(leastDepth, 2 * this.#stepBack));
    this.#isDeep = isBefore && (this.#isDeep || newest < this.#bound - depth);
  }

  #noteStep(before: number, time: number): void {
    this.#stepBack = Math.max(this.#stepBack, before - time);
  }
}

/** Returns whether most lines of a page with a time fit into a range. */
export function fitsMostly(
  times: readonly (number | undefined)[],
  fits: (time: number) => boolean,
): boolean {
  const timed = times.filter((time) => time !== undefined);
  return timed.filter(fits).length * 2 > timed.length;
}

/** Returns the time in the middle of a page's times in their order; undefined without any. */
export function middleTime(times: readonly (number | undefined)[]): number | undefined {
  const timed = times.filter((time) => time !== undefined).toSorted((left, right) => left - right);
  return timed[timed.length >> 1];
}

/**
 * Returns whether a page that lies farther back than another one is so much newer that a clock must have
 * stepped back between them.
 */
export function tellsStepBack(middle: number | undefined, nearer: number | undefined): boolean {
  return middle !== undefined && nearer !== undefined && middle > nearer + leastDepth;
}
