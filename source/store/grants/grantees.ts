import type { DecodedRecord } from '../../client/decode/fields.ts';
import { addressKey, sameAddress } from './address.ts';
import type { Grant } from '../../contract/grants.ts';

/** A possible recipient of a grant. */
export interface Grantee {
  readonly address: string;
  /** Name of the address in the address book. */
  readonly name?: string | undefined;
}

/** Result of parsing a grantee: the grantee, or the problem with the input. */
export type ParsedGrantee =
  | { readonly ok: true; readonly grantee: Grantee; readonly isNew: boolean }
  | { readonly ok: false; readonly problem: string };

const failed = (problem: string): ParsedGrantee => ({ ok: false, problem });

const ownWalletProblem = 'This is your own wallet. It needs no grant.';

/** Limit above the length of the addresses of any chain. */
const maxAddressLength = 256;

/** Text without spaces and invisible characters. */
const addressPattern = /^[^\s\p{C}]+$/u;

type Rows = readonly DecodedRecord<Grant>[];

/** Cache of the known grantees by rows, because each key of the form needs them. */
const knownCache = new WeakMap<
  Rows,
  {
    readonly names: readonly Grantee[];
    readonly caller: string | undefined;
    readonly known: readonly Grantee[];
  }
>();

/**
 * Returns all known grantees: those with a name first, then the parties of the listed grants in
 * order. Each address appears once, the caller's own address never.
 */
export function knownGrantees(
  rows: Rows,
  names: readonly Grantee[],
  caller: string | undefined,
): readonly Grantee[] {
  const cached = knownCache.get(rows);
  if (cached !== undefined && cached.names === names && cached.caller === caller) {
    return cached.known;
  }
  const known = collectGrantees(rows, names, caller);
  knownCache.set(rows, { names, caller, known });
  return known;
}

function collectGrantees(
  rows: Rows,
  names: readonly Grantee[],
  caller: string | undefined,
): readonly Grantee[] {
  const { compare } = new Intl.Collator('en');
  const named = names.toSorted((left, right) => compare(left.name ?? '', right.name ?? ''));
  const parties = rows.flatMap(({ value }) => [
    { address: value.grantee },
    { address: value.grantor },
  ]);
  const keys = new Set(caller === undefined ? [] : [addressKey(caller)]);
  return [...named, ...parties].filter(({ address }) => {
    const key = addressKey(address);
    if (keys.has(key) || !addressPattern.test(address)) return false;
    keys.add(key);
    return true;
  });
}

/** Returns how well a grantee matches the typed text, from 0 (no match) to 3. */
function matchRank({ name, address }: Grantee, typed: string): number {
  if (typed === '') return 1;
  const texts = [address, ...(name === undefined ? [] : [name])].map((text) => text.toLowerCase());
  if (texts.includes(typed)) return 3;
  if (texts.some((text) => text.startsWith(typed))) return 2;
  return texts.some((text) => text.includes(typed)) ? 1 : 0;
}

/** Returns the grantees whose name or address contains the typed text, the best match first. */
export function filterGrantees(known: readonly Grantee[], typed: string): readonly Grantee[] {
  const text = typed.trim().toLowerCase();
  return known
    .map((one) => ({ one, fit: matchRank(one, text) }))
    .filter((each) => each.fit > 0)
    .sort((left, right) => right.fit - left.fit)
    .map(({ one }) => one);
}

/**
 * Resolves a typed name or address to a grantee. An unknown address is allowed and marked as new.
 * @param names all names of the address book, including those that can't receive a grant.
 */
export function parseGrantee(
  typed: string,
  known: readonly Grantee[],
  caller: string | undefined,
  names: readonly Grantee[] = [],
): ParsedGrantee {
  const text = typed.trim();
  if (text === '') return failed('Enter a wallet address or a name from the address book.');
  if (caller !== undefined && sameAddress(text, caller)) {
    return failed(ownWalletProblem);
  }
  const knownGrantee = known.find(({ address }) => sameAddress(address, text));
  if (knownGrantee !== undefined) return { ok: true, grantee: knownGrantee, isNew: false };
  const byName = known.filter(({ name }) => name?.toLowerCase() === text.toLowerCase());
  const [one, ...others] = byName;
  if (others.length > 0) return failed(`${byName.length} addresses have this name. Choose one.`);
  if (one !== undefined) return { ok: true, grantee: one, isNew: false };
  const named = names.find(({ name }) => name?.toLowerCase() === text.toLowerCase());
  if (named !== undefined) return resolveNamed(named, known, caller);
  const problem = addressProblem(text);
  return problem === undefined
    ? { ok: true, grantee: { address: text }, isNew: true }
    : failed(problem);
}

/** Resolves a second name of a known address, or the name of one that can't receive a grant. */
function resolveNamed(
  named: Grantee,
  known: readonly Grantee[],
  caller: string | undefined,
): ParsedGrantee {
  if (known.some(({ address }) => sameAddress(address, named.address))) {
    return { ok: true, grantee: named, isNew: false };
  }
  return caller !== undefined && sameAddress(named.address, caller)
    ? failed(ownWalletProblem)
    : failed('The address book has no valid address for this name.');
}

/** Returns whether a text is certainly an address; any other text may be meant as a name. */
export function isPlainAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text);
}

/** Returns why a text can't be an address; the contract only requires a text. */
function addressProblem(text: string): string | undefined {
  if (/\s/u.test(text)) return 'Unknown name. Addresses have no spaces.';
  if (!addressPattern.test(text)) return 'The address has an invisible character.';
  if (text.length > maxAddressLength)
    return `An address has at most ${maxAddressLength} characters.`;
  const [, digits] = /^0x(.*)$/is.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (!/^[0-9a-f]*$/i.test(digits)) return 'Only hexadecimal digits may follow 0x.';
  return digits.length === 40
    ? undefined
    : `40 hexadecimal digits must follow 0x, not ${digits.length}.`;
}
