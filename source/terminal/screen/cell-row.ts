import { isWidthUncertain, maxCells } from './width-ambiguity.ts';
import { type Cells, hole, renderCells, parseCells } from './cell-parser.ts';
import { blankStyle, type CellStyle, type StyledRow } from './cell-style.ts';

/** A row of cells. Immutable: rows are compared by identity first. */
export interface CellRow extends Cells {
  /** Equal in equal rows. */
  readonly hash: number;
  /** Column from which all cells are plain blanks. */
  readonly contentEnd: number;
  readonly hasHoles: boolean;
  /** True when all cells are holes. */
  readonly isAllHoles: boolean;
  /**
   * Range of the cells that may differ on terminals with other character widths; empty (`width`, 0)
   * in a row of certain characters.
   */
  readonly uncertainFrom: number;
  readonly uncertainTo: number;
}

/** Parsed rows of one width by their text, in two generations so that rows in use survive. */
interface Cache {
  readonly width: number;
  young: Map<string, CellRow>;
  old: Map<string, CellRow>;
}

const cacheCapacity = 1024;
/** Longest text to cache, so that the cache stays small. */
const cachedLength = 4096;
/** Caches by their last use, the latest first. */
let caches: readonly Cache[] = [];

function cacheOf(width: number): Cache {
  const [first] = caches;
  if (first?.width === width) return first;
  const cache = caches.find((one) => one.width === width) ?? {
    width,
    young: new Map<string, CellRow>(),
    old: new Map<string, CellRow>(),
  };
  caches = [cache, ...caches.filter((one) => one !== cache).slice(0, 3)];
  return cache;
}

/**
 * Parses a row of text with SGR, as {@link parseCells} does. Returns the identical row for the same
 * text while it is cached.
 */
export function parseRow(text: string, width: number): CellRow {
  const cache = cacheOf(width);
  let row = cache.young.get(text);
  if (row !== undefined) return row;
  row = cache.old.get(text) ?? finishRow(parseCells(text, width));
  if (text.length > cachedLength) return row;
  if (cache.young.size >= cacheCapacity) {
    cache.old = cache.young;
    cache.young = new Map();
  }
  cache.young.set(text, row);
  return row;
}

/** Renders styled spans as exactly `width` cells, cut or padded with plain blanks. */
export function renderRow(row: StyledRow, width: number): CellRow {
  return finishRow(renderCells(row, width));
}

const blankRows = new Map<number, CellRow>();

/** Returns a row of plain blanks. */
export function blankRow(width: number): CellRow {
  let row = blankRows.get(width);
  if (row === undefined) {
    if (blankRows.size >= 16) blankRows.clear();
    row = renderRow([], width);
    blankRows.set(width, row);
  }
  return row;
}

/**
 * Returns `row` with its holes filled from `inner`, whose first cell is at column `left`. A wide
 * character of `inner` that does not fit its holes becomes blanks.
 */
export function fillHoles(row: CellRow, left: number, inner: CellRow): CellRow {
  if (!row.hasHoles) return row;
  const isCovered = row.isAllHoles && left === 0 && inner.texts.length === row.texts.length;
  return isCovered ? inner : finishRow(filledCells(row, left, inner));
}

function filledCells(row: CellRow, left: number, inner: CellRow): Cells {
  const texts = row.texts.slice();
  const styles = row.styles.slice();
  const from = Math.max(0, left);
  const to = Math.min(texts.length, left + inner.texts.length);
  for (let x = from; x < to; ) {
    const length = characterCells(inner.texts, x - left);
    const head = inner.texts[x - left] !== '';
    const fits = head && x + length <= to && allHoles(row.texts, x, x + length);
    for (const end = Math.min(to, x + length); x < end; x++) {
      if (row.texts[x] !== hole) continue;
      const style = inner.styles[x - left] ?? 0;
      texts[x] = fits ? (inner.texts[x - left] ?? ' ') : ' ';
      styles[x] = fits ? style : blankStyle(style);
    }
  }
  return { texts, styles };
}

/** Returns `row` cut or padded with plain blanks to `width` cells. */
export function fitRow(row: CellRow, width: number): CellRow {
  if (row.texts.length === width) return row;
  return fillHoles(parseRow(hole.repeat(width), width), 0, withBlanks(row, width));
}

/** Returns a row with each cell's style replaced; holes stay as they are. */
export function restyleRow(
  { texts, styles }: CellRow,
  replaced: (style: CellStyle, text: string) => CellStyle,
): CellRow {
  return finishRow({
    texts,
    styles: styles.map((style, x) => {
      const text = texts[x] ?? ' ';
      return text === hole ? style : replaced(style, text);
    }),
  });
}

function withBlanks(row: CellRow, width: number): CellRow {
  const missing = width - row.texts.length;
  if (missing <= 0) return row;
  const styles = new Uint16Array(width);
  styles.set(row.styles);
  const texts = [...row.texts, ...Array.from({ length: missing }, () => ' ')];
  return finishRow({ texts, styles });
}

/** Returns whether two rows show the same; an undefined row equals no other. */
export function haveSameCells(one: CellRow, other: CellRow | undefined): boolean {
  if (one === other) return true;
  if (other === undefined) return false;
  if (one.hash !== other.hash || one.texts.length !== other.texts.length) return false;
  return hasSameCells(one, other, 0, one.texts.length);
}

/** Returns whether two rows show the same in columns `from` up to `to`. */
export function hasSameCells(one: CellRow, other: CellRow, from: number, to: number): boolean {
  for (let x = from; x < to; x++) {
    if (one.texts[x] !== other.texts[x] || one.styles[x] !== other.styles[x]) return false;
  }
  return true;
}

/** Returns the number of cells of the character at `x`. */
export function characterCells(texts: readonly string[], x: number): number {
  let end = x + 1;
  while (texts[end] === '') end++;
  return end - x;
}

function allHoles(texts: readonly string[], from: number, to: number): boolean {
  for (let x = from; x < to; x++) if (texts[x] !== hole) return false;
  return true;
}

/** Derives the other properties of a row from its cells. */
function finishRow({ texts, styles }: Cells): CellRow {
  const width = texts.length;
  let hash = 0;
  let end = 0;
  let holes = 0;
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
    if (text === hole) holes += 1;
    else if (code > 0x7e && isWidthUncertain(text)) {
      if (uncertainTo === 0) uncertainFrom = x;
      uncertainTo = Math.max(uncertainTo, Math.min(width, x + maxCells(text)));
    }
  }
  const [hasHoles, isHole] = [holes > 0, holes === width];
  return {
    texts,
    styles,
    hash,
    contentEnd: end,
    hasHoles,
    isAllHoles: isHole,
    uncertainFrom,
    uncertainTo,
  };
}
