import { keyName } from '../prompts/key-names.ts';
import type { ErrorCode, ServiceError } from '../../client/http/errors.ts';
import { normaliseDecimal } from '../../contract/amount.ts';
import {
  formatGrantAmounts,
  type Grant,
  type GrantState,
  limitDecimal,
} from '../../contract/grants.ts';
import { shortAddress } from './address.ts';
import { expiryText, utcText } from './expiry.ts';
import type { GrantDraft } from './form-reading.ts';
import { type Grantee, isPlainAddress } from './grantees.ts';
import type { GrantDirection } from './grants.ts';
import type { Confirmation } from '../prompts/confirm.ts';

const displayName = ({ name, address }: Grantee): string => name ?? address;

/** Returns the terms of a grant, shown before it is created. */
export function termsSentences(order: GrantDraft): readonly [string, string] {
  const { grantee, digits, endOfDay } = order;
  const isBare = order.isNew && !isPlainAddress(grantee.address);
  const who = isBare ? `The wallet address ${grantee.address}` : displayName(grantee);
  const when = endOfDay ? 'then, the end of that day here' : 'then';
  return [
    `${who} may spend up to ${digits} from your balance until ${when}.`,
    'You can revoke it earlier. It cannot be extended.',
  ];
}

/** Explains the effect of a new grant on the one that it was copied from. */
export function copySentence(state: GrantState): string {
  switch (state) {
    case 'active':
      return 'The old grant stays active. Both can be spent.';
    case 'expired':
      return 'The old grant has expired. This makes a new one.';
    case 'limit reached':
      return 'The old grant has reached its limit. This makes a new one.';
    case 'revoked':
      return 'The old grant was revoked. This makes a new one.';
  }
}

/** Confirms a new grant, and reports a limit that differs from the requested one. */
export function grantedSentence({ grantee, digits }: GrantDraft, made: Grant): string {
  const limit = limitDecimal(made);
  const limitNote =
    limit === normaliseDecimal(digits) ? '' : ` The service recorded a limit of ${limit}.`;
  const expires = Date.parse(made.expires_at);
  const until = Number.isNaN(expires) ? made.expires_at : utcText(expires);
  return `${displayName(grantee)} may spend up to ${digits} until ${until}.${limitNote}`;
}

/** Explains why a grant was not created, or that the outcome is unknown. */
export function grantFailureSentence(error: ServiceError, host: string): string {
  if (error.unknownOutcome) {
    return `${unansweredSentence(error, host)} The grant may have been created. Check the list before you retry.`;
  }
  return `${error.sentence} Nothing was granted. ${error.next}${errorMessageText(error)}`;
}

/** Explains why a grant was not revoked, or that the outcome is unknown. */
export function revokeFailureSentence(error: ServiceError, host: string, who: Grantee): string {
  if (error.unknownOutcome) {
    return `${unansweredSentence(error, host)} The grant to ${displayName(who)} may have been revoked. Check the list. ${keyName('grants.revoke', 'X')}: revoke again.`;
  }
  const first = errorsBeforeRetry.has(error.code) ? `${error.next} ` : '';
  return `${error.sentence} The grant to ${displayName(who)} was not revoked. ${first}${keyName('grants.revoke', 'X')}: revoke again.${errorMessageText(error)}`;
}

/** Errors that need another action before a retry. */
const errorsBeforeRetry: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'forbidden',
  'rate-limited',
]);

/** Returns the error of an unknown outcome; the caller adds the possible outcome. */
function unansweredSentence({ status, sentence }: ServiceError, host: string): string {
  return status === undefined ? `No answer from ${host}.` : sentence;
}

function errorMessageText({ errorMessage }: ServiceError): string {
  return errorMessage === undefined ? '' : ` It says: ${errorMessage}`;
}

/** Returns why a grant can't be revoked; undefined if it can. */
export function revokeObstacle(
  grant: Grant,
  state: GrantState,
  direction: GrantDirection,
): string | undefined {
  if (direction === 'received') {
    return `Only its grantor can revoke this grant: ${grant.grantor}.`;
  }
  switch (state) {
    case 'revoked':
      return 'This grant is already revoked.';
    case 'expired':
      return 'This grant has expired. There is nothing to revoke.';
    case 'active':
    case 'limit reached':
      return undefined;
  }
}

/** Returns the text that confirms a revocation: the end of the address, if it can be typed. */
function confirmationText(address: string): string {
  const end = address.slice(-4);
  return /^[\x21-\x7e]+$/.test(end) ? end : 'revoke';
}

/** Returns the confirmation before a grant is revoked. */
export function revokeQuestion(
  grant: Grant,
  direction: GrantDirection,
  grantee: Grantee,
): Omit<Confirmation, 'answer'> {
  const expires = Date.parse(grant.expires_at);
  const until = Number.isNaN(expires) ? grant.expires_at : expiryText(expires);
  const amounts = formatGrantAmounts(grant);
  const isOwn = direction === 'given';
  return {
    title: `revoke the grant to ${grantee.name ?? shortAddress(grant.grantee)}?`,
    lines: [
      grant.grantee,
      `${amounts.spent} of ${amounts.limit} spent, until ${until}.`,
      `${grantee.name ?? 'This address'} loses access at once. This can't be undone.`,
      ...(isOwn ? [] : ['The service decides whether you may revoke this grant.']),
      `It spends from ${grant.grantor}${isOwn ? ' (you)' : ''}.`,
    ],
    options: [{ label: 'Cancel' }, { label: 'Revoke', destroys: true }],
    typed: confirmationText(grant.grantee),
    typedIs: 'ending',
    escape: 'cancel',
  };
}

export function revokedSentence(who: Grantee): string {
  return `Revoked the grant to ${displayName(who)}. Nothing more can be spent from it.`;
}
