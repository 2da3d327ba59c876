/** Choices that are the same each time for the same numbers. */
export class Chance {
  #state: number;

  constructor(seed: number, index: number) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
    for (let warming = 0; warming < 4; warming += 1) this.#next();
  }

  /** A whole number from 0 up to, but without, this one. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** True once in so many times. */
  once(of: number): boolean {
    return this.below(of) === 0;
  }

  of<T>(values: readonly [T, ...(readonly T[])]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  /** One of these, as often as the number beside it says. */
  weighed<T>(values: readonly [readonly [number, T], ...(readonly (readonly [number, T])[])]): T {
    let rest = this.below(values.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of values) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return values[0][1];
  }

  /** So many bytes, of all values. */
  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  /** Mulberry32: good enough to be uneven in no way that matters here. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
