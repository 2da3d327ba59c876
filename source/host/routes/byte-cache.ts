/** A value whose bytes count. */
interface Sized {
  readonly bytes: Uint8Array;
}

/** A cache with a limit of bytes; the entry that was set first is evicted first. */
export class ByteCache<Value extends Sized> {
  readonly #limit: number;
  readonly #entries = new Map<string, Value>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry. One that exceeds the limit alone is not cached. */
  set(key: string, value: Value): void {
    this.#remove(key);
    if (value.bytes.length > this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      if (this.#size + value.bytes.length <= this.#limit) break;
      this.#remove(oldest);
    }
    this.#entries.set(key, value);
    this.#size += value.bytes.length;
  }

  #remove(key: string) {
    this.#size -= this.#entries.get(key)?.bytes.length ?? 0;
    this.#entries.delete(key);
  }
}
