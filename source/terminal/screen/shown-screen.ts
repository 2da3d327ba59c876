import { blankRow, type CellRow, fitRow, haveSameCells, hasSameCells } from './cell-row.ts';
import { FilledRows } from './screen-rows.ts';
import { Pen, type ScreenTraits } from './screen-pen.ts';
import { findScroll, type ScrollRegion } from './screen-scroll.ts';
import { isWidthUncertain, remainingCells } from './width-ambiguity.ts';

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

/**
 * Writes the changes that turn row `y` from `from` into `to`. If either row has characters of
 * uncertain width, the row is erased and rewritten from the first of them on, unless nothing changed
 * between the first and the last of them.
 */
function drawRow(pen: Pen, from: CellRow | undefined, to: CellRow, y: number): void {
  const width = to.texts.length;
  if (from === undefined) {
    pen.moveTo(0, y);
    pen.eraseRest();
    drawCells(pen, blankRow(width), to, y, width);
    return;
  }
  let start = Math.min(from.uncertainFrom, to.uncertainFrom);
  while (start > 0 && (from.texts[start] === '' || to.texts[start] === '')) start--;
  const end = Math.max(from.uncertainTo, to.uncertainTo);
  if (start >= end || hasSameCells(from, to, start, end)) {
    drawCells(pen, from, to, y, width);
    return;
  }
  drawCells(pen, from, to, y, start, false);
  pen.skipTo(to, start, y);
  pen.eraseRest();
  drawCells(pen, erasedFrom(to, start), to, y, width);
}

/** Returns `row` with plain blanks from column `start` on; its other properties are stale. */
function erasedFrom(row: CellRow, start: number): CellRow {
  const texts = row.texts.map((text, x) => (x < start ? text : ' '));
  const styles = row.styles.slice();
  styles.fill(0, start);
  return { ...row, texts, styles };
}

/** Writes the cells before column `limit` that differ. */
function drawCells(
  pen: Pen,
  from: CellRow,
  to: CellRow,
  y: number,
  limit: number,
  mayEraseRest = true,
): void {
  const { texts, styles, contentEnd } = to;
  let last = limit - 1;
  while (last >= 0 && texts[last] === from.texts[last] && styles[last] === from.styles[last])
    last--;
  let x = 0;
  /** Cells before this column may hold parts of a character of uncertain width, unlike `from`. */
  let doubtful = 0;
  while (x <= Math.max(last, doubtful - 1)) {
    const isSame = texts[x] === from.texts[x] && styles[x] === from.styles[x];
    if (isSame && x >= doubtful) {
      x++;
      continue;
    }
    pen.skipTo(to, x, y);
    if (mayEraseRest && x >= contentEnd && Math.max(last, doubtful - 1) - x >= 3) {
      pen.eraseRest();
      return;
    }
    const blanks = blanksChanged(from, to, x, last);
    if (blanks > 0 && pen.eraseCells(blanks)) {
      x += blanks;
      continue;
    }
    const text = texts[x] ?? ' ';
    if (isWidthUncertain(text))
      doubtful = Math.min(limit, Math.max(doubtful, x + remainingCells(text)));
    x += pen.writeCharacter(to, x);
  }
}

/** Returns the number of plain blanks from `x` up to the last of them that changed. */
function blanksChanged(from: CellRow, to: CellRow, x: number, last: number): number {
  let end = x;
  let changed = x;
  while (end <= last && to.texts[end] === ' ' && to.styles[end] === 0) {
    if (from.texts[end] !== ' ' || from.styles[end] !== 0) changed = end + 1;
    end++;
  }
  return changed - x;
}
