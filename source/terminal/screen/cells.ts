import { Graphemes } from './graphemes.ts';
import { stringWidth } from './string-width.ts';

/**
 * Text whose cells can be counted by its length: printable ASCII, Latin, box drawing, ellipsis and
 * arrows.
 */
const oneCellEach = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2026\u2190-\u2193\u2500-\u257f]*$/;

const graphemes = new Graphemes();

/** Cells that sanitised text takes on a terminal: 0, 1 or 2 a character. */
export function cellWidth(text: string): number {
  return oneCellEach.test(text) ? text.length : stringWidth(text);
}

let cutMark = '…';

/** Ends text that is cut in another character from now on: not every terminal shows the usual one. */
export function cutWith(mark: string): void {
  cutMark = mark;
}

/**
 * Sanitised text cut to at most `width` cells. Where something is cut off, `ellipsis` stands at the
 * end and counts as part of the width; it is itself cut when it is wider than `width`. Never splits
 * a character from its accents, nor a wide character.
 */
export function truncateCells(text: string, width: number, ellipsis = cutMark): string {
  if (text.length <= width && oneCellEach.test(text)) return text;
  if (cellWidth(text) <= width) return text;
  const mark = takeCells(ellipsis, width);
  return takeCells(text, width - cellWidth(mark)) + mark;
}

/** Sanitised text filled with spaces to `width` cells; wider text is returned as it is. */
export function padCells(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - cellWidth(text)));
  return align === 'left' ? text + space : space + text;
}

/** The longest head of `text` that fits `width` cells. */
function takeCells(text: string, width: number): string {
  if (oneCellEach.test(text)) return text.slice(0, Math.max(0, width));
  let left = width;
  for (const { segment, index } of graphemes.segment(text)) {
    left -= cellWidth(segment);
    if (left < 0) return text.slice(0, index);
  }
  return text;
}
