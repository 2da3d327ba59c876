import { type AddressBook, addressName } from '../../store/grants/address-book.ts';
import { type GrantEnd, grantEnd } from '../../store/grants/runway.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { shortAddress } from '../../store/grants/address.ts';
import { formatAge } from '../../store/time/age.ts';
import { formatRate, spentBar } from '../text/amount.ts';
import { column, lineWidth, rightColumn } from '../text/fit.ts';
import { compactAmounts } from '../../store/grants/amounts.ts';
import { cursorWidth, type GrantColumns } from './columns.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { Token } from '../text/theme.ts';
import {
  type Grant,
  type GrantState,
  deriveGrantState,
  isLimitReached,
} from '../../contract/grants.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';

/** A grant with the context that its row and details need. */
export interface ShownGrant {
  readonly read: DecodedRecord<Grant>;
  readonly caller: string | undefined;
  readonly book: AddressBook;
  /** Spending per hour; undefined while it is unknown. */
  readonly rate: number | undefined;
}

export interface GrantRow extends ShownGrant {
  readonly cursor: boolean;
}

/**
 * Returns a row of the list: the other party, the spent amount, the spending per hour and the end,
 * which is the sooner of expiry and limit. Without room for its column, the state of a grant that is
 * not active replaces the end. Unknown facts are `-`.
 */
export function grantLine(row: GrantRow, columns: GrantColumns, serviceNow: number): Line {
  const last = lastSpans(row, columns, serviceNow);
  const { bar, rate, ends, state } = columns;
  // A long state takes cells of the amounts, and long amounts take cells of the party.
  const room = columns.amounts + bar + rate + ends + state - lineWidth(last);
  const amounts = compactAmounts(row.read.value, room - 1);
  const excess = Math.max(0, amounts.length + 1 - room);
  return [
    span(row.cursor ? '>'.padEnd(cursorWidth) : ' '.repeat(cursorWidth)),
    span(column(partyText(row, columns.hasLongParty), Math.max(0, columns.party - excess))),
    span(rightColumn(amounts, room + excess)),
    ...last,
  ];
}

/** Returns the columns after the amounts. */
function lastSpans(row: GrantRow, columns: GrantColumns, now: number): Line {
  const grant = row.read.value;
  const state = deriveGrantState(grant, now);
  const token = grantStateToken(state);
  if (state !== 'active' && columns.state === 0) {
    return [
      span(rightColumn(state, Math.max(columns.rate + columns.ends, state.length + 1)), token),
    ];
  }
  const shownState = columns.state === 0 ? '' : `  ${state}`.padEnd(columns.state);
  // A long state takes cells of the end, which only an active grant has.
  const fewer = Math.max(0, shownState.length - columns.state);
  const ends = endSpans(row, { ...columns, ends: Math.max(2, columns.ends - fewer) }, state, now);
  // A small or large rate takes cells of the bar.
  const rest = columns.bar - Math.max(0, lineWidth(ends) + fewer - columns.rate - columns.ends);
  return [
    span(columns.bar === 0 ? '' : ` ${grantBar(grant, rest - 1)}`),
    ...ends,
    span(shownState, token),
  ];
}

/** Draws the spent share of a grant's limit in `width` cells. */
export function grantBar(grant: Grant, width: number): string {
  return spentBar(grant.spent, grant.limit, width, isLimitReached(grant));
}

/** Returns the spending per hour and the time until the grant expires or reaches its limit. */
function endSpans(
  { read, rate }: GrantRow,
  columns: GrantColumns,
  state: GrantState,
  now: number,
): readonly Span[] {
  const isActive = state === 'active';
  const end = isActive ? predictedEnd(read.value, rate, now) : undefined;
  const speed = isActive && rate !== undefined ? formatRate(rate) : '-';
  const [ends, token] =
    end?.by === 'limit'
      ? ([outText(formatAge((end.at ?? now) - now), columns), 'busy'] as const)
      : [isActive ? timeLeft(read.value, now) : '-'];
  const cells = columns.bar === 0 ? columns.rate : Math.max(columns.rate, speed.length + 1);
  return [span(rightColumn(speed, cells)), span(rightColumn(ends, columns.ends), token)];
}

/** Returns when a grant reaches its limit: in a wide list `out in 11h` where that fits, else `out 11h`. */
function outText(age: string, { ends, state }: GrantColumns): string {
  const whole = `out in ${age}`;
  return state > 0 && whole.length < ends ? whole : `out ${age}`;
}

/** Returns whether limit or expiry comes first, and when; undefined while the rate is unknown. */
export function predictedEnd(
  grant: Grant,
  rate: number | undefined,
  now: number,
): GrantEnd | undefined {
  if (rate === undefined) return undefined;
  return grantEnd(Math.max(0, grant.limit - grant.spent), rate, now, Date.parse(grant.expires_at));
}

/** Returns the other party of the grant and the direction: `given to alice`. */
export function partyText({ read, caller, book }: GrantRow, isLong: boolean): string {
  const grant = read.value;
  const named = (address: string) => addressName(book, address) ?? shortAddress(address);
  switch (grantDirection(grant, caller)) {
    case 'given':
      return `${isLong ? 'given to' : 'to'} ${named(grant.grantee)}`;
    case 'received':
      return `${isLong ? 'received from' : 'from'} ${named(grant.grantor)}`;
    case 'unknown':
      return `${named(grant.grantor)}>${named(grant.grantee)}`;
  }
}

/** Returns the time until a grant expires; `-` without a valid expiry. */
export function timeLeft(grant: Grant, serviceNow: number): string {
  const expires = Date.parse(grant.expires_at);
  return Number.isNaN(expires) ? '-' : formatAge(expires - serviceNow);
}

/** Returns the colour of a grant's state. */
export function grantStateToken(state: GrantState): Token | undefined {
  if (state === 'active') return undefined;
  return state === 'limit reached' ? 'bad' : 'quiet';
}
