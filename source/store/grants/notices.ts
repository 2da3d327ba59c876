import { keyName } from '../prompts/key-names.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import {
  type Grant,
  type GrantState,
  deriveGrantState,
  limitDecimal,
} from '../../contract/grants.ts';
import { sameAddress, shortAddress } from './address.ts';
import { type AddressBook, addressName } from './address-book.ts';
import { expiryTimes, grantDirection } from './grants.ts';

/** The listed grants at one moment. */
export interface GrantsSnapshot {
  readonly rows: readonly DecodedRecord<Grant>[];
  /** Time by the clock of the service, ms since the epoch. */
  readonly at: number;
}

/** Data besides the grants that notices refer to. */
export interface NoticeContext {
  readonly caller: string | undefined;
  readonly book: AddressBook;
  /** Returns whether this console created or revoked the grant, so that no notice is needed. */
  readonly isOwnChange: (id: string) => boolean;
  /** Names of the caller's deployments that cost money. */
  readonly deployments: readonly string[];
}

export type GrantChange = Exclude<GrantState, 'active'> | 'not listed' | 'received';

/** A change of a grant that was not made by this console. */
export interface GrantNotice {
  readonly id: string;
  readonly turn: GrantChange;
  /** One or more sentences. */
  readonly text: string;
  /** True when deployments may have lost their payer, or one of them. */
  readonly urgent: boolean;
}

/** Returns notices for the changes between two moments, in the order of the list. */
export function grantNotices(
  before: GrantsSnapshot,
  after: GrantsSnapshot,
  around: NoticeContext,
): readonly GrantNotice[] {
  if (before.rows === after.rows && before.at === after.at) return [];
  const expiries = expiryTimes(after.rows);
  const isActive = (grant: Grant, index: number): boolean =>
    deriveGrantState(grant, after.at, expiries[index]) === 'active';
  const notices: GrantNotice[] = [];
  const addNotice = (grant: Grant, turn: GrantChange | undefined, from?: GrantState): void => {
    if (turn === undefined || isSilent(grant, turn, around)) return;
    // The notice about the reached limit has named the risk already.
    const risk = from === 'limit reached' ? '' : riskSentence(grant, turn, after, around);
    const urgent = turn === 'limit reached' || risk !== '';
    const text = [turnSentence(grant, turn, around), risk].join(' ').trimEnd();
    notices.push({ id: grant.id, turn, text, urgent });
  };
  let isSameSequence = before.rows.length === after.rows.length;
  let indexes: ReadonlyMap<string, number> | undefined;
  for (const [row, { value: previous }] of before.rows.entries()) {
    let index: number | undefined = row;
    if (after.rows[row]?.value.id !== previous.id) {
      isSameSequence = false;
      indexes ??= new Map(after.rows.map(({ value }, at) => [value.id, at]));
      index = indexes.get(previous.id);
    }
    const current = index === undefined ? undefined : after.rows[index]?.value;
    // Skip active grants early: most are active, and lists are long.
    if (current !== undefined && isActive(current, index ?? row)) continue;
    const from = deriveGrantState(previous, before.at);
    const turn =
      current === undefined
        ? turnOfMissing(previous, from, after.at)
        : turnTo(current, from, after.at);
    addNotice(current ?? previous, turn, from);
  }
  if (isSameSequence) return notices;
  const known = new Set(before.rows.map(({ value }) => value.id));
  for (const [index, { value: grant }] of after.rows.entries()) {
    if (!known.has(grant.id)) addNotice(grant, isActive(grant, index) ? 'received' : undefined);
  }
  return notices;
}

function turnTo(grant: Grant, from: GrantState, at: number): GrantChange | undefined {
  const state = deriveGrantState(grant, at);
  return state === from || state === 'active' ? undefined : state;
}

/** Returns the change of a grant that is not listed; undefined if it had ended before. */
function turnOfMissing(grant: Grant, from: GrantState, at: number): GrantChange | undefined {
  if (from === 'expired' || from === 'revoked') return undefined;
  return turnTo(grant, from, at) ?? 'not listed';
}

/** Returns whether a change was made by the caller or concerns only others. */
function isSilent(
  grant: Grant,
  turn: GrantChange,
  { caller, isOwnChange }: NoticeContext,
): boolean {
  const direction = grantDirection(grant, caller);
  switch (turn) {
    case 'received':
      return direction !== 'received' || isOwnChange(grant.id);
    case 'revoked':
      // Only the grantor can revoke a grant.
      return direction === 'given' || isOwnChange(grant.id);
    case 'not listed':
      return isOwnChange(grant.id);
    case 'expired':
    case 'limit reached':
      return false;
  }
}

function turnSentence(grant: Grant, turn: GrantChange, { caller, book }: NoticeContext): string {
  const nameAddress = (address: string) => addressName(book, address) ?? shortAddress(address);
  const direction = grantDirection(grant, caller);
  const from = `from ${nameAddress(grant.grantor)}`;
  const which = {
    given: `Grant to ${nameAddress(grant.grantee)}`,
    received: `The grant ${from}`,
    unknown: `The grant ${from} to ${nameAddress(grant.grantee)}`,
  }[direction];
  const hint =
    direction === 'given' ? ` ${keyName('grants.create-like', 'A')} makes a new one.` : '';
  switch (turn) {
    case 'limit reached':
      return `${which} reached its limit of ${limitDecimal(grant)}; spending stopped.${hint}`;
    case 'expired':
      return `${which} expired.${hint}`;
    case 'revoked':
      return `${which} was revoked.`;
    case 'not listed': {
      const why = direction === 'given' ? '' : '; it may have been revoked';
      return `${which} is not listed${why}.`;
    }
    case 'received':
      return `New grant ${from}: up to ${limitDecimal(grant)} until ${grant.expires_at}.`;
  }
}

/**
 * Names the deployments that a received grant may have paid for, and their payer now. The service
 * does not report payers, so only a grant without spending is certain to have paid for nothing.
 */
function riskSentence(
  grant: Grant,
  turn: GrantChange,
  after: GrantsSnapshot,
  around: NoticeContext,
): string {
  const { caller } = around;
  const isAtRisk = turn !== 'received' && grantDirection(grant, caller) === 'received';
  if (!isAtRisk || grant.spent <= 0 || around.deployments.length === 0) return '';
  const hasOther = after.rows.some(
    ({ value }) =>
      value.id !== grant.id &&
      caller !== undefined &&
      sameAddress(value.grantee, caller) &&
      deriveGrantState(value, after.at) === 'active',
  );
  const payer = hasOther ? 'another grant or your own balance' : 'your own balance';
  return `${joinNames(around.deployments)} may be paid by ${payer} now.`;
}

const maxNames = 3;

function joinNames(names: readonly string[]): string {
  const rest = names.length - maxNames;
  const shown = rest > 1 ? [...names.slice(0, maxNames), `${rest} more`] : names;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** Most notices that are shown as sentences; more are counted by kind. */
const maxSentences = 2;

/** Joins the notices of one moment into a text; undefined without notices. */
export function joinNotices(notices: readonly GrantNotice[]): string | undefined {
  const [first] = notices;
  if (first === undefined) return undefined;
  if (notices.length <= maxSentences) return notices.map(({ text }) => text).join(' ');
  const counts = new Map<GrantChange, number>();
  for (const { turn } of notices) counts.set(turn, (counts.get(turn) ?? 0) + 1);
  const parts = [...counts].map(([turn, count]) =>
    turn === 'received' ? `${count} new` : `${count} ${turn}`,
  );
  return `${notices.length} grants changed: ${parts.join(', ')}.`;
}
