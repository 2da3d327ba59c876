/** Tells when something changes in folders. */
import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { type Clock, pause } from '../../store/time/clock.ts';

/** Milliseconds of quiet after which a burst of changes is over. */
const quiet = 300;

/** Milliseconds after which changes without a pause count as a burst. */
const longestBurst = 2000;

/** Watches the folders that it was given since its last `clear`. */
export class FolderWatcher {
  readonly #root: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #watchers: FSWatcher[] = [];
  /** True where the system refuses to watch further folders, so that changes there aren't seen. */
  isIncomplete = false;
  #event = new AbortController();

  constructor(root: string, clock: Clock, signal: AbortSignal) {
    this.#root = root;
    this.#clock = clock;
    this.#signal = signal;
  }

  clear(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
    this.#event = new AbortController();
    this.isIncomplete = false;
  }

  /** Watches a folder, which is read afterwards so that no change goes unseen. */
  add(folder: string): void {
    const notice = (): void => this.#event.abort();
    try {
      const watcher = watch(path.join(this.#root, folder), notice);
      watcher.on('error', notice);
      this.#watchers.push(watcher);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.isIncomplete = true;
    }
  }

  /**
   * Resolves with true after a burst of changes is over; with false after `timeout` milliseconds without
   * any, or at the signal.
   */
  async next(timeout: number): Promise<boolean> {
    await this.#wait(timeout);
    if (!this.#event.signal.aborted) return false;
    const until = this.#clock.now() + longestBurst;
    while (this.#event.signal.aborted && this.#clock.now() < until) {
      this.#event = new AbortController();
      await this.#wait(quiet);
    }
    return !this.#signal.aborted;
  }

  #wait(milliseconds: number): Promise<void> {
    return pause(this.#clock, milliseconds, AbortSignal.any([this.#signal, this.#event.signal]));
  }
}
