import { sameAddress } from './address.ts';
import { type ParsedAmount, parseAmount } from './amount.ts';
import { type ParsedExpiry, parseExpiry } from './expiry.ts';
import type { GrantForm } from './form.ts';
import { type Grantee, type ParsedGrantee, parseGrantee } from './grantees.ts';

/** Data outside the form that its fields are checked against. */
export interface GrantFormContext {
  readonly known: readonly Grantee[];
  readonly caller: string | undefined;
  /** The whole address book. */
  readonly names?: readonly Grantee[];
  /** Current time by the clock of the service, ms since the epoch. */
  readonly now: number;
}

export interface ParsedGrantForm {
  readonly to: ParsedGrantee;
  readonly limit: ParsedAmount;
  readonly until: ParsedExpiry;
}

/** The grant that a complete form requests. */
export interface GrantDraft {
  readonly grantee: Grantee;
  /** True when no known grantee has this address. */
  readonly isNew: boolean;
  readonly digits: string;
  /** ms since the epoch. */
  readonly until: number;
  readonly endOfDay: boolean;
}

export function parseGrantForm(
  { lines, picked }: GrantForm,
  facts: GrantFormContext,
): ParsedGrantForm {
  return {
    to:
      picked === undefined
        ? parseGrantee(lines.to.text, facts.known, facts.caller, facts.names)
        : { ok: true, grantee: picked, isNew: isUnknown(picked, facts.known) },
    limit: parseAmount(lines.limit.text),
    until: parseExpiry(lines.until.text, facts.now),
  };
}

function isUnknown({ address }: Grantee, known: readonly Grantee[]): boolean {
  return !known.some((one) => sameAddress(one.address, address));
}

/** Returns the grant that the fields request; undefined while a field is invalid. */
export function completeGrant({ to, limit, until }: ParsedGrantForm): GrantDraft | undefined {
  if (!to.ok || !limit.ok || !until.ok) return undefined;
  return {
    grantee: to.grantee,
    isNew: to.isNew,
    digits: limit.digits,
    until: until.at,
    endOfDay: until.endOfDay,
  };
}
