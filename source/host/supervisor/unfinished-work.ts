/** Work that a stopping host waits for, so that the next one finds a consistent data folder. */
export class UnfinishedWork {
  readonly #running = new Set<Promise<void>>();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.add(promise);
    try {
      return await work();
    } finally {
      this.#running.delete(promise);
      resolve();
    }
  }

  /** Resolves when the work that runs now has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
