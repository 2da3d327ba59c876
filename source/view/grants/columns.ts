/** The columns of the list of grants: a wider list never shows fewer. */
import { column, rightColumn } from '../text/fit.ts';
import type { OrderName } from '../../store/lists/order.ts';
import { orderAt } from '../text/column-order.ts';
import { type Line, span } from '../text/line.ts';

/** Widths of the columns in cells, their gap included; 0 for columns that are not shown. */
export interface GrantColumns {
  readonly party: number;
  /** True when the party has room for `given to`; else it starts with `to`. */
  readonly hasLongParty: boolean;
  readonly amounts: number;
  readonly bar: number;
  readonly rate: number;
  readonly ends: number;
  readonly state: number;
}

/** Width of the list from which a column, or the longer words of the party, are shown. */
const shownFrom = { rate: 46, longParty: 55, state: 72, bar: 80 } as const;

/** Cells of the cursor's column. */
export const cursorWidth = 3;

const smallestParty = 8;
const widths = { amounts: 11, bar: 11, state: 12 } as const;
/** Widths of the columns of rate and end, by what the list has room for. */
const lastWidths = {
  narrow: { rate: 0, ends: 10 },
  middle: { rate: 8, ends: 9 },
  wide: { rate: 8, ends: 11 },
  widest: { rate: 6, ends: 11 },
} as const;

/** Cells that the columns of a wide list may take of the spare ones, one after the other. */
const growth = [
  ['amounts', 3],
  ['rate', 1],
  ['ends', 1],
  ['state', 3],
  ['party', 6],
  ['amounts', 8],
  ['party', 14],
  ['bar', 10],
] as const;
/** Cells of the longest party without a name: `received from 0x7e..17`, and a gap. */
const longParty = 23;

/** Returns the columns of a list of `width` cells. */
export function grantColumns(width: number): GrantColumns {
  const has = (name: keyof typeof shownFrom): boolean => width >= shownFrom[name];
  const hasState = has('state');
  const columns = {
    party: 0,
    amounts: widths.amounts,
    bar: has('bar') ? widths.bar : 0,
    ...lastWidths[lastWidthsOf(width)],
    state: hasState ? widths.state : 0,
  };
  // The pane's edge keeps a blank beside the last number.
  const edge = hasState ? 0 : 1;
  const taken = Object.values(columns).reduce((total, one) => total + one, cursorWidth + edge);
  let room = Math.max(smallestParty, width - taken);
  columns.party = has('bar') ? longParty : room;
  room -= columns.party;
  const grown: Record<keyof typeof columns, number> = columns;
  for (const [name, most] of growth) {
    const more = Math.min(most, room);
    grown[name] += more;
    room -= more;
  }
  return { ...grown, hasLongParty: has('longParty') };
}

function lastWidthsOf(width: number): keyof typeof lastWidths {
  if (width >= shownFrom.bar) return 'widest';
  if (width >= shownFrom.state) return 'wide';
  return width >= shownFrom.rate ? 'middle' : 'narrow';
}

/** The order that a click on a column chooses; other columns have none. */
const columnOrders: Readonly<Partial<Record<keyof GrantColumns, OrderName>>> = {
  party: 'party',
  amounts: 'spent',
  bar: 'spent',
  ends: 'time left',
  state: 'state',
};

/** Returns the order of the column that has a cell of the header. */
export function grantOrderAt(columns: GrantColumns, x: number): OrderName | undefined {
  const { party, amounts, bar, rate, ends, state } = columns;
  return orderAt({ party, amounts, bar, rate, ends, state }, columnOrders, x - cursorWidth);
}

/** Returns the names of the columns above their rows. */
export function grantHeader(columns: GrantColumns): Line {
  const cells = [
    ' '.repeat(cursorWidth),
    column('party', columns.party),
    rightColumn('used/limit', columns.amounts),
    ' '.repeat(columns.bar),
    // Its blank is the gap behind the bar.
    rightColumn('rate/h', columns.rate, 0),
    rightColumn('ends', columns.ends),
    columns.state === 0 ? '' : '  state',
  ];
  return [span(cells.join(''), 'quiet')];
}
