import type { Clock } from '../../time/clock.ts';

/** Milliseconds that a line whose id leaves a hole waits for the line that it may have overtaken. */
const reorderWindow = 200;

/** Milliseconds within which several arrivals count as one. */
const arrivalGrain = 20;

interface Arrival {
  readonly at: number;
  /** `seq` of the newest line at that time. */
  readonly seq: number;
}

/** The times at which live lines came that have not been read. */
export class Arrivals {
  readonly #clock: Clock;
  #arrivals: Arrival[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds the arrival of the newest line. */
  add(seq: number): void {
    const now = this.#clock.now();
    const latest = this.#arrivals.at(-1);
    if (latest !== undefined && seq <= latest.seq) return;
    const isSame = latest !== undefined && now < latest.at + arrivalGrain;
    if (isSame) this.#arrivals.pop();
    this.#arrivals.push({ at: isSame ? latest.at : now, seq });
  }

  /** Returns until when a line after a hole waits; undefined when it has waited. */
  holdEnd(seq: number): number | undefined {
    const arrival = this.#arrivals.find((each) => each.seq >= seq);
    const until = arrival === undefined ? 0 : arrival.at + reorderWindow;
    return until > this.#clock.now() ? until : undefined;
  }

  /** Forgets the arrivals of lines up to this one. */
  forget(seq: number): void {
    this.#arrivals = this.#arrivals.filter((each) => each.seq > seq);
  }

  clear(): void {
    this.#arrivals = [];
  }
}
