import type { Read } from '../../client/client.ts';
import { addressKey, sameAddress } from './address.ts';
import type { Grant } from './grants.ts';

/** Somebody a grant may go to. */
export interface Grantee {
  readonly address: string;
  /** What the person calls that address. */
  readonly name?: string | undefined;
}

/** Who was meant, or what is wrong with what was typed. */
export type ReadGrantee =
  | { readonly ok: true; readonly grantee: Grantee; readonly isNew: boolean }
  | { readonly ok: false; readonly problem: string };

const wrong = (problem: string): ReadGrantee => ({ ok: false, problem });

const ownWallet = 'That is your own wallet: it needs no grant.';

/** Longer than the addresses of any chain. */
const longestAddress = 256;

/** No blank, and nothing that is not seen. */
const plainAddress = /^[^\s\p{C}]+$/u;

type Rows = readonly Read<Grant>[];

/** The last answer by its rows: each key of the form asks again, and names may be many. */
const last = new WeakMap<
  Rows,
  {
    readonly names: readonly Grantee[];
    readonly caller: string | undefined;
    readonly known: readonly Grantee[];
  }
>();

/**
 * Everybody who is known: those with a name first, then the parties of the listed grants, in their
 * order. Each address once, one's own never.
 */
export function knownGrantees(
  rows: Rows,
  names: readonly Grantee[],
  caller: string | undefined,
): readonly Grantee[] {
  const before = last.get(rows);
  if (before !== undefined && before.names === names && before.caller === caller) {
    return before.known;
  }
  const known = allGrantees(rows, names, caller);
  last.set(rows, { names, caller, known });
  return known;
}

function allGrantees(
  rows: Rows,
  names: readonly Grantee[],
  caller: string | undefined,
): readonly Grantee[] {
  const { compare } = new Intl.Collator('en');
  const named = names.toSorted((left, right) => compare(left.name ?? '', right.name ?? ''));
  const seen = rows.flatMap(({ value }) => [
    { address: value.grantee },
    { address: value.grantor },
  ]);
  const keys = new Set(caller === undefined ? [] : [addressKey(caller)]);
  return [...named, ...seen].filter(({ address }) => {
    const key = addressKey(address);
    if (keys.has(key) || !plainAddress.test(address)) return false;
    keys.add(key);
    return true;
  });
}

/** How well somebody answers to what was typed: 0 is not at all. */
function fit({ name, address }: Grantee, typed: string): number {
  if (typed === '') return 1;
  const texts = [address, ...(name === undefined ? [] : [name])].map((text) => text.toLowerCase());
  if (texts.includes(typed)) return 3;
  if (texts.some((text) => text.startsWith(typed))) return 2;
  return texts.some((text) => text.includes(typed)) ? 1 : 0;
}

/** Those whose name or address has in it what was typed; the best answer first. */
export function narrowGrantees(known: readonly Grantee[], typed: string): readonly Grantee[] {
  const text = typed.trim().toLowerCase();
  return known
    .map((one) => ({ one, fit: fit(one, text) }))
    .filter((each) => each.fit > 0)
    .sort((left, right) => right.fit - left.fit)
    .map(({ one }) => one);
}

/**
 * Who is meant by a name or an address. An address that nobody has yet is allowed, and told.
 * @param names all names there are, also of those who are not known as somebody to grant to.
 */
export function readGrantee(
  typed: string,
  known: readonly Grantee[],
  caller: string | undefined,
  names: readonly Grantee[] = [],
): ReadGrantee {
  const text = typed.trim();
  if (text === '') return wrong('A wallet address, or a name from the address book.');
  if (caller !== undefined && sameAddress(text, caller)) {
    return wrong(ownWallet);
  }
  const byAddress = known.find(({ address }) => sameAddress(address, text));
  if (byAddress !== undefined) return { ok: true, grantee: byAddress, isNew: false };
  const byName = known.filter(({ name }) => name?.toLowerCase() === text.toLowerCase());
  const [one, ...others] = byName;
  if (others.length > 0) return wrong(`${byName.length} addresses have this name: choose one.`);
  if (one !== undefined) return { ok: true, grantee: one, isNew: false };
  const named = names.find(({ name }) => name?.toLowerCase() === text.toLowerCase());
  if (named !== undefined) return readNamed(named, known, caller);
  const problem = addressProblem(text);
  return problem === undefined
    ? { ok: true, grantee: { address: text }, isNew: true }
    : wrong(problem);
}

/** Somebody whose name is not the one that the list knows: another name, or not to be granted to. */
function readNamed(
  named: Grantee,
  known: readonly Grantee[],
  caller: string | undefined,
): ReadGrantee {
  if (known.some(({ address }) => sameAddress(address, named.address))) {
    return { ok: true, grantee: named, isNew: false };
  }
  return caller !== undefined && sameAddress(named.address, caller)
    ? wrong(ownWallet)
    : wrong('The address book has no address for this name that could be one.');
}

/** Whether a text can be nothing but an address. Of others a name may have been meant. */
export function looksLikeAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text);
}

/** What keeps a text from being an address; the contract says no more than that it is text. */
function addressProblem(text: string): string | undefined {
  if (/\s/u.test(text)) return 'No address has blanks, and nobody known has this name.';
  if (!plainAddress.test(text)) return 'It has a character in it that is not seen.';
  if (text.length > longestAddress) return `An address has at most ${longestAddress} characters.`;
  const [, digits] = /^0x(.*)$/is.exec(text) ?? [];
  if (digits === undefined) return undefined;
  if (!/^[0-9a-f]*$/i.test(digits)) return 'Behind 0x stand hexadecimal digits only.';
  return digits.length === 40
    ? undefined
    : `Behind 0x stand 40 hexadecimal digits; these are ${digits.length}.`;
}
