import type { ChangeSet, Text } from '@codemirror/state';
import { isAbove, type DocumentRow, type Geometry } from './geometry.ts';

/** The size of the viewport in cells. */
export interface EditorSize {
  readonly rows: number;
  readonly columns: number;
}

/** Fewer columns have no room for marks beside the cursor. */
const leastMarkedColumns = 8;

/** Rows between the cursor and an edge of the viewport, when there is space. */
const maxMargin = 2;

/** The visible part of a document. It follows the cursor. */
export class Viewport {
  readonly #geometry: Geometry;
  #doc: Text;
  #size: EditorSize;
  #top: DocumentRow = { line: 1, row: 0 };
  /** The document position of the top row, which keeps its place while text above it changes. */
  #topPosition = 0;
  #left = 0;

  constructor(geometry: Geometry, doc: Text, size: EditorSize) {
    this.#geometry = geometry;
    this.#doc = doc;
    this.#size = withMinimum(size);
  }

  get size(): EditorSize {
    return this.#size;
  }

  get top(): DocumentRow {
    return this.#top;
  }

  /** Cells scrolled off to the left, in lines that do not wrap. */
  get left(): number {
    return this.#left;
  }

  /** True where a cell at the edges marks text that is scrolled off or does not fit. */
  get marksCuts(): boolean {
    return this.#geometry.shape.wrapWidth === undefined && this.#size.columns >= leastMarkedColumns;
  }

  /** Applies a change of the document. Call after the geometry has applied it. */
  applyChange(doc: Text, changes: ChangeSet): void {
    this.#doc = doc;
    this.#topPosition = changes.mapPos(this.#topPosition, -1);
    this.#top = this.#geometry.rowAt(this.#topPosition);
  }

  /** Sets the size. Call after the geometry has been reshaped. */
  resize(size: EditorSize): void {
    this.#size = withMinimum(size);
    this.#left = 0;
    this.#top = this.#geometry.rowAt(this.#topPosition);
  }

  /** Scrolls down by a number of rows; up by a negative one. */
  scroll(rows: number): void {
    this.#setTop(this.#geometry.step(this.#top, rows));
  }

  /** Scrolls until a position is visible; a distant one is centred. */
  scrollIntoView(position: number): void {
    const { rows } = this.#size;
    const margin = Math.min(maxMargin, (rows - 1) >> 1);
    const target = this.#geometry.rowAt(position);
    const below = isAbove(target, this.#top)
      ? -this.#geometry.distance(target, this.#top, rows * 2)
      : this.#geometry.distance(this.#top, target, rows * 2);
    if (below < -rows || below > rows * 2) {
      this.#setTop(this.#geometry.step(target, -(rows >> 1)));
    } else if (below < margin) {
      this.#setTop(this.#geometry.step(target, -margin));
    } else if (below > rows - 1 - margin) {
      this.#setTop(this.#geometry.step(target, -(rows - 1 - margin)));
    }
    this.#fillBottom();
    this.#followSideways(position);
  }

  /** Returns the screen position of a visible document position. */
  screenPositionOf(position: number): { readonly row: number; readonly column: number } {
    const { number, from } = this.#doc.lineAt(position);
    const { row, cell } = this.#geometry.line(number).positionOf(position - from);
    const top = this.#top;
    return {
      row: this.#geometry.distance(top, { line: number, row }, this.#size.rows),
      column: cell - this.#left,
    };
  }

  /** Scrolls up while rows at the bottom are empty and text precedes the top. */
  #fillBottom(): void {
    const { rows } = this.#size;
    const bottom = this.#geometry.step(this.#top, rows - 1);
    if (this.#geometry.distance(this.#top, bottom, rows) < rows - 1) {
      this.#setTop(this.#geometry.step(bottom, 1 - rows));
    }
  }

  #followSideways(position: number): void {
    const { columns } = this.#size;
    const { shape } = this.#geometry;
    if (shape.wrapWidth !== undefined) {
      this.#left = 0;
      return;
    }
    const { number, from } = this.#doc.lineAt(position);
    const cells = this.#geometry.line(number);
    const offset = position - from;
    const { cell } = cells.positionOf(offset);
    const end = cell + Math.max(1, Math.min(columns, cells.widthAt(offset)));
    const isLast = cells.nextOffset(offset) >= cells.text.length;
    const mark = this.marksCuts ? 1 : 0;
    const first = this.#left === 0 ? 0 : this.#left + mark;
    // Scrolling by half a screen avoids redrawing every row with each step along a line.
    if (cell < first) this.#scrollLeft(cell - (columns >> 1));
    if (end > this.#left + columns - (isLast ? 0 : mark)) {
      this.#scrollLeft(Math.min(cell - mark, end - (columns >> 1)));
    }
  }

  /** A mark hides as many cells as it saves scrolling, so the start of a line is shown instead. */
  #scrollLeft(left: number): void {
    this.#left = left <= (this.marksCuts ? 1 : 0) ? 0 : left;
  }

  #setTop(top: DocumentRow): void {
    this.#top = top;
    const { from } = this.#doc.line(top.line);
    this.#topPosition = from + this.#geometry.line(top.line).walkFrom(top.row, 0).offset;
  }
}

function withMinimum({ rows, columns }: EditorSize): EditorSize {
  return { rows: Math.max(1, rows), columns: Math.max(1, columns) };
}
