import type { Line } from '../text/line.ts';

/** Stands before a row that is selected, in its gutter. */
const sign = '|';

/** Those rows that were made last, so that they stay the same while nothing about them changes. */
const known = new WeakMap<readonly Line[], readonly Line[]>();

/** The rows of an entry as they look when it is selected: told by a sign too, not only by colour. */
export function selectedRows(rows: readonly Line[]): readonly Line[] {
  const before = known.get(rows);
  if (before !== undefined) return before;
  const selected = rows.map((row, index) => reversed(index === 0 ? signed(row) : row));
  known.set(rows, selected);
  return selected;
}

/** The cursor's sign stays: it is where the selection ends. */
function signed(row: Line): Line {
  const [first, ...others] = row;
  if (first === undefined || first.text.startsWith('>')) return row;
  return [{ ...first, text: sign + first.text.slice(1) }, ...others];
}

function reversed(row: Line): Line {
  return row.map((part) => ({ ...part, style: { ...part.style, inverse: true } }));
}
