import { type CellRow, isSameRow } from './cell-row.ts';

/** Rows `top` to `bottom` move up by `rows`, or down when it is negative. */
export interface ScrollRegion {
  readonly top: number;
  readonly bottom: number;
  readonly rows: number;
}

/** Bytes of a scroll besides the line feeds: two margins and the jump between them. */
const overhead = 20;
/** Bytes of getting to a row and back to plain, roughly. */
const rowOverhead = 10;

/**
 * The scroll that saves the most bytes on the way from one picture to the other. Upwards it never
 * takes row 0 along, of which terminals would keep a copy in their scrollback.
 * @param whole only rows that have moved as they are: where each step is seen, what is dragged along
 *   and drawn again would flicker.
 */
export function findScroll(
  shown: readonly (CellRow | undefined)[],
  target: readonly CellRow[],
  whole = false,
): ScrollRegion | undefined {
  const rows = mostVotes(shown, target);
  return rows === 0 ? undefined : bestBlock(shown, target, rows, whole);
}

/** How far most of the rows that are found again have moved; 0 when too few are. */
function mostVotes(shown: readonly (CellRow | undefined)[], target: readonly CellRow[]): number {
  const places = new Map<number, number>();
  shown.forEach((row, y) => {
    if (row === undefined || row.end === 0) return;
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

/** The block of rows that gains the most by moving `rows` up, if any does gain. */
function bestBlock(
  shown: readonly (CellRow | undefined)[],
  target: readonly CellRow[],
  rows: number,
  whole: boolean,
): ScrollRegion | undefined {
  const height = target.length;
  const stay = target.map((row, y) => cost(shown[y], row));
  // What it costs to draw rows on lines that came in blank: all rows before y, as a sum.
  const incoming = [0];
  target.forEach((row, y) => {
    incoming.push(
      (incoming[y] ?? 0) + (row.end === 0 ? 0 : row.end + rowOverhead) - (stay[y] ?? 0),
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
    // Going down, blank lines come in above the block that begins here.
    if (y === first || gain < -opening) {
      start = y;
      gain = -opening;
    }
    const moved = cost(shown[y + rows], target[y]);
    gain += whole && moved > 0 ? Number.NEGATIVE_INFINITY : (stay[y] ?? 0) - moved;
    const closing = rows > 0 ? sum(y + 1, y + 1 + rows) : 0;
    if (gain - closing <= bestGain) continue;
    bestGain = gain - closing;
    best =
      rows > 0 ? { top: start, bottom: y + rows, rows } : { top: start + rows, bottom: y, rows };
  }
  return best;
}

/** Bytes that it takes to draw the one over the other, roughly. */
function cost(from: CellRow | undefined, to: CellRow | undefined): number {
  if (to === undefined) return 0;
  if (from === undefined) return to.end + rowOverhead;
  if (isSameRow(from, to)) return 0;
  const width = Math.max(from.end, to.end);
  let changed = 0;
  for (let x = 0; x < width; x++) {
    if (from.texts[x] !== to.texts[x] || from.styles[x] !== to.styles[x]) changed++;
  }
  return Math.min(changed, to.end + 3) + rowOverhead;
}
