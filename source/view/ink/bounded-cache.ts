/**
 * Caches between `most` and twice as many values in two generations: when the young one is full, it
 * replaces the old one, whose unused values are dropped.
 */
export class BoundedCache<T> {
  readonly #most: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: T): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
