import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';
import { Graphemes } from '../../terminal/screen/graphemes.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { EditedLine } from './line-editor.ts';

/** What is seen of an edited line, safe to show. */
export interface FieldWindow {
  readonly before: string;
  /** The character that the caret stands on; empty behind the text. */
  readonly on: string;
  readonly after: string;
}

const graphemes = new Graphemes();

/**
 * The part of a line that `width` cells show: all of it and a cell for the caret behind it, or else
 * what is around the caret. At least 12 of them: a character with its marks may take five.
 */
export function fieldWindow({ text, caret }: EditedLine, width: number): FieldWindow {
  // The parts are made safe by themselves: that the caret stands between them holds whatever they are.
  const before = sanitize(text.slice(0, caret));
  const after = sanitize(text.slice(caret));
  const beforeWidth = cellWidth(before);
  const free = width - 1 - cellWidth(after);
  const room = Math.max(Math.floor(width / 2), free);
  const shown = beforeWidth <= room ? before : endOf(before, room);
  const rest = truncateCells(after, width - cellWidth(shown), '');
  const [on = ''] = Array.from(graphemes.segment(rest), ({ segment }) => segment);
  return { before: shown, on, after: rest.slice(on.length) };
}

/** The longest tail of safe text that fits `width` cells. */
function endOf(text: string, width: number): string {
  let left = width;
  let start = text.length;
  for (const { segment, index } of Array.from(graphemes.segment(text)).reverse()) {
    left -= cellWidth(segment);
    if (left < 0) break;
    start = index;
  }
  return text.slice(start);
}
