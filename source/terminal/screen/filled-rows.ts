import { type CellRow, fillHoles } from './cell-row.ts';

interface FilledRow {
  readonly row: CellRow;
  readonly left: number;
  readonly inner: CellRow;
  readonly result: CellRow;
}

/** Caches the last row with filled holes at each place, as mostly the same rows are filled again. */
export class FilledRows {
  readonly #last: FilledRow[] = [];

  /** Fills the holes of the row at `place` as {@link fillHoles} does. */
  fill(place: number, row: CellRow, left: number, inner: CellRow): CellRow {
    if (!row.hasHoles) return row;
    const last = this.#last[place];
    if (last?.row === row && last.left === left && last.inner === inner) return last.result;
    const result = fillHoles(row, left, inner);
    this.#last[place] = { row, left, inner, result };
    return result;
  }
}
