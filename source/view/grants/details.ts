import { addressName } from '../../store/grants/address-book.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { deriveGrantState, formatGrantAmounts, type Grant } from '../../contract/grants.ts';
import { formatAge } from '../../store/time/age.ts';
import { formatRate } from '../text/amount.ts';
import {
  type DetailRow,
  field,
  fieldLine,
  moment,
  timeRow,
  unknownFields,
} from '../text/detail-rows.ts';
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
    ...(state === 'active' ? [rateRow(grant, rate, serviceNow)] : []),
    state === 'active' && !Number.isNaN(Date.parse(grant.expires_at))
      ? timeRow('expires', grant.expires_at, `in ${timeLeft(grant, serviceNow)}`)
      : field('expires', grant.expires_at),
    ...moment('created', grant.created_at, serviceNow),
    ...moment('revoked', grant.revoked_at, serviceNow),
    ...unknownFields(read.unknown),
  ];
}

/** Returns the row of the spending per hour, and whether the limit or the expiry comes first. */
function rateRow(grant: Grant, rate: number | undefined, now: number): DetailRow {
  const end = predictedEnd(grant, rate, now);
  if (rate === undefined || end === undefined) return field('rate', 'not known yet');
  if (rate === 0) return field('rate', '0 an hour');
  const speed = formatRate(rate);
  if (end.by === 'expiry') {
    const shown = `${speed} an hour, expires before it runs out`;
    return { ...field('rate', shown), short: fieldLine('rate', `${speed}/h, expires before`) };
  }
  const left = `runs out in ${formatAge((end.at ?? now) - now)}`;
  const shown = `${speed} an hour, ${left}, before it expires`;
  return { ...field('rate', shown), short: fieldLine('rate', `${speed}/h, ${left}`) };
}
