import type { HostClock } from '../clock.ts';

/** Waits until a snapshot of the cluster meets a condition. */
export class SnapshotWatch {
  readonly #clock: HostClock;
  readonly #observers = new Set<() => void>();

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  /** Checks all conditions; call it after each snapshot. */
  notify(): void {
    for (const observer of this.#observers) observer();
  }

  /** Resolves when a later snapshot meets the condition; rejects when the signal is aborted. */
  async until(isMet: () => boolean, signal: AbortSignal): Promise<void> {
    await this.decide(() => (isMet() ? true : undefined), signal);
  }

  /** Resolves with what a later snapshot decides; rejects when the signal is aborted. */
  async decide<T extends string | object | true>(
    judge: () => T | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const observer = () => {
      const decided = judge();
      if (decided !== undefined) resolve(decided);
    };
    const abort = () => {
      reject(new Error('cancelled'));
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#observers.add(observer);
    try {
      return await promise;
    } finally {
      this.#observers.delete(observer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Resolves when a later snapshot meets the condition, after `ms`, or when the signal is aborted. */
  async untilOrLate(isMet: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const cancel = this.#clock.schedule(ms, () => {
      late.abort();
    });
    await this.until(isMet, AbortSignal.any([late.signal, signal])).catch(() => undefined);
    cancel();
  }
}
