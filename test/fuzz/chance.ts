/** Reproducible random choices. */
export class Chance {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
    for (let warming = 0; warming < 4; warming += 1) this.#next();
  }

  /** Returns a whole number from 0, below `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** Returns true once in `count` calls on average. */
  once(count: number): boolean {
    return this.below(count) === 0;
  }

  of<T>(values: readonly [T, ...(readonly T[])]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  /** Returns one of these, weighted by the number next to it. */
  weighed<T>(values: readonly [readonly [number, T], ...(readonly (readonly [number, T])[])]): T {
    let rest = this.below(values.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of values) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return values[0][1];
  }

  /** Returns random bytes. */
  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  /** Mulberry32, which is random enough for tests. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
