import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import { hole } from '../../../source/terminal/screen/cell-parser.ts';

/** A cell in the simplest form: its character and all SGR sequences before it. */
export interface ReferenceCell {
  /** Empty in the second cell of a wide character. */
  readonly text: string;
  readonly sgr: string;
}

const graphemes = new Intl.Segmenter();
const introducer = '\x1b[';
const blank: ReferenceCell = { text: ' ', sgr: '' };

/** Returns the cells of a row of text with SGR. */
export function referenceRow(text: string, columns: number): ReferenceCell[] {
  const cells: ReferenceCell[] = [];
  let sgr = '';
  for (const [index, piece] of text.split(introducer).entries()) {
    const [code = ''] = index === 0 ? [] : (/^[\d;]*m/.exec(piece) ?? []);
    if (index > 0) sgr += introducer + code;
    for (const { segment } of graphemes.segment(piece.slice(code.length))) {
      const width = segment === hole ? 1 : cellWidth(segment);
      const fits = cells.length + width <= columns;
      for (let cell = 0; cell < width; cell++) {
        cells.push({ text: !fits ? ' ' : cell === 0 ? segment : '', sgr });
      }
    }
  }
  while (cells.length < columns) cells.push(blank);
  return cells.slice(0, columns);
}

/** Returns `row` with its holes filled from `under`, whose first cell is at column `left`. */
export function seenThrough(
  row: readonly ReferenceCell[],
  under: readonly ReferenceCell[],
  left = 0,
): ReferenceCell[] {
  return row.map((cell, x) => {
    const below = under[x - left];
    if (cell.text !== hole || below === undefined) return cell;
    let start = x - left;
    while (under[start]?.text === '') start--;
    let end = x - left + 1;
    while (under[end]?.text === '') end++;
    for (let at = start; at < end; at++) {
      if (row[at + left]?.text !== hole) return { text: ' ', sgr: below.sgr };
    }
    return below;
  });
}

/** Returns output that writes every character with its own jump and style. */
export function writeAll(rows: readonly (readonly ReferenceCell[])[]): string {
  const cells = rows.flatMap((row, y) =>
    row.map(({ text, sgr }, x) =>
      text === '' || (text === ' ' && sgr === '')
        ? ''
        : `\x1b[${y + 1};${x + 1}H\x1b[m${sgr}${text}`,
    ),
  );
  return `\x1b[?7l\x1b[r\x1b[m\x1b[2J${cells.join('')}\x1b[m`;
}
