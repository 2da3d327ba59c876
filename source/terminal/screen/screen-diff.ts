import { blankRow, type CellRow, fitRow, isSameRow } from './cell-row.ts';
import { FilledRows } from './filled-rows.ts';
import { Pen, type Traits } from './screen-pen.ts';
import { drawRow } from './screen-row.ts';
import { findScroll, type ScrollRegion } from './screen-scroll.ts';

export type { Traits } from './screen-pen.ts';

export interface DrawOptions {
  /** Bytes after which it is enough for now; the row at which they are used up is finished. */
  readonly budget?: number;
  /** Where the cursor stands afterwards (0-based) and whether it is seen; hidden, it stays anywhere. */
  readonly cursor?: { readonly x: number; readonly y: number; readonly visible: boolean };
}

/** Of what a terminal may have been left with: charset, insert and origin mode, margins. */
const undoModes = '\x0f\x1b(B\x1b[4l\x1b[?6l\x1b[r';
const beginUpdate = '\x1b[?2026h';
const endUpdate = '\x1b[?2026l';

/** What a terminal shows, as far as it is known, and the bytes that make it show something else. */
export class ShownScreen {
  readonly #traits: Traits;
  #columns: number;
  #rows: (CellRow | undefined)[];
  #pen: Pen;
  /** The first row of the next draw: after one that was cut short by its budget, where it stopped. */
  #next = 0;
  #modesKnown = false;
  readonly #filled = new FilledRows();

  constructor(columns: number, rows: number, traits: Traits) {
    this.#traits = traits;
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => undefined);
    this.#pen = new Pen(columns, traits);
  }

  /**
   * What the terminal shows is not known any more, nor are its modes: the next draw writes
   * everything.
   */
  forget(columns = this.#columns, rows = this.#rows.length): void {
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => undefined);
    this.#pen = new Pen(columns, this.#traits);
    this.#next = 0;
    this.#modesKnown = false;
  }

  /** The terminal is known to show this: a frame that somebody else wrote. */
  adopt(rows: readonly CellRow[]): void {
    this.#rows = this.#rows.map((_, y) => this.#fitted(rows[y]));
    this.#pen = new Pen(this.#columns, this.#traits);
    this.#next = 0;
    this.#modesKnown = true;
  }

  /** Whether the terminal shows this; a hole equals anything. */
  shows(target: readonly CellRow[]): boolean {
    return this.#rows.every((row, y) => isSameRow(this.#wanted(target, y), row));
  }

  /**
   * The bytes that turn what is shown into `target`, in one synchronized update where the terminal
   * knows that; empty when nothing differs. Rows that are missing are blank. A hole leaves its cell
   * as it is, blank where that is not known. The style is plain afterwards. Not `complete` when the
   * budget did not suffice: the next draw goes on with the rows below.
   */
  draw(
    target: readonly CellRow[],
    { budget = Infinity, cursor }: DrawOptions = {},
  ): { bytes: string; complete: boolean } {
    const pen = this.#pen;
    const height = this.#rows.length;
    if (!this.#modesKnown) pen.raw(undoModes);
    this.#modesKnown = true;
    const wanted = this.#rows.map((_, y) => this.#wanted(target, y));
    // What is seen through a hole stays where it is, also when this draw is cut short.
    const holed = target.some((row) => row.hasHoles);
    const scroll = holed ? undefined : findScroll(this.#rows, wanted, !this.#traits.synchronized);
    if (scroll !== undefined) this.#scroll(scroll);
    let cut = false;
    for (let count = 0; count < height; count++) {
      const y = (this.#next + count) % height;
      const row = wanted[y];
      const shown = this.#rows[y];
      if (row === undefined || isSameRow(row, shown)) continue;
      if (cut) break;
      drawRow(pen, shown, row, y);
      this.#rows[y] = row;
      if (pen.length < budget) continue;
      this.#next = (y + 1) % height;
      cut = true;
    }
    return this.#finished(wanted, cut, cursor);
  }

  #finished(
    wanted: readonly CellRow[],
    cut: boolean,
    cursor: DrawOptions['cursor'],
  ): { bytes: string; complete: boolean } {
    const complete = !cut || wanted.every((row, y) => isSameRow(row, this.#rows[y]));
    if (complete) this.#next = 0;
    const pen = this.#pen;
    if (pen.length > 0) pen.setStyle(0);
    if (cursor !== undefined) {
      // Placed for a larger screen, it must not be thought to stand where it cannot.
      const x = Math.min(cursor.x, this.#columns - 1);
      const y = Math.min(cursor.y, this.#rows.length - 1);
      pen.setCursor(x, y, cursor.visible);
    }
    const bytes = pen.take();
    const wrapped = bytes !== '' && this.#traits.synchronized;
    return { bytes: wrapped ? beginUpdate + bytes + endUpdate : bytes, complete };
  }

  #scroll(scroll: ScrollRegion): void {
    const { top, bottom, rows } = scroll;
    this.#pen.scroll(top, bottom, rows);
    const block = this.#rows.splice(top, bottom - top + 1);
    const blanks = Array.from({ length: Math.abs(rows) }, () => blankRow(this.#columns));
    const moved =
      rows > 0 ? [...block.slice(rows), ...blanks] : [...blanks, ...block.slice(0, rows)];
    this.#rows.splice(top, 0, ...moved);
  }

  /** What row `y` is to show: its holes filled with what it shows already. */
  #wanted(target: readonly CellRow[], y: number): CellRow {
    const row = this.#fitted(target[y]);
    return this.#filled.fill(y, row, 0, this.#rows[y] ?? blankRow(this.#columns));
  }

  #fitted(row: CellRow | undefined): CellRow {
    return row === undefined ? blankRow(this.#columns) : fitRow(row, this.#columns);
  }
}
