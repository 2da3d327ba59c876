import { type AddressBook, addressName } from '../../store/grants/address-book.ts';
import { type GrantEnd, grantEnd } from '../../store/grants/runway.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { shortAddress } from '../../store/grants/address.ts';
import { formatAge } from '../text/age.ts';
import { formatRate, spentBar } from '../text/amount.ts';
import { type DetailRow, field, moment, unknownFields } from '../text/detail-rows.ts';
import { column } from '../text/fit.ts';
import { compactAmounts } from './amounts.ts';
import { type GrantColumns, grantColumns, cursorWidth, wideFrom } from './columns.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { Token } from '../text/theme.ts';
import {
  formatGrantAmounts,
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
 * Returns a row of the list: the other party, the spent amount and the time left. Amounts wider than
 * their column shorten the bar; a grant that is not active shows its state instead of bar and time.
 */
export function grantLine(row: GrantRow, width: number, serviceNow: number): Line {
  const grant = row.read.value;
  const state = deriveGrantState(grant, serviceNow);
  const columns = grantColumns(width);
  const amounts = compactAmounts(grant, columns.amounts + columns.bar - 3);
  const excess = Math.max(0, amounts.length - (columns.amounts - 1));
  const head = [
    span(row.cursor ? '>'.padEnd(cursorWidth) : ' '.repeat(cursorWidth)),
    span(column(partyText(row, width >= wideFrom), columns.party)),
    span(`${amounts.padStart(columns.amounts - 1)} `),
  ];
  if (state !== 'active') return [...head, span(state, stateWordToken(state))];
  const bar = barOf(grant, Math.max(0, columns.bar - 1 - excess));
  return [...head, span(`${bar} `), ...endSpans(row, columns, serviceNow)];
}

function barOf(grant: Grant, width: number): string {
  return spentBar(grant.spent, grant.limit, width, isLimitReached(grant));
}

/** Returns the spending per hour and the time until the grant expires or reaches its limit. */
function endSpans({ read, rate }: GrantRow, columns: GrantColumns, now: number): readonly Span[] {
  const end = columns.rate > 0 ? endOf(read.value, rate, now) : undefined;
  const left =
    end?.by === 'limit'
      ? span(`out ${formatAge((end.at ?? now) - now)}`.padStart(columns.time), 'busy')
      : span(timeLeft(read.value, now).padStart(columns.time));
  if (columns.rate === 0) return [left];
  const speed = rate === undefined ? '' : `${formatRate(rate)}/h`;
  return [span(column(speed.padStart(columns.rate - 1), columns.rate)), left];
}

function endOf(grant: Grant, rate: number | undefined, now: number): GrantEnd | undefined {
  if (rate === undefined) return undefined;
  return grantEnd(Math.max(0, grant.limit - grant.spent), rate, now, Date.parse(grant.expires_at));
}

/** Returns the other party of the grant and the direction: `given to alice`. */
function partyText({ read, caller, book }: GrantRow, wide: boolean): string {
  const grant = read.value;
  const named = (address: string) => addressName(book, address) ?? shortAddress(address);
  switch (grantDirection(grant, caller)) {
    case 'given':
      return `${wide ? 'given to' : 'to'} ${named(grant.grantee)}`;
    case 'received':
      return `${wide ? 'received from' : 'from'} ${named(grant.grantor)}`;
    case 'unknown':
      return `${named(grant.grantor)}>${named(grant.grantee)}`;
  }
}

function timeLeft(grant: Grant, serviceNow: number): string {
  const expires = Date.parse(grant.expires_at);
  return Number.isNaN(expires) ? grant.expires_at : formatAge(expires - serviceNow);
}

function stateWordToken(state: GrantState): Token | undefined {
  if (state === 'active') return undefined;
  return state === 'limit reached' ? 'bad' : 'quiet';
}

/** Returns one row for each field of a grant, with whole addresses and their names. */
export function grantDetails(shown: ShownGrant, serviceNow: number): readonly DetailRow[] {
  const { read, caller, book, rate } = shown;
  const grant = read.value;
  const state = deriveGrantState(grant, serviceNow);
  const direction = grantDirection(grant, caller);
  const named = (address: string) =>
    [address, addressName(book, address) ?? ''].join('  ').trimEnd();
  const amounts = formatGrantAmounts(grant);
  const you = ' (you)';
  return [
    field('id', grant.id),
    field('grantor', grant.grantor, `${named(grant.grantor)}${direction === 'given' ? you : ''}`),
    field(
      'grantee',
      grant.grantee,
      `${named(grant.grantee)}${direction === 'received' ? you : ''}`,
    ),
    field('state', state, state, stateWordToken(state)),
    field('limit', amounts.limit),
    field('spent', amounts.spent, `${amounts.spent}  ${barOf(grant, 20)}`),
    ...(state === 'active' ? [field('rate', rateText(grant, rate, serviceNow))] : []),
    field(
      'expires',
      grant.expires_at,
      state === 'active'
        ? `${grant.expires_at}  in ${timeLeft(grant, serviceNow)}`
        : grant.expires_at,
    ),
    ...moment('created', grant.created_at, serviceNow),
    ...moment('revoked', grant.revoked_at, serviceNow),
    ...unknownFields(read.unknown),
  ];
}

/** Returns the spending per hour, and whether the limit or the expiry comes first. */
function rateText(grant: Grant, rate: number | undefined, now: number): string {
  const end = endOf(grant, rate, now);
  if (rate === undefined || end === undefined) return 'not known yet';
  if (rate === 0) return '0 an hour';
  const speed = `${formatRate(rate)} an hour`;
  if (end.by === 'expiry') return `${speed}, expires before it runs out`;
  return `${speed}, runs out in ${formatAge((end.at ?? now) - now)}, before it expires`;
}
