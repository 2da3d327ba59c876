import type { HostClock } from '../clock.ts';
import { Mutex } from '../records/mutex.ts';

/** Milliseconds between the start of a service, or a measurement, and the next one, at least. */
const leastPauseMs = 1000;

/** Pause after a measurement, in durations of that measurement. */
const pauseFactor = 20;

/** Something with a limit of its storage. */
export interface MeteredStorage {
  /** Resolves with the excess as a sentence; undefined while it is within its limit. */
  readonly findExcess: () => Promise<string | undefined>;
  /** Called once, with the excess; no measurement follows. */
  readonly onExcess: (sentence: string) => void;
}

/**
 * Measures the storage of services now and then. All measurements of a host run one after another,
 * and the pause after each grows with its duration, so that large trees cost a small part of the
 * disk's and the processor's time.
 */
export class StorageMeter {
  readonly #clock: HostClock;
  readonly #turn = new Mutex();

  constructor(clock: HostClock) {
    this.#clock = clock;
  }

  /** Measures until the returned function is called. */
  watch({ findExcess, onExcess }: MeteredStorage): () => void {
    let isStopped = false;
    let cancel = () => {};
    const measure = async () => {
      let duration = 0;
      // A failed measurement is repeated.
      const excess = await this.#turn
        .run(async () => {
          if (isStopped) return undefined;
          const begun = this.#clock.monotonic();
          return await findExcess().finally(() => {
            duration = this.#clock.monotonic() - begun;
          });
        })
        .catch(() => undefined);
      if (isStopped) return;
      if (excess === undefined) plan(duration * pauseFactor);
      else onExcess(excess);
    };
    const plan = (ms: number) => {
      cancel = this.#clock.schedule(Math.max(leastPauseMs, ms), () => void measure());
    };
    plan(0);
    return () => {
      isStopped = true;
      cancel();
    };
  }
}
