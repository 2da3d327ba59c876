import { clusterWidth, isNarrow, isUncertain, isWide, mostCells } from './cell-certainty.ts';
import { applySgrCodes, blankStyle, type CellStyle } from './cell-style.ts';

/** One row of cells. Immutable: rows are compared by identity first. */
export interface CellRow {
  /** One entry a cell: the character with its marks; '' is a further cell of a wide one. */
  readonly texts: readonly string[];
  /** One entry a cell. Of a blank only what is seen: mostly the background. */
  readonly styles: Uint16Array;
  /** Equal rows have equal hashes. */
  readonly hash: number;
  /** The cells from here on are plain blanks. */
  readonly end: number;
  readonly hasHoles: boolean;
  /**
   * The cells in which terminals that disagree about a width may show something else; empty
   * (`width`, 0) in a row of certain characters. Cells outside are known for sure.
   */
  readonly uncertainFrom: number;
  readonly uncertainTo: number;
}

/**
 * A hole in a frame through which a painted region shows; a noncharacter, so sanitised text never
 * holds it.
 */
export const hole = '\ufdd0';
const holeCode = 0xfdd0;

/** Rows that come again: two generations, so that what is in use survives. */
const cacheCapacity = 1024;
let young = new Map<string, CellRow>();
let old = new Map<string, CellRow>();
let cachedWidth = -1;

/**
 * One row of text with SGR as exactly `width` cells: cut, or padded with plain blanks. A wide
 * character cut at the edge is a blank. Controls and sequences other than SGR are dropped. The same
 * row (identity) is given for the same text while it is cached.
 */
export function parseRow(text: string, width: number): CellRow {
  if (width !== cachedWidth) {
    young.clear();
    old.clear();
    cachedWidth = width;
  }
  let row = young.get(text);
  if (row !== undefined) return row;
  row = old.get(text) ?? new RowParser(width).parse(text);
  if (young.size >= cacheCapacity) [young, old] = [new Map(), young];
  young.set(text, row);
  return row;
}

const blankRows = new Map<number, CellRow>();

/** A row of plain blanks. */
export function blankRow(width: number): CellRow {
  let row = blankRows.get(width);
  if (row === undefined) {
    if (blankRows.size >= 16) blankRows.clear();
    row = parseRow('', width);
    blankRows.set(width, row);
  }
  return row;
}

/**
 * `row` with its holes in columns `left` to `left` + width of `inner` filled from `inner`; its other
 * cells stay. A wide character of `inner` that does not fit its holes is blanks.
 */
export function fillHoles(row: CellRow, left: number, inner: CellRow): CellRow {
  if (!row.hasHoles) return row;
  const texts = row.texts.slice();
  const styles = row.styles.slice();
  const from = Math.max(0, left);
  const to = Math.min(texts.length, left + inner.texts.length);
  for (let x = from; x < to; ) {
    const length = unitLength(inner.texts, x - left);
    const head = inner.texts[x - left] !== '';
    const fits = head && x + length <= to && allHoles(row.texts, x, x + length);
    for (const end = Math.min(to, x + length); x < end; x++) {
      if (row.texts[x] !== hole) continue;
      const style = inner.styles[x - left] ?? 0;
      texts[x] = fits ? (inner.texts[x - left] ?? ' ') : ' ';
      styles[x] = fits ? style : blankStyle(style);
    }
  }
  return finishRow(texts, styles);
}

/** `row` cut or padded with plain blanks to `width` cells. */
export function fitRow(row: CellRow, width: number): CellRow {
  if (row.texts.length === width) return row;
  return fillHoles(parseRow(hole.repeat(width), width), 0, withBlanks(row, width));
}

function withBlanks(row: CellRow, width: number): CellRow {
  const missing = width - row.texts.length;
  if (missing <= 0) return row;
  const styles = new Uint16Array(width);
  styles.set(row.styles);
  return finishRow([...row.texts, ...Array.from({ length: missing }, () => ' ')], styles);
}

/** Whether two rows show the same; a row that is not known shows nothing. */
export function sameRow(one: CellRow, other: CellRow | undefined): boolean {
  if (one === other) return true;
  if (other === undefined) return false;
  if (one.hash !== other.hash || one.texts.length !== other.texts.length) return false;
  return sameCells(one, other, 0, one.texts.length);
}

/** Whether two rows show the same in columns `from` up to `to`. */
export function sameCells(one: CellRow, other: CellRow, from: number, to: number): boolean {
  for (let x = from; x < to; x++) {
    if (one.texts[x] !== other.texts[x] || one.styles[x] !== other.styles[x]) return false;
  }
  return true;
}

/** Cells of the character at `x`: itself and the empty cells after it. */
export function unitLength(texts: readonly string[], x: number): number {
  let end = x + 1;
  while (texts[end] === '') end++;
  return end - x;
}

function allHoles(texts: readonly string[], from: number, to: number): boolean {
  for (let x = from; x < to; x++) if (texts[x] !== hole) return false;
  return true;
}

/** Completes a row with what is found by looking at its cells. */
function finishRow(texts: readonly string[], styles: Uint16Array): CellRow {
  const width = texts.length;
  let hash = 0;
  let end = 0;
  let hasHoles = false;
  let uncertainFrom = width;
  let uncertainTo = 0;
  for (let x = 0; x < width; x++) {
    const text = texts[x] ?? ' ';
    const style = styles[x] ?? 0;
    let code = 0;
    for (let index = 0; index < text.length; index++) code = code * 31 + text.charCodeAt(index);
    hash = Math.imul(hash ^ code ^ (style << 16), 0x01000193);
    hash ^= hash >>> 15;
    if (code !== 0x20 || style !== 0) end = x + 1;
    if (code === holeCode) hasHoles = true;
    else if (code > 0x7e && isUncertain(text)) {
      if (uncertainTo === 0) uncertainFrom = x;
      uncertainTo = Math.max(uncertainTo, Math.min(width, x + mostCells(text)));
    }
  }
  return { texts, styles, hash, end, hasHoles, uncertainFrom, uncertainTo };
}

/** Strings of single UTF-16 units, so that equal cells are mostly the same string. */
const units: string[] = [];

/** The state of parsing one row. */
class RowParser {
  readonly #width: number;
  readonly #texts: string[] = [];
  readonly #styles: Uint16Array;
  #style: CellStyle = 0;

  constructor(width: number) {
    this.#width = width;
    this.#styles = new Uint16Array(width);
  }

  parse(text: string): CellRow {
    let index = 0;
    while (index < text.length && this.#texts.length < this.#width) {
      const code = text.charCodeAt(index);
      if (code === 0x1b || code === 0x9b) index = this.#escape(text, index);
      else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) index++;
      else if (isSelfContained(code) && startsCell(text.charCodeAt(index + 1))) {
        this.#add((units[code] ??= String.fromCharCode(code)), isWide(code) ? 2 : 1);
        index++;
      } else index = this.#clusters(text, index);
    }
    while (this.#texts.length < this.#width) this.#texts.push(' ');
    return finishRow(this.#texts, this.#styles);
  }

  /** Skips a control sequence, taking its meaning where it is SGR; gives where it ends. */
  #escape(text: string, start: number): number {
    const control = text.charCodeAt(start) === 0x9b ? start + 1 : start + 2;
    const isControl = control === start + 1 || text[start + 1] === '[';
    const pattern = isControl ? controlSequence : escapeSequence;
    pattern.lastIndex = isControl ? control : start + 1;
    const [rest = '', parameters] = pattern.exec(text) ?? [];
    if (parameters !== undefined) this.#style = applySgrCodes(this.#style, parameters);
    return (isControl ? control : start + 1) + rest.length;
  }

  /** Takes the characters up to the next one that joins nothing before it. */
  #clusters(text: string, start: number): number {
    let end = start + 1;
    while (end < text.length && !separates(text.charCodeAt(end))) end++;
    graphemes ??= new Intl.Segmenter();
    for (const { segment } of graphemes.segment(text.slice(start, end))) {
      const width = clusterWidth(segment);
      if (width > 0) this.#add(segment, width);
      else if (!invisible.test(segment)) this.#join(segment);
    }
    return end;
  }

  #add(text: string, width: number): void {
    const style = text === ' ' ? blankStyle(this.#style) : this.#style;
    const start = this.#texts.length;
    const room = this.#width - start;
    for (let cell = 0; cell < Math.min(width, room); cell++) {
      this.#texts.push(width > room ? ' ' : cell === 0 ? text : '');
      this.#styles[start + cell] = width > room ? blankStyle(style) : style;
    }
  }

  /** Adds a character of no width to the one before it. */
  #join(text: string): void {
    let x = this.#texts.length - 1;
    while (x > 0 && this.#texts[x] === '') x--;
    if (x >= 0 && this.#texts[x] !== hole) this.#texts[x] += text;
  }
}

let graphemes: Intl.Segmenter | undefined;

/** A control sequence after its introducer (ECMA-48 5.4), with its parameters when it is SGR. */
const controlSequence = /([\d;:]*)m|[ -?]*[@-~]?/y;
/** Any other escape sequence after its escape. */
const escapeSequence = /[ -/]*[0-~]?/y;

/** A character that is a cluster by itself unless something joins it. */
function isSelfContained(code: number): boolean {
  return isNarrow(code) || isWide(code) || code === holeCode;
}

/** Whether what begins with this UTF-16 unit joins nothing before it; NaN is the end of the text. */
function startsCell(code: number): boolean {
  return Number.isNaN(code) || code < 0xa0 || isSelfContained(code);
}

/** Whether a cluster always ends before this UTF-16 unit. */
function separates(code: number): boolean {
  return code < 0x80 || code === holeCode;
}

const invisible = /^[\p{Cc}\p{Cs}]/u;
