import { type Line, span } from '../../text/line.ts';

/** The gutter sign of a selected row. */
const selectionSign = '|';

/** Caches selected rows, so that unchanged rows keep their identity. */
const selectedRowCache = new WeakMap<readonly Line[], readonly Line[]>();

/** Returns the rows of a selected entry, with a gutter sign, in the colours of a selection. */
export function selectedRows(rows: readonly Line[]): readonly Line[] {
  const cached = selectedRowCache.get(rows);
  if (cached !== undefined) return cached;
  const selected = rows.map((row, index) => coloured(index === 0 ? withSelectionSign(row) : row));
  selectedRowCache.set(rows, selected);
  return selected;
}

/** Adds the selection sign; the cursor's sign takes precedence. */
function withSelectionSign(row: Line): Line {
  const [first, ...others] = row;
  if (first === undefined || first.text.startsWith('>')) return row;
  return [{ ...first, text: selectionSign + first.text.slice(1) }, ...others];
}

function coloured(row: Line): Line {
  return row.map(({ text, token }) => span(text, token === 'match' ? token : 'select'));
}
