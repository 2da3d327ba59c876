import { type CellStyle, internStyle, type StyledRow } from '../../terminal/screen/cell-style.ts';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import { reduceColours } from '../../terminal/screen/nearest-colour.ts';
import { fitLine } from './fit.ts';
import type { Line, Span } from './line.ts';
import { type Style, styles } from './theme.ts';

/** Returns the spans in the styles that the terminal shows, each over the style of the row. */
export function styleRow(spans: Line, depth: ColourDepth, row?: Style): StyledRow {
  return spans.map((part) => ({ text: part.text, style: cellStyle(part, depth, row) }));
}

/** The row that keys act on: in the pane with the focus, or in another one. */
export type CursorRole = 'cursor' | 'cursor-off';

/** Returns a line fitted to `width` cells, in the style of its role over the full width. */
export function styleLine(
  line: Line,
  width: number,
  depth: ColourDepth,
  { cursor, isDim = false }: { readonly cursor?: CursorRole | undefined; readonly isDim?: boolean },
): StyledRow {
  const base: Style = {
    ...(cursor === undefined ? {} : styles[cursor]),
    ...(isDim ? styles.quiet : {}),
  };
  const own = cursor === 'cursor' ? cursorLine(line) : line;
  return styleRow(fitLine(own, width), depth, base);
}

/**
 * Returns the row of the cursor without colours of its own, so that its style covers the full width.
 * Matches of a search stay.
 */
function cursorLine(line: Line): Line {
  return line.map((part) => (part.token === 'match' ? part : { text: part.text }));
}

const underline: Style = { underline: true };

function cellStyle({ token, style }: Span, depth: ColourDepth, row: Style | undefined): CellStyle {
  // Without colours, only an underline tells a match from the text around it.
  if (depth === 'none') return token === 'match' ? internStyle(underline) : 0;
  if (token === undefined && style === undefined && row === undefined) return 0;
  const own = token === undefined ? style : { ...styles[token], ...style };
  return internStyle(reduceColours({ ...row, ...own }, depth));
}
