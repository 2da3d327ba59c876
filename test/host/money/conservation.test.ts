import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Atoms, parseDecimal } from '../../../source/contract/decimal.ts';
import { accrueCost, blockMs, usageOf } from '../../../source/host/money/ledger.ts';
import { Bank, wallets } from './bank.ts';

/** Milliseconds between charges. */
const chargeIntervalMs = 1000;

interface TestGrant {
  readonly id: string;
  readonly grantor: string;
  readonly limit: Atoms;
  readonly expiresAt: number;
  revoked: boolean;
}

interface World {
  readonly bank: Bank;
  readonly ids: string[];
  readonly grants: TestGrant[];
  /** All deployments, including closed ones. */
  readonly all: { readonly id: string; readonly owner: string; readonly price: Atoms }[];
  deposits: Atoms;
}

/** Performs a step. Returns the kind of step that the following checks must allow for. */
type Step = (world: World) => 'time passed' | 'clock set' | undefined;

const wallet = fc.constantFrom(...wallets);
const amount = fc.bigInt({ min: 0n, max: 4000n });

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.oneof(fc.nat(4000), fc.constantFrom(1, 999, 1000, 1001, 2000)).map(
      (ms): Step =>
        ({ bank }) => {
          bank.clock.advance(ms);
          return ms >= 2 * chargeIntervalMs ? 'time passed' : undefined;
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(wallet, fc.bigInt({ min: 0n, max: 2997n })).map(
      ([owner, price]): Step =>
        ({ bank, ids, all }) => {
          const id = bank.deploy(owner, price);
          ids.push(id);
          all.push({ id, owner, price });
          return undefined;
        },
    ),
  },
  fc.nat().map(
    (index): Step =>
      ({ bank, ids }) => {
        const [id] = ids.splice(index % (ids.length + 1), 1);
        if (id !== undefined) bank.close(id);
        return undefined;
      },
  ),
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...wallets, 'patron'), wallet, amount, fc.nat(15_000)).map(
      ([grantor, grantee, limit, ms]): Step =>
        ({ bank, grants }) => {
          const expiresAt = bank.clock.now() + ms;
          const id = bank.grant(grantor, grantee, limit, ms);
          grants.push({ id, grantor, limit, expiresAt, revoked: false });
          return undefined;
        },
    ),
  },
  fc.nat().map(
    (index): Step =>
      ({ bank, grants }) => {
        const grant = grants[index % (grants.length + 1)];
        if (grant === undefined) return undefined;
        bank.grants.revoke(grant.grantor, grant.id);
        grant.revoked = true;
        return undefined;
      },
  ),
  fc.tuple(wallet, amount).map(
    ([address, balance]): Step =>
      (world) => {
        world.deposits += balance - world.bank.wallets.getBalance(address);
        world.bank.wallets.setBalance(address, balance);
        return undefined;
      },
  ),
  fc.integer({ min: -20_000, max: 20_000 }).map(
    (ms): Step =>
      ({ bank }) => {
        bank.clock.jump(ms);
        return 'clock set';
      },
  ),
  fc.constant<Step>(({ bank }) => {
    bank.restart();
    return undefined;
  }),
  fc.constant<Step>(({ bank }) => {
    bank.crash();
    return undefined;
  }),
);

/** Returns the milliseconds that a deployment has run. */
function ranFor({ bank }: World, id: string): number {
  return bank.runs
    .filter(({ deployment }) => deployment === id)
    .reduce((total, { from, to = bank.clock.monotonic() }) => total + to - from, 0);
}

/** Computes the amount that an owner can spend now, independently of the program. */
function payable({ bank, grants }: World, owner: string): Atoms {
  const byGrantor = new Map<string, Atoms>();
  for (const { id, grantor, limit, expiresAt, revoked } of grants) {
    const row = bank.storage.prepare('select grantee from grants where id = ?').get(id);
    if (revoked || expiresAt <= bank.clock.now() || row?.['grantee'] !== owner) continue;
    byGrantor.set(grantor, (byGrantor.get(grantor) ?? 0n) + limit - bank.spent(id));
  }
  let total = bank.wallets.getBalance(owner);
  for (const [grantor, left] of byGrantor) {
    const balance = bank.wallets.getBalance(grantor);
    // A grant to oneself adds nothing to one's own balance.
    if (grantor !== owner) total += balance < left ? balance : left;
  }
  return total;
}

const sum = (values: readonly Atoms[]) => values.reduce((total, each) => total + each, 0n);

/** Checks the invariants that hold at any time. */
function check(world: World, before: ReadonlyMap<string, Atoms>, was: ReturnType<Step>): void {
  const { bank, all, grants } = world;
  for (const { id, grantor, limit } of grants) {
    const spent = bank.spent(id);
    expect(spent >= (before.get(id) ?? 0n) && spent <= limit, `spent of ${grantor}`).toBe(true);
  }
  for (const { id, owner, price } of all) {
    const { carry, owed } = bank.deployments.getAccount(id);
    const { phase } = bank.deployments.getById(id);
    if (phase === 'running') expect(owed).toBe(0n);
    if (phase !== 'suspended' || was !== 'time passed') continue;
    const others = all
      .filter((each) => each.owner === owner && each.id !== id)
      .filter((each) => bank.deployments.getById(each.id).phase === 'running')
      .map((each) => each.price);
    const second = usageOf(price + sum(others), chargeIntervalMs);
    const due = owed + accrueCost(second, carry).cost;
    expect(payable(world, owner) < due, 'suspended with money to go on').toBe(true);
  }
}

it('wallets and grants lose exactly the cost of the time that deployments ran', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), (days) => {
      const bank = new Bank({ a: 9000n, b: 3000n, c: 20n });
      bank.wallets.setBalance('patron', 5000n);
      const world: World = { bank, ids: [], grants: [], all: [], deposits: 17_020n };
      try {
        for (const step of days) {
          const before = new Map(world.grants.map(({ id }) => [id, bank.spent(id)]));
          const over = world.grants.filter(
            ({ revoked, expiresAt }) => revoked || expiresAt <= bank.clock.now(),
          );
          check(world, before, step(world));
          // A clock set back makes the grants of that time active again.
          for (const { id } of over) expect(bank.spent(id)).toBe(before.get(id));
        }
        bank.restart();
        const accounts = world.all.map(({ id }) => bank.deployments.getAccount(id));
        const paid = sum(accounts.map((account) => account.paid));
        const total = sum([...wallets, 'patron'].map((each) => bank.wallets.getBalance(each)));
        expect(total + paid).toBe(world.deposits);
        const byPatron = world.grants.filter(({ grantor }) => grantor === 'patron');
        expect(5000n - bank.wallets.getBalance('patron')).toBe(
          sum(byPatron.map(({ id }) => bank.spent(id))),
        );
        for (const [index, { id, price }] of world.all.entries()) {
          const account = accounts[index];
          if (account === undefined || price === 0n) continue;
          const used = (account.paid + account.owed) * BigInt(blockMs) + account.carry;
          // Every whole millisecond is charged once.
          expect(used).toBe(usageOf(price, ranFor(world, id)));
        }
      } finally {
        bank.remove();
      }
    }),
    { numRuns: 40 },
  );
});

it('a deployment that cannot pay a second does not run or use up a grant', () => {
  const bank = new Bank({ a: 0n, b: 100n });
  try {
    const grant = bank.grant('b', 'a', 5n, 600_000);
    const dear = bank.deploy('a', 6n * 6n);
    bank.clock.advance(5000);
    expect(bank.deployments.getById(dear).phase).toBe('suspended');
    expect(bank.spent(grant)).toBe(0n);
    const cheap = bank.deploy('a', 2n * 6n);
    bank.clock.advance(5000);
    // A running deployment uses up the money to the last unit before it is suspended.
    expect(bank.spent(grant)).toBe(5n);
    expect(bank.deployments.getById(cheap).phase).toBe('suspended');
    expect(bank.deployments.getAccount(cheap)).toMatchObject({ paid: 5n, owed: 1n });
  } finally {
    bank.remove();
  }
});

it('a stored spent amount is read back exactly', () => {
  const bank = new Bank({ a: 10n ** 30n + 1n });
  try {
    bank.deploy('a', parseDecimal('0.000000000000000007') ?? 0n);
    bank.clock.advance(6000);
    expect(bank.wallets.getBalance('a')).toBe(10n ** 30n + 1n - 7n);
  } finally {
    bank.remove();
  }
});
