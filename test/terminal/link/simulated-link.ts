/** Rates in bytes per ms, times in ms, sizes in bytes. */
export type LinkSettings = {
  rate: number;
  roundTrip: number;
  /** Capacity of the buffer; a write that does not fit blocks the writer, as a tty does. */
  buffer: number;
  /** Largest extra delay of a round trip; the order of bytes is kept. */
  jitter: number;
  /** Time of the terminal to process a write. */
  emulator: () => number;
  random: () => number;
};

/**
 * A link to a terminal in virtual time: bytes leave one after the other at the rate, travel for half
 * the round trip, are processed by the terminal, and its answer travels back.
 */
export class SimulatedLink {
  rate: number;
  readonly #settings: LinkSettings;
  #freeAt = 0;
  #stalledUntil = 0;
  #arrivedAt = 0;
  #answeredAt = 0;

  constructor(settings: LinkSettings) {
    this.#settings = settings;
    this.rate = settings.rate;
  }

  /** Stalls the link until `time`. */
  stall(time: number): void {
    this.#stalledUntil = time;
    this.#freeAt = Math.max(this.#freeAt, time);
  }

  /** Returns the times at which a write at `now` returns, is shown, and is answered. */
  write(bytes: number, now: number): { returned: number; shown: number; answered: number } {
    const { roundTrip, buffer, jitter, emulator, random } = this.#settings;
    this.#freeAt = Math.max(this.#freeAt, now) + bytes / this.rate;
    const held = (this.#freeAt - Math.max(now, this.#stalledUntil)) * this.rate;
    const returned = held > buffer ? this.#freeAt - buffer / this.rate : now;
    const arrived = this.#freeAt + roundTrip / 2 + random() * (jitter / 2);
    this.#arrivedAt = Math.max(this.#arrivedAt, arrived) + emulator();
    const back = this.#arrivedAt + roundTrip / 2 + random() * (jitter / 2);
    this.#answeredAt = Math.max(this.#answeredAt, back);
    return { returned, shown: this.#arrivedAt, answered: this.#answeredAt };
  }
}
