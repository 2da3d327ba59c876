import { findClusterEnd, isPrintableAscii, type GlyphCache } from './glyphs.ts';

/** The settings that determine the cells of a line's characters. */
export interface CellLayout {
  readonly glyphs: GlyphCache;
  /** Cells from one tab stop to the next. */
  readonly tabSize: number;
  /** Cells in a wrapped row; `undefined` when lines do not wrap. */
  readonly wrapWidth: number | undefined;
}

/**
 * Walks the grapheme clusters of a line and computes the row and cell of each. At the end of the
 * line its position is that of the next character: on a new row when the last row is full.
 */
export class ClusterCursor {
  readonly #text: string;
  readonly #shape: CellLayout;
  /** Code units before this cluster. */
  offset: number;
  /** Rows of the line above this cluster. */
  row: number;
  /** Cells of its row before this cluster. */
  cell: number;
  /** The offset of the next cluster; the current offset at the end of the line. */
  end = 0;
  /** Cells of this cluster; 0 at the end of the line. */
  cells = 0;

  constructor(text: string, shape: CellLayout, offset: number, row: number, cell: number) {
    this.#text = text;
    this.#shape = shape;
    this.offset = offset;
    this.row = row;
    this.cell = cell;
    this.#measure();
  }

  get atEnd(): boolean {
    return this.offset >= this.#text.length;
  }

  advance(): void {
    this.cell += this.cells;
    this.offset = this.end;
    this.#measure();
  }

  /** Returns the text to draw for this cluster, exactly as wide as its cells. */
  drawnText(): string {
    const text = this.#text.slice(this.offset, this.end);
    if (text === '\t') return ' '.repeat(this.cells);
    if (text.length === 1 && isPrintableAscii(text.charCodeAt(0))) return text;
    const glyph = this.#shape.glyphs.get(text);
    // A glyph wider than a whole row is blanked.
    return glyph.cells === this.cells ? glyph.text : ' '.repeat(this.cells);
  }

  #measure(): void {
    const { wrapWidth } = this.#shape;
    if (this.atEnd) {
      this.end = this.offset;
      this.cells = 0;
      if (wrapWidth !== undefined && this.cell >= wrapWidth) this.#wrap();
      return;
    }
    this.end = findClusterEnd(this.#text, this.offset);
    const code = this.#text.charCodeAt(this.offset);
    const isSingleUnit = this.end - this.offset === 1;
    if (isSingleUnit && code === 0x09) {
      this.#measureTab();
      return;
    }
    this.cells =
      isSingleUnit && isPrintableAscii(code)
        ? 1
        : this.#shape.glyphs.get(this.#text.slice(this.offset, this.end)).cells;
    if (wrapWidth === undefined || this.cell + this.cells <= wrapWidth) return;
    if (this.cell > 0) this.#wrap();
    this.cells = Math.min(this.cells, wrapWidth);
  }

  #measureTab(): void {
    const { tabSize, wrapWidth } = this.#shape;
    if (wrapWidth !== undefined && this.cell >= wrapWidth) this.#wrap();
    this.cells = Math.min(tabSize - (this.cell % tabSize), (wrapWidth ?? Infinity) - this.cell);
  }

  #wrap(): void {
    this.row += 1;
    this.cell = 0;
  }
}
