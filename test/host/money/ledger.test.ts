import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accrueCost,
  blockMs,
  type Payer,
  splitPayment,
  usageOf,
} from '../../../source/host/money/ledger.ts';

const prices = fc.bigInt({ min: 0n, max: 10n ** 24n });

describe('the cost of running', () => {
  it('adds up to the same total however the time is split', () => {
    fc.assert(
      fc.property(prices, fc.array(fc.nat(100_000), { maxLength: 50 }), (price, pieces) => {
        let carry = 0n;
        let total = 0n;
        for (const piece of pieces) {
          const used = accrueCost(usageOf(price, piece), carry);
          total += used.cost;
          ({ carry } = used);
        }
        const elapsed = pieces.reduce((sum, piece) => sum + piece, 0);
        const whole = accrueCost(usageOf(price, elapsed), 0n);
        expect({ total, carry }).toEqual({ total: whole.cost, carry: whole.carry });
      }),
    );
  });

  it('of a block is its price', () => {
    fc.assert(
      fc.property(prices, (price) => {
        expect(accrueCost(usageOf(price, blockMs), 0n)).toEqual({ cost: price, carry: 0n });
      }),
    );
  });
});

const wallets = fc.constantFrom('a', 'b', 'c');
const small = fc.bigInt({ min: 0n, max: 1000n });
const payers: fc.Arbitrary<Payer> = fc.record({
  wallet: wallets,
  grant: fc.option(fc.record({ id: fc.uuid(), left: small }), { nil: undefined }),
});
const balances = fc.record({ a: small, b: small, c: small });

describe('a settlement', () => {
  it('charges exactly the due amount, and no payer beyond its limit', () => {
    fc.assert(
      fc.property(small, fc.array(payers), balances, (due, all, held) => {
        const table = new Map(Object.entries(held));
        const { payments, unpaid } = splitPayment(due, all, (wallet) => table.get(wallet) ?? 0n);
        const paid = payments.reduce((sum, { amount }) => sum + amount, 0n);
        expect(paid + unpaid).toBe(due);
        for (const [wallet, balance] of table) {
          const taken = payments
            .filter(({ payer }) => payer.wallet === wallet)
            .reduce((sum, { amount }) => sum + amount, 0n);
          expect(taken <= balance).toBe(true);
        }
        for (const { payer, amount } of payments) {
          expect(amount > 0n).toBe(true);
          expect(amount <= (payer.grant?.left ?? amount)).toBe(true);
        }
      }),
    );
  });

  it('charges a payer only for the rest that earlier payers could not pay', () => {
    fc.assert(
      fc.property(small, fc.array(payers), balances, (due, all, held) => {
        const table = new Map(Object.entries(held));
        const { payments, unpaid } = splitPayment(due, all, (wallet) => table.get(wallet) ?? 0n);
        const taken = new Map<string, bigint>();
        for (const payer of all) {
          const payment = payments.find((each) => each.payer === payer);
          const amount = payment?.amount ?? 0n;
          const left = (table.get(payer.wallet) ?? 0n) - (taken.get(payer.wallet) ?? 0n);
          const isLast = payment === payments.at(-1);
          const could =
            payer.grant === undefined || left < payer.grant.left ? left : payer.grant.left;
          if (unpaid > 0n || !isLast) expect([amount, could]).toContain(amount);
          if (unpaid > 0n) expect(amount).toBe(could);
          taken.set(payer.wallet, (taken.get(payer.wallet) ?? 0n) + amount);
        }
      }),
    );
  });
});
