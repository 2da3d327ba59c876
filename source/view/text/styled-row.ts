import { type CellStyle, internStyle, type StyledRow } from '../../terminal/screen/cell-style.ts';
import { colourNames } from '../../terminal/screen/sgr.ts';
import { fitLine } from './fit.ts';
import { outsideStyle } from './outside-style.ts';
import type { Line, Span } from './line.ts';
import type { RowToken, Style, Theme } from './theme.ts';

/** The row that keys act on: in the pane with the focus, or in another one. */
export type CursorRole = 'cursor' | 'cursor-off';

/** Returns a line fitted to `width` cells in the styles of a theme. */
export function styleLine(line: Line, width: number, theme: Theme, row?: RowToken): StyledRow {
  return styleRow(fitLine(line, width), theme, row);
}

/**
 * Returns the spans in the styles of a theme. With a role of the row, its style covers the full width
 * and hides other colours, except those of the matches of a search.
 */
export function styleRow(spans: Line, theme: Theme, row?: RowToken): StyledRow {
  return spans.map((part) => ({ text: part.text, style: cellStyle(part, theme, row) }));
}

function cellStyle({ token, style }: Span, theme: Theme, row: RowToken | undefined): CellStyle {
  if (row !== undefined && token !== 'match' && coversColours(theme.styles[row], row)) {
    return internStyle(theme.styles[row]);
  }
  if (token === undefined && style === undefined && row === undefined) return 0;
  const below = row === undefined ? undefined : theme.styles[row];
  const own = token === undefined ? undefined : theme.styles[token];
  return internStyle(
    withoutBrightening({ ...below, ...own, ...(style && outsideStyle(style, theme)) }),
  );
}

const firstColours: ReadonlySet<string> = new Set(colourNames);

/** Drops bold of the first eight colours: xterm and others draw it in the bright ones. */
function withoutBrightening(style: Style): Style {
  return style.bold === true && firstColours.has(style.color ?? '')
    ? { ...style, bold: undefined }
    : style;
}

/** An underline alone leaves the colours of its row readable, and of a quiet row only they remain. */
function coversColours(style: Style, row: RowToken): boolean {
  const hasBackground = style.backgroundColor !== undefined || style.inverse === true;
  return hasBackground || (row !== 'cursor-off' && style.color !== undefined);
}
