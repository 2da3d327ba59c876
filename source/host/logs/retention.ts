import type { LogStore } from './store.ts';

/** A full log is trimmed when it is this much too large, not by each batch. */
const slack = 1 + 1 / 16;

/** Runs, and bytes of them, removed together: more than are written together, in milliseconds. */
const slice = { runs: 5_000, bytes: 4 * 1024 * 1024 };

/** Pages given back together. */
const pages = 256;

/** Keeps the log of each deployment below a size: the oldest lines go, a slice at a time. */
export class LogRetention {
  readonly #store: LogStore;
  readonly #bytesKept: number;
  readonly #pagesKept: number;
  /** Those that are trimmed now. */
  readonly #full = new Set<number>();

  constructor(store: LogStore, bytesKept: number) {
    this.#store = store;
    this.#bytesKept = bytesKept;
    // What is trimmed next time is written to the room of what is trimmed now.
    this.#pagesKept = Math.ceil((bytesKept * (slack - 1) * 2) / store.pageBytes);
  }

  /** Looks at logs that have grown. */
  look(deployments: Iterable<number>): void {
    for (const deployment of deployments) {
      const { bytes = 0 } = this.#store.ends.get(deployment) ?? {};
      if (bytes > this.#bytesKept * slack) this.#full.add(deployment);
    }
  }

  /** Does one slice of what there is to do; false when that was all. */
  tidy(): boolean {
    for (const deployment of this.#full) {
      if (!this.#trim(deployment)) this.#full.delete(deployment);
    }
    // Room that stays unused is given back to the system.
    return this.#full.size > 0 || this.#store.shrink(pages, this.#pagesKept);
  }

  /** Removes the oldest runs, but never the last one; false when the log is small enough. */
  #trim(deployment: number): boolean {
    let excess = (this.#store.ends.get(deployment)?.bytes ?? 0) - this.#bytesKept;
    if (excess <= 0) return false;
    const rows = this.#store
      .prepare('select first, bytes from log_runs where deployment = ? order by first limit ?')
      .all(deployment, slice.runs + 1);
    let removed = 0;
    let last: number | undefined;
    for (const row of rows.slice(0, -1)) {
      if (excess <= 0 || removed >= slice.bytes) break;
      last = Number(row['first']);
      removed += Number(row['bytes']);
      excess -= Number(row['bytes']);
    }
    if (last === undefined) return false;
    this.#store.removeThrough(deployment, last, removed);
    return excess > 0;
  }
}
