import type { EditorState } from '@codemirror/state';
import type { Geometry } from './geometry.ts';
import type { Viewport } from './viewport.ts';

/** One drawn character. `text` is at least one cell wide, unless the character has no width. */
export interface DrawnCluster {
  /** The character's position in the document. */
  readonly from: number;
  readonly text: string;
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
    const pieces: DrawnCluster[] = [];
    const right = viewport.left + columns;
    while (walk.row === row && !walk.atEnd && isLeftOf(walk, viewport.left)) walk.advance();
    const first = walk.offset;
    while (walk.row === row && !walk.atEnd && walk.cell < right) {
      const visibleCells =
        Math.min(right, walk.cell + walk.cells) - Math.max(viewport.left, walk.cell);
      // A character that an edge of the viewport cuts through is blanked.
      const text = visibleCells === walk.cells ? walk.drawnText() : ' '.repeat(visibleCells);
      pieces.push({ from: from + walk.offset, text });
      walk.advance();
    }
    const showsEnd =
      walk.row === row && walk.atEnd && walk.cell >= viewport.left && walk.cell < right;
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

/** Returns true left of the viewport. A character without width belongs to the one before it. */
function isLeftOf(
  { cell, cells }: { readonly cell: number; readonly cells: number },
  left: number,
): boolean {
  return cell + cells < left || (cell + cells === left && left > 0);
}
