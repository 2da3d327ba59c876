import { isWidthUncertain, remainingCells } from './width-ambiguity.ts';
import { blankRow, type CellRow, hasSameCells } from './cell-row.ts';
import type { Pen } from './screen-pen.ts';

/**
 * Writes the changes that turn row `y` from `from` into `to`. If either row has characters of
 * uncertain width, the row is erased and rewritten from the first of them on, unless nothing changed
 * between the first and the last of them.
 */
export function drawRow(pen: Pen, from: CellRow | undefined, to: CellRow, y: number): void {
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
