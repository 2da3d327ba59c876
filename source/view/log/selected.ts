import type { Line } from '../text/line.ts';

/** The gutter sign of a selected row. */
const sign = '|';

/** Caches selected rows, so that unchanged rows keep their identity. */
const known = new WeakMap<readonly Line[], readonly Line[]>();

/** Returns the rows of a selected entry, with a gutter sign and inverse colours. */
export function selectedRows(rows: readonly Line[]): readonly Line[] {
  const before = known.get(rows);
  if (before !== undefined) return before;
  const selected = rows.map((row, index) => reversed(index === 0 ? signed(row) : row));
  known.set(rows, selected);
  return selected;
}

/** Adds the selection sign; the cursor's sign takes precedence. */
function signed(row: Line): Line {
  const [first, ...others] = row;
  if (first === undefined || first.text.startsWith('>')) return row;
  return [{ ...first, text: sign + first.text.slice(1) }, ...others];
}

function reversed(row: Line): Line {
  return row.map((part) => ({ ...part, style: { ...part.style, inverse: true } }));
}
