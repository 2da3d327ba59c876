import type { Read } from '../../client/client.ts';
import { type Grant, type GrantState, grantState, limitOf } from '../../contract/grants.ts';
import { sameAddress, shortAddress } from './address.ts';
import { type AddressBook, nameOf } from './address-book.ts';
import { grantDirection } from './grants.ts';

/** The grants as they were listed at one moment. */
export interface GrantsSeen {
  readonly rows: readonly Read<Grant>[];
  /** Clock of the service, ms. */
  readonly at: number;
}

/** What the sentences speak of besides grants. */
export interface GrantsAround {
  readonly caller: string | undefined;
  readonly book: AddressBook;
  /** Whether this console made or revoked it: the person knows. */
  readonly isOwnChange: (id: string) => boolean;
  /** Names of the caller's deployments that cost money. */
  readonly deployments: readonly string[];
}

export type GrantTurn = Exclude<GrantState, 'active'> | 'no longer listed' | 'received';

/** Something that happened to a grant and was not done here. */
export interface GrantNotice {
  readonly id: string;
  readonly turn: GrantTurn;
  /** A sentence, or several. */
  readonly text: string;
  /** Deployments may have lost what paid for them, or one that pays. */
  readonly urgent: boolean;
}

/** What a person is told when the grants have become others: the turns, in the order of the list. */
export function grantNotices(
  before: GrantsSeen,
  after: GrantsSeen,
  around: GrantsAround,
): readonly GrantNotice[] {
  if (before.rows === after.rows && before.at === after.at) return [];
  const listed = new Map(after.rows.map(({ value }) => [value.id, value]));
  const notices: GrantNotice[] = [];
  const note = (grant: Grant, turn: GrantTurn | undefined, from?: GrantState): void => {
    if (turn === undefined || isSilent(grant, turn, around)) return;
    // It was told of already when the limit was reached.
    const risk = from === 'limit reached' ? '' : riskSentence(grant, turn, after, around);
    const urgent = turn === 'limit reached' || risk !== '';
    const text = [turnSentence(grant, turn, around), risk].join(' ').trimEnd();
    notices.push({ id: grant.id, turn, text, urgent });
  };
  for (const { value: was } of before.rows) {
    const is = listed.get(was.id);
    listed.delete(was.id);
    // Most are, and lists are long.
    if (is !== undefined && grantState(is, after.at) === 'active') continue;
    const from = grantState(was, before.at);
    const turn = is === undefined ? lossOf(was, from, after.at) : turnTo(is, from, after.at);
    note(is ?? was, turn, from);
  }
  for (const grant of listed.values()) {
    note(grant, grantState(grant, after.at) === 'active' ? 'received' : undefined);
  }
  return notices;
}

function turnTo(grant: Grant, from: GrantState, at: number): GrantTurn | undefined {
  const state = grantState(grant, at);
  return state === from || state === 'active' ? undefined : state;
}

/** What became of a grant that is listed no more. What has ended already is no loss. */
function lossOf(grant: Grant, from: GrantState, at: number): GrantTurn | undefined {
  if (from === 'expired' || from === 'revoked') return undefined;
  return turnTo(grant, from, at) ?? 'no longer listed';
}

/** What the caller did, here or elsewhere, and what concerns somebody else. */
function isSilent(grant: Grant, turn: GrantTurn, { caller, isOwnChange }: GrantsAround): boolean {
  const direction = grantDirection(grant, caller);
  switch (turn) {
    case 'received':
      return direction !== 'received' || isOwnChange(grant.id);
    case 'revoked':
      // Only its grantor can have done that.
      return direction === 'given' || isOwnChange(grant.id);
    case 'no longer listed':
      return isOwnChange(grant.id);
    case 'expired':
    case 'limit reached':
      return false;
  }
}

function turnSentence(grant: Grant, turn: GrantTurn, { caller, book }: GrantsAround): string {
  const named = (address: string) => nameOf(book, address) ?? shortAddress(address);
  const direction = grantDirection(grant, caller);
  const from = `from ${named(grant.grantor)}`;
  const which = {
    given: `Grant to ${named(grant.grantee)}`,
    received: `The grant ${from}`,
    unknown: `The grant ${from} to ${named(grant.grantee)}`,
  }[direction];
  const again = direction === 'given' ? ' A makes a new one.' : '';
  switch (turn) {
    case 'limit reached':
      return `${which} reached its limit of ${limitOf(grant)}; spending stopped.${again}`;
    case 'expired':
      return `${which} expired.${again}`;
    case 'revoked':
      return `${which} was revoked.`;
    case 'no longer listed': {
      const why = direction === 'given' ? '' : '; it may have been revoked';
      return `${which} is no longer listed${why}.`;
    }
    case 'received':
      return `New grant ${from}: up to ${limitOf(grant)} until ${grant.expires_at}.`;
  }
}

/**
 * Which deployments a received grant may have paid for, and who may pay now. The service does not
 * say who pays what, so that only a grant of which nothing was spent is sure to have paid nothing.
 */
function riskSentence(
  grant: Grant,
  turn: GrantTurn,
  after: GrantsSeen,
  around: GrantsAround,
): string {
  const { caller } = around;
  const concerned = turn !== 'received' && grantDirection(grant, caller) === 'received';
  if (!concerned || grant.spent <= 0 || around.deployments.length === 0) return '';
  const hasOther = after.rows.some(
    ({ value }) =>
      value.id !== grant.id &&
      caller !== undefined &&
      sameAddress(value.grantee, caller) &&
      grantState(value, after.at) === 'active',
  );
  const payer = hasOther ? 'another grant or your own balance' : 'your own balance';
  return `${listed(around.deployments)} may be paid by ${payer} now.`;
}

const mostNamed = 3;

function listed(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  const shown = rest > 1 ? [...names.slice(0, mostNamed), `${rest} more`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** Sentences that a row has room for; of more, how many there are of each turn. */
const mostSentences = 2;

/** What several notices of one moment say together; undefined for none. */
export function noticesText(notices: readonly GrantNotice[]): string | undefined {
  const [first] = notices;
  if (first === undefined) return undefined;
  if (notices.length <= mostSentences) return notices.map(({ text }) => text).join(' ');
  const counts = new Map<GrantTurn, number>();
  for (const { turn } of notices) counts.set(turn, (counts.get(turn) ?? 0) + 1);
  const parts = [...counts].map(([turn, count]) =>
    turn === 'received' ? `${count} new` : `${count} ${turn}`,
  );
  return `${notices.length} grants changed: ${parts.join(', ')}.`;
}
