import { cellWidth } from './cells.ts';

/** Returns whether all terminals take one cell for this UTF-16 unit. */
export function isAlwaysNarrow(code: number): boolean {
  return (
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0x2ff && code !== 0xad) ||
    (code >= 0x2500 && code <= 0x2588) ||
    code === 0x2026 ||
    (code >= 0x2190 && code <= 0x2193)
  );
}

/** Returns whether all terminals take two cells: CJK, kana, Hangul and fullwidth forms. */
export function isAlwaysWide(code: number): boolean {
  return (
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30ff) ||
    (code >= 0x3001 && code <= 0x3011) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x4e00 && code <= 0x9fa5) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xff01 && code <= 0xff60)
  );
}

/**
 * Returns whether terminals may disagree about the width of a character with its marks: emoji,
 * ambiguous East Asian width (UAX 11), combining marks, and any other character not known to be safe.
 */
export function isWidthUncertain(text: string): boolean {
  if (text.length !== 1) return text !== '';
  const code = text.charCodeAt(0);
  return code > 0x7e && !isAlwaysNarrow(code) && !isAlwaysWide(code);
}

/** Returns the most cells that a terminal may take for a character: two for each code point. */
export function maxCells(text: string): number {
  if (text.length === 1) return isAlwaysNarrow(text.charCodeAt(0)) ? 1 : 2;
  return 2 * Array.from(text).length;
}

/**
 * Returns the number of cells in which parts of a character may remain after it is overwritten. A
 * single code point is one glyph and disappears as a whole; its marks may have cells of their own.
 */
export function remainingCells(text: string): number {
  const points = Array.from(text).length;
  return points === 1 ? 0 : 2 * points;
}

/** Cached widths of clusters, as `string-width` runs several expressions on each. */
const widths = new Map<string, number>();

/** Returns the cached {@link cellWidth} of one character with its marks. */
export function clusterWidth(text: string): number {
  const cached = widths.get(text);
  if (cached !== undefined) return cached;
  const width = cellWidth(text);
  if (widths.size >= 4096) widths.clear();
  widths.set(text, width);
  return width;
}
