import { sameAddress } from './address.ts';
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

/** Result of parsing an amount: digits for JSON, or the problem with the input. */
type ParsedAmount =
  | { readonly ok: true; readonly digits: string }
  | { readonly ok: false; readonly problem: string };

/** Most digits that services support, including our own host. */
const maxDecimals = 18;
const maxWholeDigits = 18;

const failed = (problem: string): ParsedAmount => ({ ok: false, problem });

/**
 * Parses an amount above 0 digit by digit. It never becomes a double, which could exceed the typed
 * amount. Leading zeros are removed, and a point gets digits on both sides.
 */
export function parseAmount(typed: string): ParsedAmount {
  const text = typed.trim();
  if (text === '') return failed('Enter a spending limit, like 50 or 0.5.');
  if (text.startsWith('-')) return failed('Must be above 0.');
  if (text.includes(',')) return failed(commaProblem(text));
  if (/^[\d.]+e[+-]?\d+$/i.test(text)) return failed('Write all digits, like 0.000001.');
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return failed('Use digits and a point only, without a currency.');
  const [, typedWhole = '', decimals = ''] = match;
  if (typedWhole === '' && decimals === '') return failed('Enter digits.');
  const whole = typedWhole.replace(/^0+(?=\d)/, '') || '0';
  if (whole.length > maxWholeDigits)
    return failed(`At most ${maxWholeDigits} digits before the point.`);
  if (decimals.length > maxDecimals) {
    return failed(`At most ${maxDecimals} decimals, not ${decimals.length}.`);
  }
  if (/^0*$/.test(whole + decimals)) return failed('Must be above 0.');
  return { ok: true, digits: decimals === '' ? whole : `${whole}.${decimals}` };
}

/** Explains a comma, which separates thousands for some people and decimals for others. */
function commaProblem(text: string): string {
  const corrected = text.replace(',', '.');
  return /^\d+,\d+$/.test(text)
    ? `Use a point for decimals: ${corrected}. Don't separate thousands.`
    : "Use a point for decimals. Don't separate thousands.";
}
