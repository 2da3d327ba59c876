import { clusterWidth, isAlwaysNarrow, isAlwaysWide } from './width-ambiguity.ts';
import { Graphemes } from './graphemes.ts';
import { applyCellSgr, blankStyle, type CellStyle, type StyledRow } from './cell-style.ts';

/**
 * Cells of a row, one entry each: the character with its marks ('' in the second cell of a wide
 * character), and the style.
 */
export interface Cells {
  readonly texts: readonly string[];
  readonly styles: Uint16Array;
}

/**
 * A cell of a frame through which a painted region shows. It is a noncharacter, so sanitised text
 * never contains it.
 */
export const hole = '\ufdd0';
const holeCode = 0xfdd0;
const space = 0x20;

/**
 * Returns the cells of a row of text with SGR: exactly `width`, cut or padded with plain blanks. A
 * wide character cut at the edge becomes blanks. Controls and sequences other than SGR are dropped.
 * The style of a blank has only what a blank shows.
 */
export function parseCells(text: string, width: number): Cells {
  const parser = new CellParser(width);
  parser.parse(text);
  return parser.cells;
}

/** Renders a row of styled spans as {@link parseCells} does text. */
export function renderCells(row: StyledRow, width: number): Cells {
  const parser = new CellParser(width);
  for (const { text, style } of row) parser.parse(text, style);
  return parser.cells;
}

const ascii = Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code));
const units = new Map<number, string>();

/** Returns the same string for the same UTF-16 unit, so that equal cells compare by identity. */
function unitOf(code: number): string {
  let unit = units.get(code);
  if (unit === undefined) {
    unit = String.fromCharCode(code);
    units.set(code, unit);
  }
  return unit;
}

/** Texts of a blank row of the last width, to be copied. */
let blanks: readonly string[] = [];

/** Fills the cells of one row from text. */
class CellParser {
  readonly #width: number;
  readonly #texts: string[];
  readonly #styles: Uint16Array;
  #length = 0;
  #style: CellStyle = 0;

  constructor(width: number) {
    this.#width = width;
    if (blanks.length !== width) blanks = Array.from({ length: width }, () => ' ');
    this.#texts = blanks.slice();
    this.#styles = new Uint16Array(width);
  }

  get cells(): Cells {
    return { texts: this.#texts, styles: this.#styles };
  }

  /** Adds text that begins in a style. */
  parse(text: string, style: CellStyle = 0): void {
    this.#style = style;
    const texts = this.#texts;
    const styles = this.#styles;
    let index = 0;
    while (index < text.length && this.#length < this.#width) {
      const code = text.charCodeAt(index);
      const next = index + 1 < text.length ? text.charCodeAt(index + 1) : 0;
      if (code >= space && code < 0x7f && next < 0xa0) {
        styles[this.#length] = code === space ? blankStyle(this.#style) : this.#style;
        texts[this.#length] = ascii[code] ?? ' ';
        this.#length++;
        index++;
      } else if (code === 0x1b || code === 0x9b) index = this.#escape(text, index);
      else if (code < space || (code >= 0x7f && code < 0xa0)) index++;
      else if (isSelfContained(code) && (next < 0xa0 || isSelfContained(next))) {
        this.#add(unitOf(code), isAlwaysWide(code) ? 2 : 1);
        index++;
      } else index = this.#clusters(text, index);
    }
  }

  /** Skips a control sequence, applying it if it is SGR; returns the index of its end. */
  #escape(text: string, start: number): number {
    const control = text.charCodeAt(start) === 0x9b ? start + 1 : start + 2;
    const isControl = control === start + 1 || text[start + 1] === '[';
    const pattern = isControl ? controlSequence : escapeSequence;
    pattern.lastIndex = isControl ? control : start + 1;
    const [rest = '', parameters] = pattern.exec(text) ?? [];
    if (parameters !== undefined) this.#style = applyCellSgr(this.#style, parameters);
    return (isControl ? control : start + 1) + rest.length;
  }

  /** Adds the characters up to the next one that certainly starts a cluster; returns its index. */
  #clusters(text: string, start: number): number {
    let end = start + 1;
    while (end < text.length && !separates(text.charCodeAt(end))) end++;
    for (const { segment } of graphemes.segment(text.slice(start, end))) {
      const width = clusterWidth(segment);
      if (width > 0) this.#add(segment, width);
      else if (!invisible.test(segment)) this.#join(segment);
    }
    return end;
  }

  #add(text: string, width: number): void {
    const fits = this.#length + width <= this.#width;
    const style = fits && text !== ' ' ? this.#style : blankStyle(this.#style);
    for (let cell = 0; cell < width && this.#length < this.#width; cell++) {
      this.#texts[this.#length] = !fits ? ' ' : cell === 0 ? text : '';
      this.#styles[this.#length] = style;
      this.#length++;
    }
  }

  /** Appends a character of no width to the one before it. */
  #join(text: string): void {
    let x = this.#length - 1;
    while (x > 0 && this.#texts[x] === '') x--;
    if (x >= 0 && this.#texts[x] !== hole) this.#texts[x] += text;
  }
}

const graphemes = new Graphemes();

/** A control sequence after its introducer (ECMA-48 5.4), with its parameters if it is SGR. */
const controlSequence = /([\d;:]*)m|[ -?]*[@-~]?/y;
/** Any other escape sequence after its escape. */
const escapeSequence = /[ -/]*[0-~]?/y;

/** Returns whether a character is a cluster by itself unless a mark follows. */
function isSelfContained(code: number): boolean {
  return isAlwaysNarrow(code) || isAlwaysWide(code) || code === holeCode;
}

/** Returns whether a cluster always ends before this UTF-16 unit. */
function separates(code: number): boolean {
  return code < 0x80 || code === holeCode;
}

const invisible = /^[\p{Cc}\p{Cs}]/u;
