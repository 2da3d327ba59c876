import { type AddressBook, nameOf, noNames } from '../store/address-book.ts';
import { type Grant, type GrantState, grantDirection, grantState } from '../store/grants.ts';
import type { Read } from '../store/listing.ts';
import { shortAddress } from './address.ts';
import { formatAge } from './age.ts';
import { formatAmount, formatCompact, formatSpent, spentBar } from './amount.ts';
import { field, moment, unknownFields } from './deployment-rows.ts';
import { column } from './fit.ts';
import { type Line, span } from './line.ts';
import type { Token } from './theme.ts';

export interface GrantRow {
  readonly read: Read<Grant>;
  readonly cursor: boolean;
  readonly caller: string | undefined;
  readonly book: AddressBook;
}

const roomForAll = 60;

/** Cells of the columns: of a list with room, and of a narrow one. */
const wideColumns = { party: 25, amounts: 16, bar: 18, time: 5 };
const narrowColumns = { party: 14, amounts: 7, bar: 9, time: 3 };
const marks = 3;

/**
 * A row of the list: which way it goes, how much of it is spent, and how long it lasts. Amounts that
 * are wider than their column take from the bar; where the grant is not active, its state word
 * stands in place of the bar and the time.
 */
export function grantLine(row: GrantRow, width: number, serviceNow: number): Line {
  const grant = row.read.value;
  const state = grantState(grant, serviceNow);
  const wide = width >= roomForAll;
  const columns = wide ? wideColumns : narrowColumns;
  const amounts = `${formatCompact(grant.spent)}/${formatCompact(grant.limit)}`;
  const excess = Math.max(0, amounts.length - columns.amounts);
  const barWidth = Math.max(0, columns.bar - excess);
  const head = [
    span(row.cursor ? '>'.padEnd(marks) : ' '.repeat(marks)),
    span(column(partyText(row, wide), columns.party)),
    span(`${amounts.padStart(columns.amounts)} `),
  ];
  if (state !== 'active') return [...head, span(state, stateWordToken(state))];
  const bar = spentBar(grant.spent, grant.limit, barWidth);
  return [...head, span(`${bar} `), span(timeLeft(grant, serviceNow).padStart(columns.time))];
}

/** The other side of the grant, told by a word which way the money goes. */
function partyText({ read, caller, book }: GrantRow, wide: boolean): string {
  const grant = read.value;
  const named = (address: string) => nameOf(book, address) ?? shortAddress(address);
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

/** All that is known of a grant; addresses are whole, with their names beside them. */
export function grantDetails(
  read: Read<Grant>,
  caller: string | undefined,
  serviceNow: number,
  book: AddressBook = noNames,
): readonly Line[] {
  const grant = read.value;
  const state = grantState(grant, serviceNow);
  const direction = grantDirection(grant, caller);
  const named = (address: string) => [address, nameOf(book, address) ?? ''].join('  ').trimEnd();
  const you = ' (you)';
  return [
    field('id', grant.id),
    field('grantor', `${named(grant.grantor)}${direction === 'given' ? you : ''}`),
    field('grantee', `${named(grant.grantee)}${direction === 'received' ? you : ''}`),
    [span(column('state', 12), 'quiet'), span(state, stateWordToken(state))],
    field('limit', formatAmount(grant.limit)),
    field(
      'spent',
      `${formatSpent(grant.spent, grant.limit)}  ${spentBar(grant.spent, grant.limit, 20)}`,
    ),
    field(
      'expires',
      state === 'active'
        ? `${grant.expires_at}  in ${timeLeft(grant, serviceNow)}`
        : grant.expires_at,
    ),
    ...moment('created', grant.created_at, serviceNow),
    ...moment('revoked', grant.revoked_at, serviceNow),
    ...unknownFields(read.unknown),
  ];
}
