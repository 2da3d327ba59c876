import { encodeStyleSteps } from '../../terminal/screen/cell-style.ts';
import { stringWidth } from '../../terminal/screen/string-width.ts';
import { BoundedCache } from './bounded-cache.ts';
import { lineText, type StyledLine, styledLine } from './styled-line.ts';

/** A clipping rectangle; ends are exclusive, and an undefined edge does not clip. */
interface Clip {
  readonly x1: number | undefined;
  readonly x2: number | undefined;
  readonly y1: number | undefined;
  readonly y2: number | undefined;
}

type Transformer = (line: string, index: number) => string;

/** A line written to a row; later ones overwrite earlier ones. */
interface Written {
  readonly x: number;
  readonly line: StyledLine;
}

interface DrawnRow {
  readonly written: readonly Written[];
  readonly text: string;
}

/** Rows of the last frame; a row with the same writes is reused. */
let drawn: { readonly width: number; readonly rows: readonly DrawnRow[] } = { width: 0, rows: [] };

const rowsOfText = new BoundedCache<readonly string[]>(2000);

/**
 * Replaces Ink's `output.js` in the built program with the same frames: a grid of cells on which
 * later texts overwrite earlier ones. It is faster because it parses each line once instead of in
 * every frame, and encodes only changed rows.
 */
export class Output {
  readonly #width: number;
  readonly #rows: Written[][];
  readonly #clips: (Clip | undefined)[] = [];

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.#width = width;
    this.#rows = [];
    for (let y = 0; y < height; y += 1) this.#rows.push([]);
  }

  clip(clip: Clip): void {
    this.#clips.push(intersection(this.#clips.at(-1), clip));
  }

  unclip(): void {
    this.#clips.pop();
  }

  /** Writes text of one or more lines, the first cell at `x` and `y`. */
  write(
    x: number,
    y: number,
    text: string,
    { transformers }: { readonly transformers: readonly Transformer[] },
  ): void {
    if (text === '') return;
    const clipped = clippedRows(text, x, y, this.#clips.at(-1));
    if (clipped === undefined) return;
    for (const [index, row] of clipped.rows.entries()) {
      const written = this.#rows[clipped.y + index];
      if (written === undefined) continue;
      let shown = row;
      for (const transform of transformers) shown = transform(shown, index + clipped.y - y);
      const line = styledLine(shown);
      if (line.values.length > 0) written.push({ x: clipped.x, line });
    }
  }

  get(): { readonly output: string; readonly height: number } {
    const before = drawn.width === this.#width ? drawn.rows : [];
    const rows = this.#rows.map((written, y): DrawnRow => {
      const last = before[y];
      if (last !== undefined && isSame(last.written, written)) return last;
      return { written, text: encodeWrites(written, this.#width) };
    });
    drawn = { width: this.#width, rows };
    return { output: rows.map(({ text }) => text).join('\n'), height: rows.length };
  }
}

function intersection(outer: Clip | undefined, inner: Clip): Clip {
  if (outer === undefined) return inner;
  const tighter = (
    a: number | undefined,
    b: number | undefined,
    choose: (a: number, b: number) => number,
  ) => (a === undefined ? b : b === undefined ? a : choose(a, b));
  return {
    x1: tighter(outer.x1, inner.x1, Math.max),
    x2: tighter(outer.x2, inner.x2, Math.min),
    y1: tighter(outer.y1, inner.y1, Math.max),
    y2: tighter(outer.y2, inner.y2, Math.min),
  };
}

/** Splits a text into lines, each with the styles that are open at its start. */
function rowsOf(text: string): readonly string[] {
  const cached = rowsOfText.get(text);
  if (cached !== undefined) return cached;
  const line = styledLine(text);
  const rows: string[] = [];
  let from = 0;
  for (let at = line.values.indexOf('\n'); at >= 0; at = line.values.indexOf('\n', from)) {
    rows.push(lineText(line, from, at));
    from = at + 1;
  }
  rows.push(lineText(line, from));
  rowsOfText.set(text, rows);
  return rows;
}

/** Returns the visible part of a text and its first cell; undefined when nothing is visible. */
function clippedRows(
  text: string,
  x: number,
  y: number,
  clip: Clip | undefined,
): { readonly rows: readonly string[]; readonly x: number; readonly y: number } | undefined {
  let rows = rowsOf(text);
  if (clip === undefined) return { rows, x, y };
  const { x1, x2, y1, y2 } = clip;
  const across = x1 !== undefined && x2 !== undefined ? { from: x1, to: x2 } : undefined;
  const down = y1 !== undefined && y2 !== undefined ? { from: y1, to: y2 } : undefined;
  if (isEmpty(across) || isEmpty(down)) return undefined;
  if (across !== undefined) {
    const widest = Math.max(0, ...text.split('\n').map((line) => stringWidth(line)));
    if (x + widest < across.from || x > across.to) return undefined;
  }
  if (down !== undefined && (y + rows.length < down.from || y > down.to)) return undefined;
  if (across !== undefined) {
    rows = rows.map((row) => {
      const width = stringWidth(row);
      const to = x + width > across.to ? across.to - x : width;
      return sliced(row, Math.max(0, across.from - x), to);
    });
  }
  if (down !== undefined) {
    const to = y + rows.length > down.to ? down.to - y : rows.length;
    rows = rows.slice(Math.max(0, down.from - y), to);
  }
  return { rows, x: Math.max(x, across?.from ?? x), y: Math.max(y, down?.from ?? y) };
}

function isEmpty(range: { readonly from: number; readonly to: number } | undefined): boolean {
  return range !== undefined && range.from >= range.to;
}

/** Returns the cells `from` to `to` of a line. A wide character cut in half leaves a space. */
function sliced(text: string, from: number, to: number): string {
  if (from >= to) return '';
  const line = styledLine(text);
  const values: string[] = [];
  const styles: number[] = [];
  let column = 0;
  for (const [index, value] of line.values.entries()) {
    const width = line.widths[index] ?? 0;
    const start = column;
    column += width;
    if (column <= from) continue;
    if (start >= to) break;
    values.push(width > 1 && (start < from || column > to) ? ' ' : value);
    styles.push(line.styles[index] ?? 0);
  }
  return lineText({ values, styles, widths: [] });
}

function isSame(left: readonly Written[], right: readonly Written[]): boolean {
  if (left.length !== right.length) return false;
  return left.every(({ x, line }, index) => {
    const other = right[index];
    return other !== undefined && other.x === x && other.line === line;
  });
}

/** Encodes a row after all its writes, without trailing spaces. */
function encodeWrites(written: readonly Written[], width: number): string {
  if (written.length === 0) return '';
  const values = Array<string | undefined>(width).fill(' ');
  const styles = Array<number>(width).fill(0);
  for (const { x, line } of written) overwrite(line, x, values, styles);
  let text = '';
  let style = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    // A write beyond the width may leave holes, which are skipped.
    if (value === undefined) continue;
    const next = styles[index] ?? 0;
    if (next !== style) {
      text += encodeStyleSteps(style, next);
      style = next;
    }
    text += value;
  }
  return (text + encodeStyleSteps(style, 0)).trimEnd();
}

/**
 * Writes a line over cells. The second cell of a wide character is the empty string; a character
 * that loses one half becomes a space.
 */
function overwrite(
  line: StyledLine,
  x: number,
  values: (string | undefined)[],
  styles: number[],
): void {
  if (x > 0 && values[x] === '' && stringWidth(values[x - 1] ?? '') > 1) values[x - 1] = ' ';
  let at = x;
  for (let index = 0; index < line.values.length; index += 1) {
    const cells = Math.max(1, line.widths[index] ?? 1);
    const style = line.styles[index] ?? 0;
    if (at >= 0) {
      values[at] = line.values[index];
      styles[at] = style;
    }
    for (let offset = 1; offset < cells; offset += 1) {
      if (at + offset < 0) continue;
      // The second half of a wide character may be visible although the first is left of the grid.
      values[at + offset] = at < 0 ? ' ' : '';
      styles[at + offset] = style;
    }
    at += cells;
  }
  if (values[at] === '') values[at] = ' ';
}
