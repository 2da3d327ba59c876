/** The log streams that wallets hold open, wherever the host listens. */
export class StreamPlaces {
  readonly #most: number;
  readonly #held = new Map<string, number>();

  /** One wallet has `most` places. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a place and gives what lets it go again; undefined when the wallet has none left. */
  take(wallet: string): (() => void) | undefined {
    const held = this.#held.get(wallet) ?? 0;
    if (held >= this.#most) return undefined;
    this.#held.set(wallet, held + 1);
    return () => {
      const left = (this.#held.get(wallet) ?? 0) - 1;
      if (left > 0) this.#held.set(wallet, left);
      else this.#held.delete(wallet);
    };
  }
}
