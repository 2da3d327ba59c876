import type { LogStore } from './store.ts';

/** Part of the limit by which a log may exceed it before it is trimmed, so that not every batch trims. */
const slack = 1 / 16;

/** Most runs, and bytes, per slice: more than a batch adds, and done within milliseconds. */
const maxSlice = { runs: 5_000, bytes: 4 * 1024 * 1024 };

/** Database pages to free per slice. */
const pagesPerSlice = 256;

/** Limits the size of each deployment's log: removes the oldest lines, one slice at a time. */
export class LogRetention {
  readonly #store: LogStore;
  readonly #maxLogBytes: number;
  readonly #maxFreePages: number;
  /** Deployments whose logs are being trimmed. */
  readonly #full = new Set<number>();

  constructor(store: LogStore, maxLogBytes: number) {
    this.#store = store;
    this.#maxLogBytes = maxLogBytes;
    // Free pages for the lines that are written until the next trim of a log at its limit.
    this.#maxFreePages = Math.ceil((maxLogBytes * slack * 2) / store.pageBytes);
  }

  /** Marks the logs among these that exceed their limit. */
  markFull(deployments: Iterable<number>): void {
    for (const deployment of deployments) {
      const { bytes = 0 } = this.#store.ends.get(deployment) ?? {};
      if (bytes > this.#maxLogBytes * (1 + slack)) this.#full.add(deployment);
    }
  }

  /** Trims one slice. Returns false when there is nothing more to trim. */
  trim(): boolean {
    for (const deployment of this.#full) {
      if (!this.#trimDeployment(deployment)) this.#full.delete(deployment);
    }
    if (this.#full.size > 0) return true;
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

  /**
   * Removes the oldest runs, but never the last one. Returns false when the log is within its
   * limit.
   */
  #trimDeployment(deployment: number): boolean {
    let excess = (this.#store.ends.get(deployment)?.bytes ?? 0) - this.#maxLogBytes;
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
