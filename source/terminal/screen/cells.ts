import { Graphemes } from './graphemes.ts';
import { stringWidth } from './string-width.ts';

/** Text with one cell for each UTF-16 unit: ASCII, Latin, box drawing, ellipsis and arrows. */
const oneCellEach = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2026\u2190-\u2193\u2500-\u257f]*$/;

const graphemes = new Graphemes();

/** Returns the cells that sanitised text takes on a terminal: 0, 1 or 2 for each character. */
export function cellWidth(text: string): number {
  return oneCellEach.test(text) ? text.length : stringWidth(text);
}

let cutMark = '…';

/** Sets the character that ends truncated text, as some terminals have no ellipsis. */
export function setEllipsis(mark: string): void {
  cutMark = mark;
}

/** Returns the character that stands for text that is cut. */
export function ellipsis(): string {
  return cutMark;
}

/**
 * Truncates sanitised text to at most `width` cells, the ending included; a too wide ending is
 * itself truncated. Never splits a wide character, nor a character from its accents.
 */
export function truncateCells(text: string, width: number, ending = ellipsis()): string {
  if (text.length <= width && oneCellEach.test(text)) return text;
  if (cellWidth(text) <= width) return text;
  const mark = headOfText(ending, width);
  return headOfText(text, width - cellWidth(mark)) + mark;
}

/** Pads sanitised text with spaces to `width` cells; returns wider text unchanged. */
export function padCells(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - cellWidth(text)));
  return align === 'left' ? text + space : space + text;
}

/** Returns the longest start of `text` that fits `width` cells. */
function headOfText(text: string, width: number): string {
  if (oneCellEach.test(text)) return text.slice(0, Math.max(0, width));
  let room = width;
  for (const { segment, index } of graphemes.segment(text)) {
    room -= cellWidth(segment);
    if (room < 0) return text.slice(0, index);
  }
  return text;
}
