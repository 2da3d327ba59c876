/** Scroll positions that show a match of a search. */

/** Returns the first row that shows a line: the current one while the line is visible in it. */
export function topWithMatch(line: number, top: number, height: number): number {
  if (line >= top && line < top + height) return top;
  return Math.max(0, line - Math.floor(height / 4));
}

/** Cells that stay visible behind the beginning of a match. */
const matchRoom = 10;

/** Returns the first column that shows a match at `column`: the current one where it is visible. */
export function leftWithMatch(column: number, left: number, width: number): number {
  if (column >= left && column + matchRoom <= left + width) return left;
  return column + matchRoom <= width ? 0 : Math.max(0, column - Math.floor(width / 4));
}
