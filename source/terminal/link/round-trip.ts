/** Milliseconds after which the older of the two shortest round trips is dropped. */
const memory = 15_000;

type Sample = { time: number; bytes: number };

/**
 * Measures the shortest round trip of the last 15 to 30 s, which is that of a link without a queue,
 * and a smoothed one. Times are in ms.
 */
export class RoundTrip {
  #recent: Sample | undefined;
  #older: Sample | undefined;
  #since = 0;
  #smoothed: number | undefined;

  /** Records the round trip of a write. */
  add(time: number, bytes: number, now: number): void {
    if (now - this.#since >= memory) {
      this.#older = this.#recent;
      this.#recent = undefined;
      this.#since = now;
    }
    this.#recent = shorter(this.#recent, { time, bytes });
    const smoothed = this.#smoothed ?? time;
    // A single long stall must not count as a slow link.
    const bounded = Math.min(time, 4 * smoothed + 100);
    this.#smoothed = smoothed + (bounded - smoothed) / 8;
  }

  /** Records a round trip without a queue as the shortest, even if it is longer than the last. */
  restart(time: number, bytes: number, now: number): void {
    this.#recent = { time, bytes };
    this.#older = undefined;
    this.#since = now;
    this.#smoothed = time;
  }

  clear(): void {
    this.#recent = undefined;
    this.#older = undefined;
    this.#smoothed = undefined;
  }

  /** Undefined before the first round trip. */
  get shortest(): number | undefined {
    return shorter(this.#older, this.#recent)?.time;
  }

  get smoothed(): number | undefined {
    return this.#smoothed;
  }

  /**
   * Returns the milliseconds that a write waited behind others. A write larger than that of the
   * shortest round trip takes longer by itself, at `rate` bytes per ms.
   */
  queue(time: number, bytes: number, rate: number): number {
    const base = shorter(this.#older, this.#recent);
    if (base === undefined) return 0;
    return Math.max(0, time - base.time - Math.max(0, bytes - base.bytes) / rate);
  }
}

function shorter(left: Sample | undefined, right: Sample | undefined): Sample | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return right.time <= left.time ? right : left;
}
