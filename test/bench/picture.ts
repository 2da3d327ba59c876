import type { Cell, ObservedTerminal } from '../e2e/harness-terminal.ts';

/** A cell as it looks: its character, and the SGR parameters that give its style. */
interface Glyph {
  /** Empty for the right half of a wide character. */
  readonly text: string;
  readonly style: readonly string[];
}

type GlyphRow = readonly Glyph[];

/** The content of a terminal. */
export type Picture = readonly GlyphRow[];

/** A jump costs about as much as writing this many unchanged cells once more. */
const bridge = 4;

const switches = [
  { name: 'bold', on: '1', off: '22' },
  { name: 'dim', on: '2', off: '22' },
  { name: 'italic', on: '3', off: '23' },
  { name: 'underline', on: '4', off: '24' },
  { name: 'inverse', on: '7', off: '27' },
  { name: 'strikethrough', on: '9', off: '29' },
] as const;
/** Parameters that are seen on a blank: background, underline, inverse, strikethrough. */
const seenOnBlank = /^(4|7|9|4[0-8].*|10\d)$/;

export function pictureOf(terminal: ObservedTerminal): Picture {
  return terminal.rows.map((_, y) =>
    Array.from({ length: terminal.cols }, (_, x) => glyphOf(terminal.cell(x, y))),
  );
}

function glyphOf(cell: Cell): Glyph {
  const text = cell.width === 0 ? '' : cell.text || ' ';
  const style = [
    ...switches.filter(({ name }) => cell[name]).map(({ on }) => on),
    ...colour(cell.color, 30),
    ...colour(cell.backgroundColor, 40),
  ];
  return { text, style: text === ' ' ? blank(style) : style };
}

function blank(style: readonly string[]): readonly string[] {
  return style.filter((parameter) => seenOnBlank.test(parameter));
}

function colour(value: Cell['color'], base: 30 | 40): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') {
    const parts = /../g[Symbol.match](value.slice(1)) ?? [];
    return [`${base + 8};2;${parts.map((part) => Number.parseInt(part, 16)).join(';')}`];
  }
  if (value < 16) return [String(value < 8 ? base + value : base + 52 + value)];
  return [`${base + 8};5;${value}`];
}

/** The rows, from 0, in which the two differ. */
export function changedRows(before: Picture, after: Picture): readonly number[] {
  return after.flatMap((row, y) => (sameGlyphs(before[y] ?? [], row) ? [] : [y]));
}

/** Returns the number of cells in which the two differ. */
export function changedCells(before: Picture, after: Picture): number {
  return after.reduce(
    (sum, row, y) => sum + row.filter((glyph, x) => !sameGlyph(before[y]?.[x], glyph)).length,
    0,
  );
}

function sameGlyphs(one: GlyphRow, other: GlyphRow): boolean {
  return other.every((glyph, x) => sameGlyph(one[x], glyph));
}

function sameGlyph(one: Glyph | undefined, other: Glyph): boolean {
  return one?.text === other.text && String(one.style) === String(other.style);
}

/**
 * Bytes that it takes to write what differs in these rows: runs of changed cells, a jump before
 * each, and the colours, from plain and back to it. Scrolling and shorter jumps may take fewer.
 */
export function changeBytes(before: Picture, after: Picture, rows: readonly number[]): number {
  const pen = new CountingPen();
  for (const y of rows) {
    const row = after[y] ?? [];
    for (const [start, end] of runs(before[y] ?? [], row)) pen.run(row, y, start, end);
  }
  return pen.finish();
}

/**
 * Bytes of the first row that contains `part`: its text, one jump to it and its colours. Throws when
 * there is none.
 */
export function rowBytes(picture: Picture, part: string): number {
  const y = picture.findIndex((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .includes(part),
  );
  const row = picture[y];
  if (row === undefined) throw new Error(`no row with ${part}`);
  const pen = new CountingPen();
  pen.run(row, y, 0, row.length, false);
  return pen.finish();
}

function runs(before: GlyphRow, after: GlyphRow): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const [x, glyph] of after.entries()) {
    if (sameGlyph(before[x], glyph)) continue;
    const last = found.at(-1);
    if (last !== undefined && x - last[1] <= bridge) last[1] = x + 1;
    else found.push([x, x + 1]);
  }
  return found;
}

/** Counts what a terminal would be sent. */
class CountingPen {
  #bytes = 0;
  #style: readonly string[] = [];

  /** The cells from `start` to `end`; blanks at the end are erased, if they were anything before. */
  run(row: GlyphRow, y: number, start: number, end: number, erases = true): void {
    this.#bytes += `\x1b[${y + 1};${start + 1}H`.length;
    let filled = end;
    while (filled > start && isPlainBlank(row[filled - 1])) filled -= 1;
    for (const { text, style } of row.slice(start, filled)) {
      const present = text === ' ' ? blank(this.#style) : this.#style;
      if (String(present) !== String(style)) this.#change(style);
      this.#bytes += Buffer.byteLength(text);
    }
    const blanks = end - filled;
    if (!erases || blanks === 0) return;
    if (blank(this.#style).length > 0) this.#change([]);
    const erase = row.slice(end).every(isPlainBlank) ? 3 : `\x1b[${blanks}X`.length;
    this.#bytes += Math.min(blanks, erase);
  }

  /** All bytes, with those back to plain. */
  finish(): number {
    if (this.#style.length > 0) this.#change([]);
    return this.#bytes;
  }

  #change(style: readonly string[]): void {
    const anew = style.length === 0 ? '' : `;${style.join(';')}`;
    const off = new Set(
      this.#style.filter((parameter) => !style.includes(parameter)).map(offParameter),
    );
    const on = style.filter(
      (parameter) => !this.#style.includes(parameter) || off.has(offParameter(parameter)),
    );
    // A new colour replaces the old one.
    const kept = [...off].filter(
      (parameter) =>
        !['39', '49'].includes(parameter) || !on.some((each) => offParameter(each) === parameter),
    );
    const step = [...kept, ...on].join(';');
    this.#bytes += '\x1b[m'.length + Math.min(anew.length, step.length);
    this.#style = style;
  }
}

function isPlainBlank(glyph: Glyph | undefined): boolean {
  return glyph === undefined || (glyph.text === ' ' && glyph.style.length === 0);
}

/** Returns the parameter that switches another one off. */
function offParameter(parameter: string): string {
  const found = switches.find(({ on }) => on === parameter);
  return found?.off ?? (/^(4|10)/.test(parameter) ? '49' : '39');
}
