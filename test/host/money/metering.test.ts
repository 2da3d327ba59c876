import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Atoms, parseDecimal } from '../../../source/contract/decimal.ts';
import { blockMs } from '../../../source/host/money/ledger.ts';
import { Bank, wallets } from './bank.ts';

const banks: Bank[] = [];
function openBank(balances?: Readonly<Record<string, Atoms>>): Bank {
  const bank = new Bank(balances);
  banks.push(bank);
  return bank;
}
afterEach(() => {
  for (const bank of banks.splice(0)) bank.remove();
});

/** Returns the price per block for a cost per second. */
const perSecond = (amount: Atoms) => amount * 6n;

describe('a running deployment', () => {
  it('is charged each second to the soonest-expiring grant, the next one, then its creator', () => {
    const bank = openBank({ a: 100n, b: 100n, c: 100n });
    const late = bank.grant('b', 'a', 3n, 90_000);
    const soon = bank.grant('c', 'a', 2n, 60_000);
    bank.deploy('a', perSecond(1n));
    const state = () => [bank.spent(soon), bank.spent(late), bank.wallets.getBalance('a')];
    bank.clock.advance(2000);
    expect(state()).toEqual([2n, 0n, 100n]);
    bank.clock.advance(3000);
    expect(state()).toEqual([2n, 3n, 100n]);
    bank.clock.advance(4000);
    expect(state()).toEqual([2n, 3n, 96n]);
    expect(bank.wallets.getBalance('b')).toBe(97n);
    expect(bank.wallets.getBalance('c')).toBe(98n);
  });

  it('never spends from a grant that is expired, revoked, exhausted or unfunded', () => {
    const bank = openBank({ a: 100n, b: 100n });
    const expiring = bank.grant('b', 'a', 50n, 1500);
    const revoked = bank.grant('b', 'a', 50n, 60_000);
    const unbacked = bank.grant('c', 'a', 50n, 60_000);
    bank.grants.revoke('b', revoked);
    bank.deploy('a', perSecond(1n));
    bank.clock.advance(10_000);
    expect([expiring, revoked, unbacked].map((id) => bank.spent(id))).toEqual([1n, 0n, 0n]);
    expect(bank.wallets.getBalance('a')).toBe(91n);
  });

  it('is suspended only when neither grant nor balance can pay, and resumed within 2 s', () => {
    const bank = openBank({ a: 2n, b: 100n });
    const id = bank.deploy('a', perSecond(1n));
    const phase = () => bank.deployments.getById(id).phase;
    bank.clock.advance(2000);
    expect(phase()).toBe('running');
    bank.clock.advance(1000);
    expect(phase()).toBe('suspended');
    expect(bank.deployments.getAccount(id)).toMatchObject({ owed: 1n, paid: 2n });

    bank.wallets.setBalance('a', 100n);
    bank.clock.advance(2000);
    expect(phase()).toBe('running');

    bank.wallets.setBalance('a', 0n);
    bank.clock.advance(2000);
    expect(phase()).toBe('suspended');
    bank.grant('b', 'a', 50n, 60_000);
    bank.clock.advance(2000);
    expect(phase()).toBe('running');
  });

  it('does not run next to others that use up what pays for all of them', () => {
    const credit = 10n ** 16n;
    const bank = openBank({ a: credit });
    // Alone, each could be paid for ten seconds.
    const ids = Array.from({ length: 500 }, () => bank.deploy('a', perSecond(credit / 10n)));
    const running = () =>
      ids.filter((id) => bank.deployments.getById(id).phase === 'running').length;
    expect(running()).toBe(10);
    bank.clock.advance(1000);
    expect(bank.wallets.getBalance('a')).toBe(0n);
    bank.clock.advance(5000);
    expect(running()).toBe(0);
    // They owe what they ran for, and resume one by one.
    bank.wallets.setBalance('a', credit);
    bank.clock.advance(1000);
    expect(running()).toBeGreaterThan(0);
    expect(running()).toBeLessThanOrEqual(10);
  });

  it('reaches the limit of a grant exactly', () => {
    const bank = openBank({ a: 100n, b: 100n });
    const grant = bank.grant('b', 'a', 10n, 600_000);
    bank.deploy('a', perSecond(3n));
    bank.clock.advance(4000);
    expect(bank.spent(grant)).toBe(10n);
    expect(bank.wallets.getBalance('a')).toBe(98n);
  });

  it('costs nothing while no host runs', () => {
    const bank = openBank({ a: 100n });
    bank.deploy('a', perSecond(1n));
    bank.clock.advance(5000);
    bank.crash();
    expect(bank.wallets.getBalance('a')).toBe(95n);
  });
});

type Step = (bank: Bank, world: World) => void;

interface World {
  readonly ids: string[];
  readonly grants: { readonly id: string; readonly grantor: string }[];
  /** Sum of all balance changes made by the test. */
  deposits: Atoms;
}

const wallet = fc.constantFrom(...wallets);
const amount = fc.bigInt({ min: 0n, max: 5000n });
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.nat(5000).map(
      (ms): Step =>
        (bank) =>
          bank.clock.advance(ms),
    ),
  },
  fc.tuple(wallet, fc.bigInt({ min: 0n, max: 997n })).map(
    ([owner, price]): Step =>
      (bank, { ids }) => {
        ids.push(bank.deploy(owner, price));
      },
  ),
  fc.nat().map(
    (index): Step =>
      (bank, { ids }) => {
        const [id] = ids.splice(index % (ids.length + 1), 1);
        if (id !== undefined) bank.close(id);
      },
  ),
  fc.tuple(wallet, wallet, amount, fc.nat(20_000)).map(
    ([grantor, grantee, limit, ms]): Step =>
      (bank, { grants }) => {
        grants.push({ id: bank.grant(grantor, grantee, limit, ms), grantor });
      },
  ),
  fc.nat().map(
    (index): Step =>
      (bank, { grants }) => {
        const grant = grants[index % (grants.length + 1)];
        if (grant !== undefined) bank.grants.revoke(grant.grantor, grant.id);
      },
  ),
  fc.tuple(wallet, amount).map(
    ([address, balance]): Step =>
      (bank, world) => {
        world.deposits += balance - bank.wallets.getBalance(address);
        bank.wallets.setBalance(address, balance);
      },
  ),
  fc.constant<Step>((bank) => {
    bank.crash();
  }),
);

describe('money', () => {
  it('is conserved: wallets and grants lose exactly what deployments pay and use', () => {
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 40 }), (all) => {
        const bank = openBank({ a: 10_000n, b: 3000n, c: 20n });
        const world: World = { ids: [], grants: [], deposits: 13_020n };
        for (const step of all) step(bank, world);
        bank.metering.charge();

        const rows = bank.storage
          .prepare('select id, price, paid, owed, carry from deployments')
          .all();
        const sum = (values: readonly Atoms[]) => values.reduce((total, each) => total + each, 0n);
        const paid = sum(rows.map((row) => bank.deployments.getAccount(String(row['id'])).paid));
        const total = sum(wallets.map((address) => bank.wallets.getBalance(address)));
        expect(total + paid).toBe(world.deposits);

        const byGrants = sum(world.grants.map(({ id }) => bank.spent(id)));
        expect(byGrants <= paid).toBe(true);
        for (const address of wallets) expect(bank.wallets.getBalance(address) >= 0n).toBe(true);
        for (const row of rows) {
          const { carry, owed } = bank.deployments.getAccount(String(row['id']));
          expect(carry >= 0n && carry < BigInt(blockMs)).toBe(true);
          expect(owed >= 0n).toBe(true);
        }
        for (const { id } of world.grants) {
          const grant = bank.storage.prepare('select spend_limit from grants where id = ?').get(id);
          expect(bank.spent(id) <= (parseDecimal(String(grant?.['spend_limit'])) ?? 0n)).toBe(true);
        }
        bank.remove();
        banks.length = 0;
      }),
      { numRuns: 60 },
    );
  });

  it('for an uninterrupted run is the price times the time', () => {
    const prices = fc.bigInt({ min: 1n, max: 10n ** 20n });
    fc.assert(
      fc.property(prices, fc.array(fc.nat(3000), { maxLength: 10 }), (price, pieces) => {
        const bank = openBank({ a: 10n ** 30n });
        const id = bank.deploy('a', price);
        for (const ms of pieces) bank.clock.advance(ms);
        bank.metering.charge();
        const { paid, carry } = bank.deployments.getAccount(id);
        const elapsed = BigInt(pieces.reduce((total, ms) => total + ms, 0));
        expect(paid * BigInt(blockMs) + carry).toBe(price * elapsed);
        bank.remove();
        banks.length = 0;
      }),
      { numRuns: 20 },
    );
  });
});

describe('a run that the engine of a cluster tells of', () => {
  const runOf = (id: string) => ({ deployment: '', service: 'web', instance: 1, id });

  it('is charged between the times of the engine, however late both are known', () => {
    const bank = openBank({ a: 100n });
    const deployment = bank.deploy('a', perSecond(1n));
    for (const run of bank.live()) bank.exit(run);
    const now = bank.clock.now();
    const end = bank.metering.begin({ ...runOf('late'), deployment }, now - 20_000);
    expect(bank.wallets.getBalance('a')).toBe(80n);
    bank.clock.advance(5000);
    end(now + 3000);
    // A charge is never taken back.
    expect(bank.wallets.getBalance('a')).toBe(75n);
    const soon = bank.metering.begin({ ...runOf('soon'), deployment }, bank.clock.now());
    bank.clock.advance(900);
    soon(bank.clock.now());
    expect(bank.wallets.getBalance('a')).toBe(75n);
  });

  it('is charged once when it ended unseen, and never beyond now', () => {
    const bank = openBank({ a: 100n });
    const deployment = bank.deploy('a', perSecond(1n));
    for (const run of bank.live()) bank.exit(run);
    const now = bank.clock.now();
    const key = { ...runOf('unseen'), deployment };
    for (let time = 0; time < 3; time += 1) {
      bank.metering.chargeEnded(key, now - 60_000, now - 20_000);
    }
    expect(bank.wallets.getBalance('a')).toBe(60n);
    bank.metering.chargeEnded({ ...runOf('ahead'), deployment }, now + 1000, now + 9000);
    expect(bank.wallets.getBalance('a')).toBe(60n);
  });

  it('is written with others at once, also when one of these fails', () => {
    const bank = openBank({ a: 1000n });
    const deployment = bank.deploy('a', perSecond(1n));
    for (const run of bank.live()) bank.exit(run);
    const begun = bank.clock.now();
    const begin = (id: string) => bank.metering.begin({ ...runOf(id), deployment }, begun - 5000);
    bank.metering.together(() => {
      begin('one');
      begin('two')(begun - 3000);
      expect(bank.wallets.getBalance('a')).toBe(1000n);
    });
    expect(bank.wallets.getBalance('a')).toBe(993n);
    expect(() => {
      bank.metering.together(() => {
        begin('three');
        throw new Error('an instance of no known deployment');
      });
    }).toThrow('no known');
    expect(bank.wallets.getBalance('a')).toBe(988n);
    bank.clock.advance(2000);
    expect(bank.wallets.getBalance('a')).toBe(984n);
  });
});
