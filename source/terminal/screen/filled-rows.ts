import { type CellRow, fillHoles } from './cell-row.ts';

interface Filled {
  readonly row: CellRow;
  readonly left: number;
  readonly inner: CellRow;
  readonly result: CellRow;
}

/**
 * Rows whose holes were filled, the last of each place: mostly the same ones are filled again. It
 * holds no more than these, though what is filled now may itself have been filled before.
 */
export class FilledRows {
  readonly #last: Filled[] = [];

  /** As {@link fillHoles}, for the row that stands at `place`. */
  fill(place: number, row: CellRow, left: number, inner: CellRow): CellRow {
    if (!row.hasHoles) return row;
    const last = this.#last[place];
    if (last?.row === row && last.left === left && last.inner === inner) return last.result;
    const result = fillHoles(row, left, inner);
    this.#last[place] = { row, left, inner, result };
    return result;
  }
}
