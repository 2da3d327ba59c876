import { clusterEnd, isPlain, type EditorGlyphs } from './glyphs.ts';

/** What decides where a line's characters stand. */
export interface LineShape {
  readonly glyphs: EditorGlyphs;
  /** Cells from one tab stop to the next. */
  readonly tabSize: number;
  /** Cells after which a line goes on in the next row; `undefined` where lines do not wrap. */
  readonly wrapAt: number | undefined;
}

/**
 * Goes through the clusters of a line and finds the row and the cells of each. At the end of the
 * line it stands where a next character would: below a row that is full.
 */
export class ClusterWalk {
  readonly #text: string;
  readonly #shape: LineShape;
  /** Code units before this cluster. */
  offset: number;
  /** Rows of the line above this cluster. */
  row: number;
  /** Cells of its row before this cluster. */
  cell: number;
  /** Where the next cluster begins; the offset itself at the end of the line. */
  end = 0;
  /** Cells of this cluster; none at the end of the line. */
  cells = 0;

  constructor(text: string, shape: LineShape, offset: number, row: number, cell: number) {
    this.#text = text;
    this.#shape = shape;
    this.offset = offset;
    this.row = row;
    this.cell = cell;
    this.#look();
  }

  get atEnd(): boolean {
    return this.offset >= this.#text.length;
  }

  advance(): void {
    this.cell += this.cells;
    this.offset = this.end;
    this.#look();
  }

  /** What is drawn for this cluster: text of as many cells as it takes. */
  shown(): string {
    const text = this.#text.slice(this.offset, this.end);
    if (text === '\t') return ' '.repeat(this.cells);
    if (text.length === 1 && isPlain(text.charCodeAt(0))) return text;
    const glyph = this.#shape.glyphs.of(text);
    // Too wide for a whole row.
    return glyph.cells === this.cells ? glyph.shown : ' '.repeat(this.cells);
  }

  #look(): void {
    const { wrapAt } = this.#shape;
    if (this.atEnd) {
      this.end = this.offset;
      this.cells = 0;
      if (wrapAt !== undefined && this.cell >= wrapAt) this.#wrap();
      return;
    }
    this.end = clusterEnd(this.#text, this.offset);
    const code = this.#text.charCodeAt(this.offset);
    const isOne = this.end - this.offset === 1;
    if (isOne && code === 0x09) {
      this.#lookAtTab();
      return;
    }
    this.cells =
      isOne && isPlain(code)
        ? 1
        : this.#shape.glyphs.of(this.#text.slice(this.offset, this.end)).cells;
    if (wrapAt === undefined || this.cell + this.cells <= wrapAt) return;
    if (this.cell > 0) this.#wrap();
    this.cells = Math.min(this.cells, wrapAt);
  }

  #lookAtTab(): void {
    const { tabSize, wrapAt } = this.#shape;
    if (wrapAt !== undefined && this.cell >= wrapAt) this.#wrap();
    this.cells = Math.min(tabSize - (this.cell % tabSize), (wrapAt ?? Infinity) - this.cell);
  }

  #wrap(): void {
    this.row += 1;
    this.cell = 0;
  }
}
