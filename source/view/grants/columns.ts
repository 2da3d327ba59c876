/** Widths of the columns of grants in cells, each including the gap behind it. */
export interface GrantColumns {
  readonly party: number;
  readonly amounts: number;
  readonly bar: number;
  /** Spending per hour; 0 where the list is too narrow. */
  readonly rate: number;
  /** The time left. */
  readonly time: number;
}

/** Width from which the list shows all columns; narrower lists show the most important. */
export const wideFrom = 60;

/** Width of the cursor's column. */
export const cursorWidth = 3;

const minWidths = { party: 23, amounts: 12, bar: 6, rate: 9, time: 7 };
const narrowWidths = { party: 14, amounts: 8, bar: 10, rate: 0, time: 3 };

/** Cells that each column takes at most of the spare width. */
const maxExtraWidths = { amounts: 8, bar: 14, party: 20, rate: 3 };

/** Returns the columns of a list of `width` cells; spare width goes to amounts, bar, name and rate. */
export function grantColumns(width: number): GrantColumns {
  if (width < wideFrom) return narrowWidths;
  let spare = width - wideFrom;
  const allot = (share: number, limit: number): number => {
    const cells = Math.min(limit, Math.floor(spare * share));
    spare -= cells;
    return cells;
  };
  return {
    amounts: minWidths.amounts + allot(0.25, maxExtraWidths.amounts),
    bar: minWidths.bar + allot(0.5, maxExtraWidths.bar),
    party: minWidths.party + allot(0.8, maxExtraWidths.party),
    rate: minWidths.rate + allot(1, maxExtraWidths.rate),
    time: minWidths.time,
  };
}
