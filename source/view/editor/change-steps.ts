/** The reader's position in a difference; rows and changes count from 0. */
export interface ChangePosition {
  /** First rows of the changes, in order. */
  readonly changes: readonly number[];
  /** The current change. */
  readonly change: number;
  /** Row that the reader has chosen, from which a step starts. */
  readonly row?: number | undefined;
  /** First visible row. */
  readonly top: number;
  /** Number of visible rows. */
  readonly height: number;
  /** Number of all rows. */
  readonly rowCount: number;
}

/** Rows of context that stay visible above a change. */
const rowsAbove = 3;

/**
 * Returns the next (1) or previous (-1) change and the first visible row that shows it; undefined
 * when no change follows. The step starts at the chosen row or the current change while it is
 * visible, else at the first visible row.
 */
export function stepChange(
  position: ChangePosition,
  direction: 1 | -1,
): { readonly change: number; readonly top: number } | undefined {
  const change = adjacentChange(position, direction);
  const row = position.changes[change];
  if (row === undefined) return undefined;
  return { change, top: topFor(row, position) };
}

function adjacentChange(position: ChangePosition, direction: 1 | -1): number {
  const { changes, change, top, height } = position;
  const isVisible = (row: number | undefined): row is number =>
    row !== undefined && row >= top && row < top + height;
  const { row } = position;
  if (isVisible(row)) return changeBeside(changes, row, direction);
  if (isVisible(changes[change])) return change + direction;
  const following = changes.findIndex((start) => start >= top);
  const first = following < 0 ? changes.length : following;
  return direction === 1 ? first : first - 1;
}

/** Returns the first change after a row, or the last one that begins before it. */
function changeBeside(changes: readonly number[], row: number, direction: 1 | -1): number {
  return direction === 1
    ? changes.findIndex((start) => start > row)
    : changes.findLastIndex((start) => start < row);
}

/**
 * Maps the row `top` of one layout to another layout: as far below the same change, but not beyond
 * the next one. `changes` and `others` are the first rows of the same changes in both layouts.
 */
export function rowInOtherLayout(
  changes: readonly number[],
  others: readonly number[],
  top: number,
): number {
  const above = changes.findLastIndex((row) => row <= top);
  const [from = 0, start = 0] = above < 0 ? [] : [changes[above], others[above]];
  const next = others[above + 1] ?? Number.POSITIVE_INFINITY;
  return Math.min(start + top - from, next);
}

/** Returns the first visible row that shows `row` with its context, within the rows. */
function topFor(row: number, { height, rowCount }: ChangePosition): number {
  const above = Math.min(rowsAbove, Math.floor((height - 1) / 2));
  return Math.max(0, Math.min(row - above, rowCount - height));
}
