import { blankRow, type CellRow, fitRow, haveSameCells } from './cell-row.ts';
import { FilledRows } from './filled-rows.ts';
import { Pen, type ScreenTraits } from './screen-pen.ts';
import { drawRow } from './screen-row.ts';
import { findScroll, type ScrollRegion } from './screen-scroll.ts';

export interface DrawOptions {
  /** Most bytes to write now, unlimited by default; the row that reaches the limit is completed. */
  readonly budget?: number;
  /** Position (0-based) and visibility of the cursor afterwards. A hidden cursor may be anywhere. */
  readonly cursor?: { readonly x: number; readonly y: number; readonly visible: boolean };
}

/** Resets modes that a program may have left set: charset, insert and origin mode, margins. */
const undoModes = '\x0f\x1b(B\x1b[4l\x1b[?6l\x1b[r';
const beginUpdate = '\x1b[?2026h';
const endUpdate = '\x1b[?2026l';

/** Tracks the rows that a terminal shows, and produces the output that turns them into others. */
export class ShownScreen {
  readonly #traits: ScreenTraits;
  #columns: number;
  #rows: (CellRow | undefined)[];
  #pen: Pen;
  /** First row of the next draw: the row after the last one if the budget ended that draw. */
  #next = 0;
  #areModesKnown = false;
  readonly #filled = new FilledRows();

  constructor(columns: number, rows: number, traits: ScreenTraits) {
    this.#traits = traits;
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => undefined);
    this.#pen = new Pen(columns, traits);
  }

  /**
   * Marks the rows and the modes of the terminal as unknown, so that the next draw writes all of
   * them.
   */
  invalidate(columns = this.#columns, rows = this.#rows.length): void {
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => undefined);
    this.#pen = new Pen(columns, this.#traits);
    this.#next = 0;
    this.#areModesKnown = false;
  }

  /** Records a frame that other code has written to the terminal. */
  adopt(rows: readonly CellRow[]): void {
    this.#rows = this.#rows.map((_, y) => this.#fitted(rows[y]));
    this.#pen = new Pen(this.#columns, this.#traits);
    this.#next = 0;
    this.#areModesKnown = true;
  }

  /** Returns whether the terminal shows these rows; a hole equals anything. */
  shows(target: readonly CellRow[]): boolean {
    return this.#rows.every((row, y) => haveSameCells(this.#filledRow(target, y), row));
  }

  /**
   * Returns the output that turns the rows shown into `target`, in one synchronized update where the
   * terminal supports that; empty when nothing differs. Missing rows are blank. A hole leaves its cell
   * unchanged, blank if unknown. The style is plain afterwards. `complete` is false if the budget did
   * not suffice: the next draw continues with the rows below.
   */
  draw(
    target: readonly CellRow[],
    { budget = Infinity, cursor }: DrawOptions = {},
  ): { bytes: string; complete: boolean } {
    const pen = this.#pen;
    const height = this.#rows.length;
    if (!this.#areModesKnown) pen.write(undoModes);
    this.#areModesKnown = true;
    const wanted = this.#rows.map((_, y) => this.#filledRow(target, y));
    // Cells under holes must not move, even if the budget ends this draw early.
    const hasHoles = target.some((row) => row.hasHoles);
    const scroll = hasHoles
      ? undefined
      : findScroll(this.#rows, wanted, !this.#traits.hasSynchronizedOutput);
    if (scroll !== undefined) this.#scroll(scroll);
    let isBudgetSpent = false;
    for (let count = 0; count < height; count++) {
      const y = (this.#next + count) % height;
      const row = wanted[y];
      const shown = this.#rows[y];
      if (row === undefined || haveSameCells(row, shown)) continue;
      if (isBudgetSpent) break;
      drawRow(pen, shown, row, y);
      this.#rows[y] = row;
      if (pen.length < budget) continue;
      this.#next = (y + 1) % height;
      isBudgetSpent = true;
    }
    return this.#finish(wanted, isBudgetSpent, cursor);
  }

  #finish(
    wanted: readonly CellRow[],
    isBudgetSpent: boolean,
    cursor: DrawOptions['cursor'],
  ): { bytes: string; complete: boolean } {
    const complete = !isBudgetSpent || wanted.every((row, y) => haveSameCells(row, this.#rows[y]));
    if (complete) this.#next = 0;
    const pen = this.#pen;
    if (pen.length > 0) pen.setStyle(0);
    if (cursor !== undefined) {
      // A cursor placed on a larger screen must stay within this one.
      const x = Math.min(cursor.x, this.#columns - 1);
      const y = Math.min(cursor.y, this.#rows.length - 1);
      pen.setCursor(x, y, cursor.visible);
    }
    const bytes = pen.takeOutput();
    const isWrapped = bytes !== '' && this.#traits.hasSynchronizedOutput;
    return { bytes: isWrapped ? beginUpdate + bytes + endUpdate : bytes, complete };
  }

  #scroll(scroll: ScrollRegion): void {
    const { top, bottom, distance } = scroll;
    this.#pen.scroll(top, bottom, distance);
    const block = this.#rows.splice(top, bottom - top + 1);
    const blanks = Array.from({ length: Math.abs(distance) }, () => blankRow(this.#columns));
    const moved =
      distance > 0
        ? [...block.slice(distance), ...blanks]
        : [...blanks, ...block.slice(0, distance)];
    this.#rows.splice(top, 0, ...moved);
  }

  /** Returns row `y` of the target, with its holes filled from the row shown. */
  #filledRow(target: readonly CellRow[], y: number): CellRow {
    const row = this.#fitted(target[y]);
    return this.#filled.fill(y, row, 0, this.#rows[y] ?? blankRow(this.#columns));
  }

  #fitted(row: CellRow | undefined): CellRow {
    return row === undefined ? blankRow(this.#columns) : fitRow(row, this.#columns);
  }
}
