import type { Atoms } from '../../contract/decimal.ts';

/** A price is for a block of this length. */
export const blockMs = 6000;

/** Part of an atom that was used but not yet charged, in 1/6000ths: 0 ≤ carry < 6000. */
export type Carry = bigint;

/**
 * What `elapsedMs` (whole milliseconds) of running cost at a price a block, with the remainder
 * that no whole atom covers carried to the next call: over any split of a time the costs add up to
 * the same atom.
 */
export function accrue(
  price: Atoms,
  elapsedMs: number,
  carry: Carry,
): { readonly cost: Atoms; readonly carry: Carry } {
  const used = price * BigInt(elapsedMs) + carry;
  return { cost: used / BigInt(blockMs), carry: used % BigInt(blockMs) };
}

/** Who may be charged: a wallet, up to what is left of a grant when it pays by one. */
export interface Payer {
  readonly wallet: string;
  readonly grant?: { readonly id: string; readonly left: Atoms } | undefined;
}

export interface Payment {
  readonly payer: Payer;
  readonly amount: Atoms;
}

/**
 * Splits `due` over the payers in their order: each pays what its wallet holds and its grant
 * allows, the next one the rest. `unpaid` is what all of them together could not cover. The same
 * wallet may stand behind several payers; its balance is spent only once.
 */
export function settle(
  due: Atoms,
  payers: readonly Payer[],
  balanceOf: (wallet: string) => Atoms,
): { readonly payments: readonly Payment[]; readonly unpaid: Atoms } {
  const payments: Payment[] = [];
  const taken = new Map<string, Atoms>();
  let unpaid = due;
  for (const payer of payers) {
    if (unpaid === 0n) break;
    const before = taken.get(payer.wallet) ?? 0n;
    const held = balanceOf(payer.wallet) - before;
    const allowed = payer.grant === undefined ? held : smaller(held, payer.grant.left);
    const amount = smaller(unpaid, allowed);
    if (amount <= 0n) continue;
    payments.push({ payer, amount });
    taken.set(payer.wallet, before + amount);
    unpaid -= amount;
  }
  return { payments, unpaid };
}

function smaller(a: Atoms, b: Atoms): Atoms {
  return a < b ? a : b;
}
