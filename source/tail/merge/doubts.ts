/** The most places in doubt that are remembered; the oldest are taken as they are. */
const mostDoubts = 10_000;

/** Attempts to look at a place before it is taken as it is. */
const mostLooks = 4;

interface Doubt {
  looks: number;
  /** The copies that the last page lacked. */
  surplus: number | undefined;
}

/**
 * The instants of which only history can tell the number and the order of the lines. They are looked
 * at once they are old enough for history to have all of them.
 */
export class Doubts {
  readonly #places = new Map<number, Doubt>();
  /** Everything up to here is old enough; what was the newest place at the last check will be. */
  #settled = Number.NEGATIVE_INFINITY;
  #next = Number.NEGATIVE_INFINITY;

  add(place: number): void {
    if (this.#places.has(place)) return;
    this.#places.set(place, { looks: 0, surplus: undefined });
    const [oldest] = this.#places.keys();
    if (this.#places.size > mostDoubts && oldest !== undefined) this.#places.delete(oldest);
  }

  /** Called every few seconds with the newest place. */
  age(newest: number): void {
    this.#settled = this.#next;
    this.#next = newest;
  }

  /** The last place whose instant history has whole by now. */
  get settled(): number {
    return this.#settled;
  }

  /** Returns true when history has every line of an instant by now. */
  isSettled(place: number): boolean {
    return place <= this.#settled;
  }

  /** Returns the next place to look at; undefined while none is old enough. */
  next(): number | undefined {
    for (const [place, { looks }] of this.#places) {
      if (looks < mostLooks && this.isSettled(place)) return place;
    }
    return undefined;
  }

  /** Notes that a page was requested for a place. */
  looked(place: number): void {
    const doubt = this.#places.get(place);
    if (doubt !== undefined) doubt.looks += 1;
  }

  /**
   * Returns whether copies that a page lacks are to be removed: when two pages say so.
   *
   * @param surplus the number of copies.
   */
  isConfirmed(place: number, surplus: number): boolean {
    if (!this.isSettled(place)) return false;
    this.add(place);
    const doubt = this.#places.get(place);
    if (doubt === undefined) return false;
    const isSame = doubt.surplus === surplus;
    doubt.surplus = surplus;
    return isSame;
  }

  /** A page held the whole instant, and nothing is open. */
  resolve(place: number): void {
    if (this.isSettled(place)) this.#places.delete(place);
  }

  /** Nothing more can be found out about a place. */
  dismiss(place: number): void {
    const doubt = this.#places.get(place);
    if (doubt !== undefined) doubt.looks = mostLooks;
  }

  forgetBefore(place: number): void {
    for (const known of this.#places.keys()) if (known < place) this.#places.delete(known);
  }

  clear(): void {
    this.#places.clear();
  }
}
