import type { LogStore } from './store.ts';

/** Part of the limit by which a log may exceed it before it is trimmed, so that not every batch trims. */
const slack = 1 / 16;

/** Most runs, and bytes, per slice: more than a batch adds, and done within milliseconds. */
const maxSlice = { runs: 5_000, bytes: 4 * 1024 * 1024 };

/** Part of the limit of all logs that the largest one gives before it is another one's turn. */
const turnPart = 1 / 1024;

/** Database pages to free per slice. */
const pagesPerSlice = 256;

/** Limits in bytes of stored text. */
export interface LogLimits {
  /** The log of one deployment. */
  readonly maxLogBytes: number;
  /** All logs in sum. */
  readonly maxAllLogBytes: number;
}

/**
 * Limits the size of each deployment's log and of all logs: removes the oldest lines, one slice at a
 * time. When all logs together are too large, the largest one gives lines, until it is as small as the
 * next one: a deployment that writes much can't remove the lines of one that writes little.
 */
export class LogRetention {
  readonly #store: LogStore;
  readonly #limits: LogLimits;
  readonly #maxFreePages: number;
  /** Deployments whose logs are being trimmed. */
  readonly #full = new Set<number>();
  /** True while the largest logs are being trimmed, because of all logs. */
  #isAllFull = false;

  constructor(store: LogStore, limits: LogLimits) {
    this.#store = store;
    this.#limits = limits;
    // Free pages for the lines that are written until the next trim of a log at its limit.
    this.#maxFreePages = Math.ceil((limits.maxLogBytes * slack * 2) / store.pageBytes);
  }

  /** Marks the logs among these that exceed their limit, and all logs when they exceed theirs. */
  markFull(deployments: Iterable<number>): void {
    for (const deployment of deployments) {
      const { bytes = 0 } = this.#store.ends.get(deployment) ?? {};
      if (bytes > this.#limits.maxLogBytes * (1 + slack)) this.#full.add(deployment);
    }
    if (this.#store.bytes > this.#limits.maxAllLogBytes * (1 + slack)) this.#isAllFull = true;
  }

  /** Trims one slice. Returns false when there is nothing more to trim. */
  trim(): boolean {
    for (const deployment of this.#full) {
      const { bytes = 0 } = this.#store.ends.get(deployment) ?? {};
      if (!this.#trimDeployment(deployment, bytes - this.#limits.maxLogBytes))
        this.#full.delete(deployment);
    }
    if (this.#full.size > 0) return true;
    if (this.#isAllFull) this.#isAllFull = this.#trimLargest();
    if (this.#isAllFull) return true;
    // Unused pages are returned to the file system; the database keeps a part of its size.
    const spare = Math.min(this.#maxFreePages, Math.ceil(this.#store.usedPages * slack * 2));
    return this.#store.shrink(pagesPerSlice, spare);
  }

  /** Removes one slice of a log as a whole. Returns false when nothing of it is left. */
  remove(deployment: number): boolean {
    this.#full.delete(deployment);
    const rows = this.#store
      .prepare('select first, bytes from log_runs where deployment = ? order by first limit ?')
      .all(deployment, maxSlice.runs);
    let removed = 0;
    let last: number | undefined;
    for (const row of rows) {
      if (removed >= maxSlice.bytes) break;
      last = Number(row['first']);
      removed += Number(row['bytes']);
    }
    if (last === undefined) this.#store.removeEnd(deployment);
    else this.#store.removeThrough(deployment, last, removed);
    return last !== undefined;
  }

  /** Trims the largest log by a slice. Returns false when all logs are within their limit. */
  #trimLargest(): boolean {
    const { bytes, ends } = this.#store;
    const excess = bytes - this.#limits.maxAllLogBytes;
    let [largest, next] = [{ deployment: 0, bytes: 0 }, 0];
    for (const [deployment, end] of ends) {
      if (end.bytes > largest.bytes) {
        next = largest.bytes;
        largest = { deployment, bytes: end.bytes };
      } else next = Math.max(next, end.bytes);
    }
    // Down to the next one and a little below it, so that equal logs take turns.
    const lead = largest.bytes - next + this.#limits.maxAllLogBytes * turnPart;
    this.#trimDeployment(largest.deployment, Math.min(excess, lead));
    const { bytes: remaining } = this.#store;
    return remaining < bytes && remaining > this.#limits.maxAllLogBytes;
  }

  /**
   * Removes the oldest runs of this many bytes or more, but never the last run. Returns false when
   * nothing is left to remove.
   */
  #trimDeployment(deployment: number, bytes: number): boolean {
    let excess = bytes;
    if (excess <= 0) return false;
    const rows = this.#store
      .prepare('select first, bytes from log_runs where deployment = ? order by first limit ?')
      .all(deployment, maxSlice.runs + 1);
    let removed = 0;
    let last: number | undefined;
    for (const row of rows.slice(0, -1)) {
      if (excess <= 0 || removed >= maxSlice.bytes) break;
      last = Number(row['first']);
      removed += Number(row['bytes']);
      excess -= Number(row['bytes']);
    }
    if (last === undefined) return false;
    this.#store.removeThrough(deployment, last, removed);
    return excess > 0;
  }
}
