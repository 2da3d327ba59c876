import { sameAddress } from './address.ts';
import { type ReadAmount, readAmount } from './amount.ts';
import { type ReadExpiry, readExpiry } from './expiry.ts';
import type { GrantForm } from './form.ts';
import { type Grantee, type ReadGrantee, readGrantee } from './grantees.ts';

/** Data outside the form that its fields are checked against. */
export interface GrantFacts {
  readonly known: readonly Grantee[];
  readonly caller: string | undefined;
  /** The whole address book. */
  readonly names?: readonly Grantee[];
  /** Current time by the clock of the service, ms since the epoch. */
  readonly now: number;
}

export interface GrantReading {
  readonly to: ReadGrantee;
  readonly limit: ReadAmount;
  readonly until: ReadExpiry;
}

/** The grant that a complete form requests. */
export interface GrantOrder {
  readonly grantee: Grantee;
  /** True when no known grantee has this address. */
  readonly isNew: boolean;
  readonly digits: string;
  /** ms since the epoch. */
  readonly until: number;
  readonly endOfDay: boolean;
}

export function readForm({ lines, picked }: GrantForm, facts: GrantFacts): GrantReading {
  return {
    to:
      picked === undefined
        ? readGrantee(lines.to.text, facts.known, facts.caller, facts.names)
        : { ok: true, grantee: picked, isNew: isUnknown(picked, facts.known) },
    limit: readAmount(lines.limit.text),
    until: readExpiry(lines.until.text, facts.now),
  };
}

function isUnknown({ address }: Grantee, known: readonly Grantee[]): boolean {
  return !known.some((one) => sameAddress(one.address, address));
}

/** Returns the grant that the fields request; undefined while a field is invalid. */
export function grantOrder({ to, limit, until }: GrantReading): GrantOrder | undefined {
  if (!to.ok || !limit.ok || !until.ok) return undefined;
  return {
    grantee: to.grantee,
    isNew: to.isNew,
    digits: limit.digits,
    until: until.at,
    endOfDay: until.endOfDay,
  };
}
