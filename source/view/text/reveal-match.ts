/** Scroll positions that show a match of a search. */

/** Returns the first row that shows a line: the current one while the line is visible in it. */
export function topWithMatch(line: number, top: number, height: number): number {
  if (line >= top && line < top + height) return top;
  return Math.max(0, line - Math.floor(height / 4));
}

/**
 * Returns the first column that shows a match, as `less` does: the beginning of the line where the match
 * is there, else the current one while the match is visible. One cell at each side is left to the
 * ellipsis.
 * @param match its first cell, and the one behind it.
 */
export function leftWithMatch(
  [from, to]: readonly [from: number, to: number],
  left: number,
  width: number,
): number {
  const shown = Math.min(to - from, Math.max(1, width - 2));
  const isVisible = (start: number): boolean =>
    from >= start + (start === 0 ? 0 : 1) && from + shown < start + width;
  if (isVisible(0)) return 0;
  if (isVisible(left)) return left;
  const before = Math.max(1, Math.min(Math.floor(width / 4), width - shown - 1));
  return Math.max(0, from - before);
}
