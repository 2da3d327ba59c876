import type { Storage } from '../storage.ts';
import type { Batch } from './store.ts';

/** What a stored line takes beside its text, roughly: row, keys and both indexes. */
const rowOverhead = 100;

/** A full log is trimmed when it is this much too large, not by each batch. */
const slack = 1 + 1 / 16;

/** Lines looked at together. */
const slice = 5_000;

/** Keeps the log of each deployment below a size: the oldest lines go. */
export class LogRetention {
  readonly #storage: Storage;
  readonly #bytesKept: number;
  /** Bytes stored, by deployment; counted once, then kept up to date. */
  readonly #bytes = new Map<number, number>();

  constructor(storage: Storage, bytesKept: number) {
    this.#storage = storage;
    this.#bytesKept = bytesKept;
  }

  /** Lines that were just written. */
  added({ deployment, lines }: Batch): void {
    const before = this.#bytes.get(deployment);
    // The first count has the new lines in it already.
    const bytes =
      before === undefined
        ? this.#count(deployment)
        : lines.reduce((sum, { line }) => sum + Buffer.byteLength(line) + rowOverhead, before);
    this.#bytes.set(deployment, bytes);
    if (bytes > this.#bytesKept * slack) this.#trim(deployment, bytes);
  }

  #trim(deployment: number, bytes: number) {
    let left = bytes;
    let last = 0;
    while (left > this.#bytesKept) {
      const rows = this.#storage
        .prepare(
          `select id, octet_length(line) as bytes from log_lines
           where deployment = ? and id > ? order by id limit ?`,
        )
        .all(deployment, last, slice);
      if (rows.length === 0) break;
      for (const row of rows) {
        if (left <= this.#bytesKept) break;
        left -= Number(row['bytes']) + rowOverhead;
        last = Number(row['id']);
      }
    }
    this.#storage
      .prepare('delete from log_lines where deployment = ? and id <= ?')
      .run(deployment, last);
    this.#bytes.set(deployment, left);
  }

  #count(deployment: number): number {
    const row = this.#storage
      .prepare(
        `select ifnull(sum(octet_length(line) + ${rowOverhead}), 0) as bytes
         from log_lines where deployment = ?`,
      )
      .get(deployment);
    return Number(row?.['bytes']);
  }
}
