/** Where a reader is in a difference; all of them count from 0. */
export interface ChangePosition {
  /** Rows at which changes begin, in order. */
  readonly changes: readonly number[];
  /** The change that was gone to last. */
  readonly change: number;
  /** The first row that is seen, how many are, and how many there are. */
  readonly top: number;
  readonly seen: number;
  readonly rows: number;
}

/** Rows that stay in sight above a change, so that it is seen what it follows. */
const rowsAbove = 3;

/**
 * The next change (1) or the one before (-1), and the row that is then seen first; undefined when
 * there is none. The change gone to last counts while it is in sight; after scrolling away, what is
 * seen does.
 */
export function stepChange(
  position: ChangePosition,
  direction: 1 | -1,
): { readonly change: number; readonly top: number } | undefined {
  const change = changeBeside(position, direction);
  const row = position.changes[change];
  if (row === undefined) return undefined;
  return { change, top: topFor(row, position) };
}

function changeBeside(position: ChangePosition, direction: 1 | -1): number {
  const { changes, change, top, seen } = position;
  const at = changes[change];
  if (at !== undefined && at >= top && at < top + seen) return change + direction;
  const below = changes.findIndex((row) => row >= top);
  const first = below < 0 ? changes.length : below;
  return direction === 1 ? first : first - 1;
}

/**
 * The row of another layout that stands where `top` does in this one: as far below the same change,
 * but not behind it. Changes are the same in all layouts.
 */
export function matchingRow(
  changes: readonly number[],
  others: readonly number[],
  top: number,
): number {
  const above = changes.findLastIndex((row) => row <= top);
  const [from = 0, start = 0] = above < 0 ? [] : [changes[above], others[above]];
  const next = others[above + 1] ?? Number.POSITIVE_INFINITY;
  return Math.min(start + top - from, next);
}

/** Nothing is scrolled beyond the last row. */
function topFor(row: number, { seen, rows }: ChangePosition): number {
  const above = Math.min(rowsAbove, Math.floor((seen - 1) / 2));
  return Math.max(0, Math.min(row - above, rows - seen));
}
