import type { Terminal } from '@xterm/headless';
import stringWidth from 'string-width';

/**
 * Makes a headless terminal advance as one of today does: by the width of each code point in
 * current Unicode, marks and format characters joining the cell before them. Its own tables are of
 * Unicode 6, where emoji take one cell.
 */
export function useCurrentUnicode(terminal: Terminal): void {
  terminal.unicode.register({ version: 'current', wcwidth: widthOf, charProperties });
  terminal.unicode.activeVersion = 'current';
}

const widths = new Map<number, 0 | 1 | 2>();

export function widthOf(codePoint: number): 0 | 1 | 2 {
  const known = widths.get(codePoint);
  if (known !== undefined) return known;
  const character = String.fromCodePoint(codePoint);
  // Vowels and finals of Hangul syllables are drawn into the cell of the initial.
  const joins = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u.test(character);
  const width = joins ? 0 : stringWidth(character) === 2 ? 2 : 1;
  widths.set(codePoint, width);
  return width;
}

/** xterm's packed properties: bit 0 joins the cell before, bits 1 and 2 are the width. */
function charProperties(codePoint: number, preceding: number): number {
  const width = widthOf(codePoint);
  const precedingWidth = (preceding >> 1) & 3;
  const joins = width === 0 && precedingWidth > 0;
  return ((joins ? precedingWidth : width) << 1) | (joins ? 1 : 0);
}
