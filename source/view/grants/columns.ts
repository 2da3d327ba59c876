/** Cells of a grant's columns, each with the gap behind it. */
export interface GrantColumns {
  readonly party: number;
  readonly amounts: number;
  readonly bar: number;
  /** What is spent an hour; 0 where there is no room for it. */
  readonly rate: number;
  /** The time left. */
  readonly time: number;
}

/** From this many columns the list has a column for everything, below it only what matters most. */
export const roomForAll = 60;

/** The cursor's and the marks' columns. */
export const marks = 3;

const least = { party: 23, amounts: 12, bar: 6, rate: 9, time: 7 };
const narrow = { party: 14, amounts: 8, bar: 10, rate: 0, time: 3 };

/** What the columns take at most of the room that is left. */
const most = { amounts: 8, bar: 14, party: 20, rate: 3 };

/** Columns for a list of `width` cells: what there is room for goes to amounts, bar and name. */
export function grantColumns(width: number): GrantColumns {
  if (width < roomForAll) return narrow;
  let spare = width - roomForAll;
  const take = (share: number, limit: number): number => {
    const taken = Math.min(limit, Math.floor(spare * share));
    spare -= taken;
    return taken;
  };
  return {
    amounts: least.amounts + take(0.25, most.amounts),
    bar: least.bar + take(0.5, most.bar),
    party: least.party + take(0.8, most.party),
    rate: least.rate + take(1, most.rate),
    time: least.time,
  };
}
