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
}

const roomForAll = 60;

/** A row of the list: which way it goes, how much of it is spent, and how long it lasts. */
export function grantLine(row: GrantRow, width: number, serviceNow: number): Line {
  const grant = row.read.value;
  const state = grantState(grant, serviceNow);
  const wide = width >= roomForAll;
  const amounts = `${formatCompact(grant.spent)}/${formatCompact(grant.limit)}`;
  const bar = spentBar(grant.spent, grant.limit, wide ? 18 : 9);
  const time = state === 'active' ? timeLeft(grant, serviceNow) : state;
  return [
    span(`${row.cursor ? '>' : ' '}  `),
    span(column(partyText(grant, row.caller, wide), wide ? 24 : 14)),
    span(wide ? column(amounts, 18) : `${amounts} `),
    // A state word may need the bar's room in a narrow pane; it says what the bar would.
    ...(wide || state === 'active' ? [span(`${bar} `)] : []),
    span(time, stateWordToken(state)),
  ];
}

/** The other side of the grant, told by a word which way the money goes. */
function partyText(grant: Grant, caller: string | undefined, wide: boolean): string {
  switch (grantDirection(grant, caller)) {
    case 'given':
      return `${wide ? 'given to' : 'to'} ${shortAddress(grant.grantee)}`;
    case 'received':
      return `${wide ? 'received from' : 'from'} ${shortAddress(grant.grantor)}`;
    case 'unknown':
      return `${shortAddress(grant.grantor)}>${shortAddress(grant.grantee)}`;
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

/** All that is known of a grant; addresses are whole. */
export function grantDetails(
  read: Read<Grant>,
  caller: string | undefined,
  serviceNow: number,
): readonly Line[] {
  const grant = read.value;
  const state = grantState(grant, serviceNow);
  const direction = grantDirection(grant, caller);
  const you = ' (you)';
  return [
    field('id', grant.id),
    field('grantor', `${grant.grantor}${direction === 'given' ? you : ''}`),
    field('grantee', `${grant.grantee}${direction === 'received' ? you : ''}`),
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
