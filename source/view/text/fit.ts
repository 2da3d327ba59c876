import { cellWidth, ellipsis, padCells, truncateCells } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { BoxStop, Line, Span } from './line.ts';

/** Sanitises and fits text into a column of exactly `width` cells, the last one blank. */
export function column(text: string, width: number): string {
  return padCells(truncateCells(sanitize(text), Math.max(0, width - 1)), width);
}

/**
 * Fits a text to the right edge of a column; empty for a column that is not shown.
 * @param gap blank cells that the column keeps before the text.
 */
export function rightColumn(text: string, width: number, gap = 1): string {
  if (width === 0) return '';
  return padCells(truncateCells(sanitize(text), width - gap), width, 'right');
}

/** Fits a text into a column after a blank; empty for a column that is not shown. */
export function leftColumn(text: string, width: number): string {
  return width === 0 ? '' : ` ${column(text, width - 1)}`;
}

/**
 * Returns spans that fill exactly `width` cells. A line of which more than blanks is cut ends in the
 * ellipsis, also where the cut falls between two spans; it has the colour of a match that is cut. All
 * text on the screen is sanitised here, whatever its source.
 */
export function fitLine(line: Line, width: number): readonly Span[] {
  const spans: Span[] = [];
  let left = Math.max(0, width);
  for (const [index, part] of line.entries()) {
    const text = sanitize(part.text);
    const cells = cellWidth(text);
    if (cells <= left) {
      if (text !== '') spans.push({ ...part, text });
      left -= cells;
      continue;
    }
    const head = truncateCells(text, left, '');
    const cut = [{ ...part, text: text.slice(head.length) }, ...line.slice(index + 1)];
    // The ellipsis takes a cell of the span before where this one has none left.
    const last = left > 0 || isBlank(cut) ? undefined : spans.pop();
    const room = last === undefined ? left : cellWidth(last.text);
    const mark = hasMatch(cut) ? truncateCells(ellipsis(), room, '') : '';
    const shown =
      isBlank(cut) || mark !== ''
        ? truncateCells(`${last?.text ?? ''}${text}`, room - cellWidth(mark), '')
        : truncateCells(`${last?.text ?? ''}${text}`, room);
    if (shown !== '') spans.push({ ...(last ?? part), text: shown });
    if (mark !== '') spans.push({ text: mark, token: 'match' });
    left = room - cellWidth(shown) - cellWidth(mark);
    break;
  }
  if (left > 0) spans.push({ text: ' '.repeat(left) });
  return spans;
}

/** Pads the line to `width` cells with `filler` characters. */
export function fillLine(line: Line, width: number, filler: string): Line {
  const used = lineWidth(line);
  return used >= width ? line : [...line, { text: filler.repeat(width - used) }];
}

/** Returns the raw text of a line. */
export function spansText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Returns the stop in a cell of a line; a row of a list goes on behind its text. */
export function stopAt(line: Line, x: number): BoxStop | undefined {
  let end = 0;
  let row: BoxStop | undefined;
  for (const part of line) {
    end += lineWidth([part]);
    if (x < end) return part.stop ?? row;
    row = part.stop?.kind === 'row' || part.stop?.kind === 'item' ? part.stop : undefined;
  }
  return row;
}

/** Returns the cells that an uncut line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, part) => sum + cellWidth(sanitize(part.text)), 0);
}

/** Drops the first `from` cells of a line. A wide character cut in half leaves a space. */
export function sliceLine(line: Line, from: number): Line {
  let skip = from;
  const rest: Span[] = [];
  for (const part of line) {
    const text = sanitize(part.text);
    const width = cellWidth(text);
    if (width <= skip) {
      skip -= width;
      continue;
    }
    rest.push({ ...part, text: skip === 0 ? text : dropCells(text, skip) });
    skip = 0;
  }
  return rest;
}

/**
 * Scrolls a line sideways by `from` cells. A line of which more than blanks is cut starts with the
 * ellipsis, in the colour of a match that is cut.
 */
export function scrolledLine(line: Line, from: number): Line {
  const cut = from === 0 ? [] : lineHead(line, from);
  if (isBlank(cut)) return from === 0 ? line : sliceLine(line, from);
  const mark = ellipsis();
  const hidden = from + cellWidth(mark);
  const token = hasMatch(lineHead(line, hidden)) ? 'match' : undefined;
  return [{ text: mark, token }, ...sliceLine(line, hidden)];
}

function isBlank(line: Line): boolean {
  return !line.some(({ text }) => /\S/.test(text));
}

function hasMatch(line: Line): boolean {
  return line.some(({ text, token }) => token === 'match' && text !== '');
}

/** Maximum code units of one cell, combining marks included. */
export const longestCell = 8;

/** Returns the head of a line that can fill `cells` cells, because a line may be a megabyte long. */
export function headOfLine(line: Line, cells: number): Line {
  let left = cells * longestCell;
  const head: Span[] = [];
  for (const part of line) {
    if (left <= 0) break;
    head.push(part.text.length > left ? { ...part, text: part.text.slice(0, left) } : part);
    left -= part.text.length;
  }
  return head;
}

/**
 * Wraps a line into rows of at most `width` cells; at least one row, and no more than `most`. The last
 * row has all that is left.
 */
export function wrapLine(
  line: Line,
  width: number,
  most = Number.POSITIVE_INFINITY,
): readonly Line[] {
  const rows: Line[] = [];
  let row: Span[] = [];
  let left = width;
  let last = most - 1;
  for (const part of most === Number.POSITIVE_INFINITY ? line : headOfLine(line, width * most)) {
    let text = sanitize(part.text);
    while (text !== '' && rows.length < last) {
      // Only about as much as a row can hold is measured, so the time is linear in the length.
      const piece = headOfPoints(text, Math.max(1, left));
      const taken = truncateCells(piece, left, '');
      if (taken !== '') row.push({ ...part, text: taken });
      left -= cellWidth(taken);
      text = text.slice(taken.length);
      // A wide character does not fit a single cell.
      if (taken === '' && left === width) last = 0;
      else if (taken.length < piece.length) {
        rows.push(row);
        row = [];
        left = width;
      }
    }
    if (text !== '') row.push({ ...part, text });
  }
  return [...rows, row];
}

/** Returns the start of a text in whole code points. */
function headOfPoints(text: string, units: number): string {
  const isCut = /[\uD800-\uDBFF]/.test(text.charAt(units - 1));
  return text.slice(0, isCut ? units + 1 : units);
}

/** Wraps a line into rows of at most `width` cells, between words where possible. */
export function wrapWords(line: Line, width: number): readonly Line[] {
  const rows: Line[] = [];
  let rest = line;
  while (lineWidth(rest) > width) {
    // The row may break at a space in the column just after it.
    const text = lineHead(rest, width + 1)
      .map((part) => part.text)
      .join('');
    const space = text.lastIndexOf(' ');
    const head = lineHead(rest, space > 0 ? cellWidth(text.slice(0, space)) : width);
    if (lineWidth(head) === 0) break;
    rows.push(head);
    rest = sliceLine(rest, lineWidth(head) + (space > 0 ? 1 : 0));
  }
  return [...rows, rest];
}

/** Returns the head of a line that fits `width` cells. */
function lineHead(line: Line, width: number): Line {
  let left = width;
  const head: Span[] = [];
  for (const part of line) {
    const whole = sanitize(part.text);
    const text = truncateCells(whole, left, '');
    head.push({ ...part, text });
    left -= cellWidth(text);
    if (text.length < whole.length) break;
  }
  return head;
}

/** Drops the first `from` cells of a text. */
function dropCells(text: string, from: number): string {
  const head = truncateCells(text, from, '');
  if (cellWidth(head) === from) return text.slice(head.length);
  const whole = truncateCells(text, from + 1, '');
  return ` ${text.slice(whole.length)}`;
}
