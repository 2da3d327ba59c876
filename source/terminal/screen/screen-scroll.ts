import { type CellRow, haveSameCells } from './cell-row.ts';

/** A scroll of the rows `top` to `bottom` up by `rows`, or down if it is negative. */
export interface ScrollRegion {
  readonly top: number;
  readonly bottom: number;
  readonly distance: number;
}

/** Bytes of a scroll besides the line feeds: two settings of margins and a jump. */
const overhead = 20;
/** Approximate bytes of a jump to a row and a reset of the style. */
const rowOverhead = 10;

/**
 * Finds the scroll that saves the most bytes on the way from the rows shown to the target. A scroll up
 * excludes row 0, which terminals would copy into their scrollback.
 * @param whole true to scroll only unchanged rows: without synchronized updates, rows that move and
 *   are then redrawn would flicker.
 */
export function findScroll(
  shown: readonly (CellRow | undefined)[],
  target: readonly CellRow[],
  whole = false,
): ScrollRegion | undefined {
  const rows = mostFrequentMove(shown, target);
  return rows === 0 ? undefined : bestBlock(shown, target, rows, whole);
}

/** Returns the distance by which most rows have moved; 0 if none have. */
function mostFrequentMove(
  shown: readonly (CellRow | undefined)[],
  target: readonly CellRow[],
): number {
  const places = new Map<number, number>();
  shown.forEach((row, y) => {
    if (row === undefined || row.contentEnd === 0) return;
    places.set(row.hash, places.has(row.hash) ? ambiguous : y);
  });
  const votes = new Map<number, number>();
  let winner = 0;
  target.forEach((row, y) => {
    const place =
      row === shown[y] || row.hash === shown[y]?.hash ? ambiguous : places.get(row.hash);
    if (place === undefined || place === ambiguous) return;
    const count = (votes.get(place - y) ?? 0) + 1;
    votes.set(place - y, count);
    if (count > (votes.get(winner) ?? 0)) winner = place - y;
  });
  return winner;
}

const ambiguous = -1;

/** Returns the block of rows that saves the most bytes by moving `rows` up; undefined if none does. */
function bestBlock(
  shown: readonly (CellRow | undefined)[],
  target: readonly CellRow[],
  rows: number,
  whole: boolean,
): ScrollRegion | undefined {
  const height = target.length;
  const redraw = target.map((row, y) => cost(shown[y], row));
  // Extra bytes to draw rows on blank lines that scrolled in: the sum of all rows before y.
  const incoming = [0];
  target.forEach((row, y) => {
    incoming.push(
      (incoming[y] ?? 0) +
        (row.contentEnd === 0 ? 0 : row.contentEnd + rowOverhead) -
        (redraw[y] ?? 0),
    );
  });
  const first = Math.max(rows > 0 ? 1 : 0, -rows);
  const last = Math.min(height - 1, height - 1 - rows);
  const sum = (from: number, to: number): number => (incoming[to] ?? 0) - (incoming[from] ?? 0);
  let best: ScrollRegion | undefined;
  let bestGain = overhead + Math.abs(rows) * 2;
  let start = first;
  let gain = 0;
  for (let y = first; y <= last; y++) {
    const opening = rows < 0 ? sum(y + rows, y) : 0;
    // A scroll down adds blank lines above a block that begins here.
    if (y === first || gain < -opening) {
      start = y;
      gain = -opening;
    }
    const moved = cost(shown[y + rows], target[y]);
    gain += whole && moved > 0 ? Number.NEGATIVE_INFINITY : (redraw[y] ?? 0) - moved;
    const closing = rows > 0 ? sum(y + 1, y + 1 + rows) : 0;
    if (gain - closing <= bestGain) continue;
    bestGain = gain - closing;
    best =
      rows > 0
        ? { top: start, bottom: y + rows, distance: rows }
        : { top: start + rows, bottom: y, distance: rows };
  }
  return best;
}

/** Estimates the bytes to turn one row into the other. */
function cost(from: CellRow | undefined, to: CellRow | undefined): number {
  if (to === undefined) return 0;
  if (from === undefined) return to.contentEnd + rowOverhead;
  if (haveSameCells(from, to)) return 0;
  const width = Math.max(from.contentEnd, to.contentEnd);
  let changed = 0;
  for (let x = 0; x < width; x++) {
    if (from.texts[x] !== to.texts[x] || from.styles[x] !== to.styles[x]) changed++;
  }
  return Math.min(changed, to.contentEnd + 3) + rowOverhead;
}
