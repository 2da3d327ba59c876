import { addressName } from '../../store/grants/address-book.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { deriveGrantState, formatGrantAmounts, type Grant } from '../../contract/grants.ts';
import { formatAge } from '../../store/time/age.ts';
import { formatRate } from '../text/amount.ts';
import { type DetailRow, field, moment, unknownFields } from '../text/detail-rows.ts';
import { grantBar, grantStateToken, predictedEnd, type ShownGrant, timeLeft } from './rows.ts';

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
    field('state', state, state, grantStateToken(state)),
    field('limit', amounts.limit),
    field('spent', amounts.spent, `${amounts.spent}  ${grantBar(grant, 20)}`),
    ...(state === 'active' ? [field('rate', rateText(grant, rate, serviceNow))] : []),
    field(
      'expires',
      grant.expires_at,
      state === 'active' && !Number.isNaN(Date.parse(grant.expires_at))
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
  const end = predictedEnd(grant, rate, now);
  if (rate === undefined || end === undefined) return 'not known yet';
  if (rate === 0) return '0 an hour';
  const speed = `${formatRate(rate)} an hour`;
  if (end.by === 'expiry') return `${speed}, expires before it runs out`;
  return `${speed}, runs out in ${formatAge((end.at ?? now) - now)}, before it expires`;
}
