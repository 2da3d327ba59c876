import type { Atoms } from '../../contract/decimal.ts';

/** Length of the block that a price covers, in milliseconds. */
export const blockMs = 6000;

/** Running time with its price: price per block times milliseconds, in 1/6000ths of an atom. */
export type Usage = bigint;

/** The used but not yet charged fraction of an atom, in 1/6000ths: 0 ≤ carry < 6000. */
export type Carry = bigint;

/** Returns the usage of running for `elapsedMs` (whole milliseconds) at a price per block. */
export function usageOf(price: Atoms, elapsedMs: number): Usage {
  return price * BigInt(elapsedMs);
}

/**
 * Returns the cost of a usage. The remainder below one atom is carried to the next call, so that the
 * costs of a period add up to the same total however the period is split.
 */
export function accrueCost(
  usage: Usage,
  carry: Carry,
): { readonly cost: Atoms; readonly carry: Carry } {
  const used = usage + carry;
  return { cost: used / BigInt(blockMs), carry: used % BigInt(blockMs) };
}

/** A wallet that can be charged, up to the rest of a grant when it pays through one. */
export interface Payer {
  readonly wallet: string;
  readonly grant?: { readonly id: string; readonly left: Atoms } | undefined;
}

export interface Payment {
  readonly payer: Payer;
  readonly amount: Atoms;
}

/**
 * Splits `due` over the payers in order: each pays what its balance and grant allow, and the next
 * payer the rest. `unpaid` is the amount that no payer covers. Several payers may share a wallet;
 * its balance is spent only once.
 */
export function splitPayment(
  due: Atoms,
  payers: readonly Payer[],
  balanceOf: (wallet: string) => Atoms,
): { readonly payments: readonly Payment[]; readonly unpaid: Atoms } {
  const payments: Payment[] = [];
  const charged = new Map<string, Atoms>();
  let unpaid = due;
  for (const payer of payers) {
    if (unpaid === 0n) break;
    const before = charged.get(payer.wallet) ?? 0n;
    const available = balanceOf(payer.wallet) - before;
    const allowed = payer.grant === undefined ? available : smaller(available, payer.grant.left);
    const amount = smaller(unpaid, allowed);
    if (amount <= 0n) continue;
    payments.push({ payer, amount });
    charged.set(payer.wallet, before + amount);
    unpaid -= amount;
  }
  return { payments, unpaid };
}

function smaller(a: Atoms, b: Atoms): Atoms {
  return a < b ? a : b;
}
