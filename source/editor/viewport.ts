import type { ChangeSet, Text } from '@codemirror/state';
import { isAbove, type DocumentRow, type Geometry } from './geometry.ts';

/** Rows and columns of cells that the text has. */
export interface EditorSize {
  readonly rows: number;
  readonly columns: number;
}

/** Rows kept between the cursor and an edge, where there is room. */
const widestMargin = 2;

/** The part of a document that is on the screen. It follows the cursor. */
export class Viewport {
  readonly #geometry: Geometry;
  #doc: Text;
  #size: EditorSize;
  #top: DocumentRow = { line: 1, row: 0 };
  /** Where the top row begins: what holds it while the document changes above it. */
  #topPosition = 0;
  #left = 0;

  constructor(geometry: Geometry, doc: Text, size: EditorSize) {
    this.#geometry = geometry;
    this.#doc = doc;
    this.#size = atLeastOne(size);
  }

  get size(): EditorSize {
    return this.#size;
  }

  get top(): DocumentRow {
    return this.#top;
  }

  /** Cells left of the screen, in lines that do not wrap. */
  get left(): number {
    return this.#left;
  }

  /** To be called once the geometry has followed the same change. */
  change(doc: Text, changes: ChangeSet): void {
    this.#doc = doc;
    this.#topPosition = changes.mapPos(this.#topPosition, -1);
    this.#top = this.#geometry.rowAt(this.#topPosition);
  }

  /** To be called once the geometry has its new shape. */
  resize(size: EditorSize): void {
    this.#size = atLeastOne(size);
    this.#left = 0;
    this.#top = this.#geometry.rowAt(this.#topPosition);
  }

  /** Moves the text up by so many rows, or down by a negative number. */
  scroll(rows: number): void {
    this.#setTop(this.#geometry.step(this.#top, rows));
  }

  /** Scrolls as far as it takes to see a position; to the middle, when that is far. */
  follow(position: number): void {
    const { rows } = this.#size;
    const margin = Math.min(widestMargin, (rows - 1) >> 1);
    const there = this.#geometry.rowAt(position);
    const below = isAbove(there, this.#top)
      ? -this.#geometry.distance(there, this.#top, rows * 2)
      : this.#geometry.distance(this.#top, there, rows * 2);
    if (below < -rows || below > rows * 2) {
      this.#setTop(this.#geometry.step(there, -(rows >> 1)));
    } else if (below < margin) {
      this.#setTop(this.#geometry.step(there, -margin));
    } else if (below > rows - 1 - margin) {
      this.#setTop(this.#geometry.step(there, -(rows - 1 - margin)));
    }
    this.#fill();
    this.#followSideways(position);
  }

  /** Where a position that can be seen is on the screen. */
  placeOf(position: number): { readonly row: number; readonly column: number } {
    const { number, from } = this.#doc.lineAt(position);
    const { row, cell } = this.#geometry.line(number).placeOf(position - from);
    const top = this.#top;
    return {
      row: this.#geometry.distance(top, { line: number, row }, this.#size.rows),
      column: cell - this.#left,
    };
  }

  /** Leaves no rows empty at the bottom while there is text above. */
  #fill(): void {
    const { rows } = this.#size;
    const bottom = this.#geometry.step(this.#top, rows - 1);
    if (this.#geometry.distance(this.#top, bottom, rows) < rows - 1) {
      this.#setTop(this.#geometry.step(bottom, 1 - rows));
    }
  }

  #followSideways(position: number): void {
    const { columns } = this.#size;
    const { shape } = this.#geometry;
    if (shape.wrapAt !== undefined) {
      this.#left = 0;
      return;
    }
    const { number, from } = this.#doc.lineAt(position);
    const cells = this.#geometry.line(number);
    const { cell } = cells.placeOf(position - from);
    const end = cell + Math.max(1, Math.min(columns, cells.cellsAt(position - from)));
    // By half a screen, so that a motion along a line seldom redraws all of it.
    if (cell < this.#left) this.#left = Math.max(0, cell - (columns >> 1));
    if (end > this.#left + columns) this.#left = Math.min(cell, end - (columns >> 1));
  }

  #setTop(top: DocumentRow): void {
    this.#top = top;
    const { from } = this.#doc.line(top.line);
    this.#topPosition = from + this.#geometry.line(top.line).walkFrom(top.row, 0).offset;
  }
}

function atLeastOne({ rows, columns }: EditorSize): EditorSize {
  return { rows: Math.max(1, rows), columns: Math.max(1, columns) };
}
