import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { Graphemes } from '../../terminal/screen/graphemes.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { EditedLine } from './line-editor.ts';

/** The visible part of an edited line, sanitised. */
export interface FieldWindow {
  readonly before: string;
  /** The character under the caret; empty at the end of the text. */
  readonly atCaret: string;
  readonly after: string;
}

const graphemes = new Graphemes();

/**
 * Returns the part of a line that `width` cells show: the whole line and a cell for the caret, or
 * the text around the caret. `width` is at least 12, because a character with marks may take five.
 */
export function fieldWindow({ text, caret }: EditedLine, width: number): FieldWindow {
  // Sanitising changes lengths; doing it on each side keeps the caret between the two.
  const before = sanitize(text.slice(0, caret));
  const after = sanitize(text.slice(caret));
  const beforeWidth = cellWidth(before);
  const free = width - 1 - cellWidth(after);
  const room = Math.max(Math.floor(width / 2), free);
  const shown = beforeWidth <= room ? before : tailOf(before, room);
  const rest = truncateCells(after, width - cellWidth(shown), '');
  const [atCaret = ''] = Array.from(graphemes.segment(rest), ({ segment }) => segment);
  return { before: shown, atCaret, after: rest.slice(atCaret.length) };
}

/** Returns the longest tail of sanitised text that fits `width` cells. */
function tailOf(text: string, width: number): string {
  let left = width;
  let start = text.length;
  for (const { segment, index } of Array.from(graphemes.segment(text)).reverse()) {
    left -= cellWidth(segment);
    if (left < 0) break;
    start = index;
  }
  return text.slice(start);
}
