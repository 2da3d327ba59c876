import type { EditorState } from '@codemirror/state';
import type { Geometry } from './geometry.ts';
import type { Viewport } from './viewport.ts';

/** One character as it is seen: `text` takes at least a cell, unless the character has none. */
export interface Piece {
  /** The position of its character in the document. */
  readonly from: number;
  readonly text: string;
}

/** A row of the screen before it has colours. */
export interface BareRow {
  /** Counted from 1. */
  readonly line: number;
  /** Whether it goes on with a line that wraps. */
  readonly continues: boolean;
  readonly pieces: readonly Piece[];
  /** The positions that it shows. */
  readonly from: number;
  readonly to: number;
  /** Whether the line ends in it, and there is a cell behind its end. */
  readonly showsEnd: boolean;
}

/** The rows that are seen; fewer than the screen has where the document ends before. */
export function bareRows(state: EditorState, geometry: Geometry, viewport: Viewport): BareRow[] {
  const { rows, columns } = viewport.size;
  const found: BareRow[] = [];
  let { line: number, row } = viewport.top;
  while (found.length < rows && number <= state.doc.lines) {
    const cells = geometry.line(number);
    const { from } = state.doc.line(number);
    const walk = cells.walkFrom(row, viewport.left);
    const pieces: Piece[] = [];
    const right = viewport.left + columns;
    while (walk.row === row && !walk.atEnd && isLeft(walk, viewport.left)) walk.advance();
    const first = walk.offset;
    while (walk.row === row && !walk.atEnd && walk.cell < right) {
      const seen = Math.min(right, walk.cell + walk.cells) - Math.max(viewport.left, walk.cell);
      // What an edge cuts through is not drawn: half a wide character is none.
      const text = seen === walk.cells ? walk.shown() : ' '.repeat(seen);
      pieces.push({ from: from + walk.offset, text });
      walk.advance();
    }
    const showsEnd =
      walk.row === row && walk.atEnd && walk.cell >= viewport.left && walk.cell < right;
    found.push({
      line: number,
      continues: row > 0,
      pieces,
      from: from + first,
      to: from + walk.offset,
      showsEnd,
    });
    if (cells.hasRow(row + 1)) row += 1;
    else {
      number += 1;
      row = 0;
    }
  }
  return found;
}

/** Whether a character is left of what is seen; one without cells belongs to the one before it. */
function isLeft(
  { cell, cells }: { readonly cell: number; readonly cells: number },
  left: number,
): boolean {
  return cell + cells < left || (cell + cells === left && left > 0);
}
