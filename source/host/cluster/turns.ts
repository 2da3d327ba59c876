import { setImmediate } from 'node:timers/promises';

/**
 * Turns of deployments whose work on a start of the host would come all at once: one of them goes on at a time,
 * and what else the host has to do comes between.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves after those that came before, each in a turn of the event loop of its own. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
