/** Limits the open log streams of each wallet, over all addresses that the host listens on. */
export class StreamLimiter {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  /** @param limit is the maximum of open streams of one wallet. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reserves a place. Returns the function that releases it, or undefined at the limit. */
  acquire(wallet: string): (() => void) | undefined {
    const count = this.#counts.get(wallet) ?? 0;
    if (count >= this.#limit) return undefined;
    this.#counts.set(wallet, count + 1);
    return () => {
      const remaining = (this.#counts.get(wallet) ?? 0) - 1;
      if (remaining > 0) this.#counts.set(wallet, remaining);
      else this.#counts.delete(wallet);
    };
  }
}
