import type { EditorState } from '@codemirror/state';
import type { Geometry } from './geometry.ts';
import type { Viewport } from './viewport.ts';

/** One drawn character. `text` is at least one cell wide, unless the character has no width. */
export interface DrawnCluster {
  /** The character's position in the document. */
  readonly from: number;
  readonly text: string;
  /** True for a cell that marks text beyond an edge of the viewport. */
  readonly isCut?: true;
}

/** A row of the viewport before highlighting. */
export interface PlainRow {
  /** The line number, counted from 1. */
  readonly line: number;
  /** True for a further row of a wrapped line. */
  readonly isContinuation: boolean;
  readonly clusters: readonly DrawnCluster[];
  /** The range of document positions that the row shows. */
  readonly from: number;
  readonly to: number;
  /** True when the line ends in this row and a cell follows its end. */
  readonly hasEndCell: boolean;
}

/** Lays out the rows of the viewport; fewer than its height at the end of the document. */
export function layoutRows(state: EditorState, geometry: Geometry, viewport: Viewport): PlainRow[] {
  const { rows, columns } = viewport.size;
  const result: PlainRow[] = [];
  let { line: lineNumber, row } = viewport.top;
  while (result.length < rows && lineNumber <= state.doc.lines) {
    const cells = geometry.line(lineNumber);
    const { from } = state.doc.line(lineNumber);
    const walk = cells.walkFrom(row, viewport.left);
    const { left } = viewport;
    const right = left + columns;
    while (walk.row === row && !walk.atEnd && isLeftOf(walk, left)) walk.advance();
    const first = walk.offset;
    const placed: PlacedCluster[] = [];
    const isCutLeft =
      viewport.marksCuts && left > 0 && (first > 0 || (!walk.atEnd && walk.cell < left));
    while (walk.row === row && !walk.atEnd && walk.cell < right) {
      const { cell, cells: width } = walk;
      placed.push({ from: from + walk.offset, cell, cells: width, text: walk.drawnText() });
      walk.advance();
    }
    const isCutRight = viewport.marksCuts && (!walk.atEnd || walk.cell > right);
    const range = { from: left + (isCutLeft ? 1 : 0), to: right - (isCutRight ? 1 : 0) };
    const pieces = placed.flatMap((cluster) => visiblePart(cluster, range));
    if (isCutLeft) pieces.unshift({ from: from + first, text: ' ', isCut: true });
    if (isCutRight) pieces.push({ from: from + walk.offset, text: ' ', isCut: true });
    const showsEnd =
      walk.row === row && walk.atEnd && walk.cell >= range.from && walk.cell < range.to;
    result.push({
      line: lineNumber,
      isContinuation: row > 0,
      clusters: pieces,
      from: from + first,
      to: from + walk.offset,
      hasEndCell: showsEnd,
    });
    if (cells.hasRow(row + 1)) row += 1;
    else {
      lineNumber += 1;
      row = 0;
    }
  }
  return result;
}

/** A character at its cells in the line. */
interface PlacedCluster extends DrawnCluster {
  readonly cell: number;
  readonly cells: number;
}

/** Returns a character in a range of cells; blanks where an edge of the range cuts through it. */
function visiblePart(
  { from, text, cell, cells }: PlacedCluster,
  range: { readonly from: number; readonly to: number },
): DrawnCluster[] {
  const visible = Math.min(range.to, cell + cells) - Math.max(range.from, cell);
  if (visible === cells) return [{ from, text }];
  return visible > 0 ? [{ from, text: ' '.repeat(visible) }] : [];
}

/** Returns true left of the viewport. A character without width belongs to the one before it. */
function isLeftOf(
  { cell, cells }: { readonly cell: number; readonly cells: number },
  left: number,
): boolean {
  return cell + cells < left || (cell + cells === left && left > 0);
}
