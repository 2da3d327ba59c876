import type { ErrorCode, ServiceError } from '../../client/http/errors.ts';
import { plainDecimal } from '../../contract/amount.ts';
import { amountTexts, type Grant, type GrantState, limitOf } from '../../contract/grants.ts';
import { shortAddress } from './address.ts';
import { expiryText, utcText } from './expiry.ts';
import type { GrantOrder } from './form-reading.ts';
import { type Grantee, looksLikeAddress } from './grantees.ts';
import type { GrantDirection } from './grants.ts';
import type { Confirmation } from '../prompts/confirm.ts';

const calledBy = ({ name, address }: Grantee): string => name ?? address;

/** What will be true once it is granted. */
export function termsSentences(order: GrantOrder): readonly [string, string] {
  const { grantee, digits, endOfDay } = order;
  const isBare = order.isNew && !looksLikeAddress(grantee.address);
  const who = isBare ? `The wallet address ${grantee.address}` : calledBy(grantee);
  const when = endOfDay ? 'then, the end of that day here' : 'then';
  return [
    `${who} may spend up to ${digits} from your balance until ${when}.`,
    'You can revoke it earlier. It cannot be extended.',
  ];
}

/** What becomes of the grant that a new one is made like. */
export function likeSentence(state: GrantState): string {
  switch (state) {
    case 'active':
      return 'The one before stays as it is: both can be spent.';
    case 'expired':
      return 'The one before has expired for good: this makes a new one.';
    case 'limit reached':
      return 'The one before has reached its limit: this makes a new one.';
    case 'revoked':
      return 'The one before is revoked for good: this makes a new one.';
  }
}

/** Said once it is made. A service that notes another limit than was asked for is told of. */
export function grantedSentence({ grantee, digits }: GrantOrder, made: Grant): string {
  const limit = limitOf(made);
  const noted = limit === plainDecimal(digits) ? '' : ` The service notes a limit of ${limit}.`;
  const expires = Date.parse(made.expires_at);
  const until = Number.isNaN(expires) ? made.expires_at : utcText(expires);
  return `${calledBy(grantee)} may spend up to ${digits} until ${until}.${noted}`;
}

/** Why a grant was not made, or that it is not known whether it was. */
export function ungrantedSentence(error: ServiceError, host: string): string {
  if (error.unknownOutcome) {
    return `${unansweredSentence(error, host)} It may have been made: look at the list before you grant again.`;
  }
  return `${error.sentence} Nothing was granted. ${error.next}${saidText(error)}`;
}

/** The same of revoking one. */
export function unrevokedSentence(error: ServiceError, host: string, who: Grantee): string {
  if (error.unknownOutcome) {
    return `${unansweredSentence(error, host)} The grant to ${calledBy(who)} may be revoked: look at the list, X asks again.`;
  }
  const first = asksInVain.has(error.code) ? `${error.next} ` : '';
  return `${error.sentence} The grant to ${calledBy(who)} was not revoked. ${first}X asks again.${saidText(error)}`;
}

/** Refusals that asking again does not change by itself. */
const asksInVain: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'forbidden', 'rate-limited']);

/** Of a connection that was lost, its error says that something may have happened; here it is said what. */
function unansweredSentence({ status, sentence }: ServiceError, host: string): string {
  return status === undefined ? `No answer from ${host}.` : sentence;
}

function saidText({ said }: ServiceError): string {
  return said === undefined ? '' : ` It says: ${said}`;
}

/** Why a grant is not the caller's to revoke or that there is nothing to revoke; else undefined. */
export function unrevocable(
  grant: Grant,
  state: GrantState,
  direction: GrantDirection,
): string | undefined {
  if (direction === 'received') {
    return `Only its grantor can revoke this grant: ${grant.grantor}.`;
  }
  switch (state) {
    case 'revoked':
      return 'This grant is revoked already.';
    case 'expired':
      return 'This grant has expired: there is nothing left to revoke.';
    case 'active':
    case 'limit reached':
      return undefined;
  }
}

/** Letters that are typed to revoke: the end of the address, where a keyboard has them. */
function typedEnd(address: string): string {
  const end = address.slice(-4);
  return /^[\x21-\x7e]+$/.test(end) ? end : 'revoke';
}

/** Before a grant is revoked. */
export function revokeQuestion(
  grant: Grant,
  direction: GrantDirection,
  grantee: Grantee,
): Omit<Confirmation, 'answer'> {
  const expires = Date.parse(grant.expires_at);
  const until = Number.isNaN(expires) ? grant.expires_at : expiryText(expires);
  const amounts = amountTexts(grant);
  const isOwn = direction === 'given';
  return {
    title: `revoke the grant to ${grantee.name ?? shortAddress(grant.grantee)}?`,
    lines: [
      grant.grantee,
      `${amounts.spent} of ${amounts.limit} spent, until ${until}.`,
      `${grantee.name ?? 'This address'} loses access at once. It cannot be undone.`,
      ...(isOwn ? [] : ['Whether it is yours to revoke is not known: the service decides.']),
      `It spends from ${grant.grantor}${isOwn ? ' (you)' : ''}.`,
    ],
    options: [{ label: 'Cancel' }, { label: 'Revoke', destroys: true }],
    typed: typedEnd(grant.grantee),
    typedIs: 'ending',
    escape: 'cancels',
  };
}

export function revokedSentence(who: Grantee): string {
  return `Revoked the grant to ${calledBy(who)}: no more can be spent of it.`;
}
