import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Atoms, parseDecimal } from '../../../source/contract/decimal.ts';
import { accrue, blockMs } from '../../../source/host/money/ledger.ts';
import { Bank, wallets } from './bank.ts';

/** Ms from one charge to the next: what a kill may leave uncharged. */
const between = 1000;

interface Given {
  readonly id: string;
  readonly grantor: string;
  readonly limit: Atoms;
  readonly expiresAt: number;
  revoked: boolean;
}

interface World {
  readonly bank: Bank;
  readonly ids: string[];
  readonly given: Given[];
  /** Closed ones too. */
  readonly all: { readonly id: string; readonly owner: string; readonly price: Atoms }[];
  deposits: Atoms;
  crashes: number;
}

/** Gives what the checks after it have to know of it. */
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
          return ms >= 2 * between ? 'time passed' : undefined;
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
        ({ bank, given }) => {
          const expiresAt = bank.clock.now() + ms;
          const id = bank.grant(grantor, grantee, limit, ms);
          given.push({ id, grantor, limit, expiresAt, revoked: false });
          return undefined;
        },
    ),
  },
  fc.nat().map(
    (index): Step =>
      ({ bank, given }) => {
        const grant = given[index % (given.length + 1)];
        if (grant === undefined) return undefined;
        bank.grants.revoke(grant.grantor, grant.id);
        grant.revoked = true;
        return undefined;
      },
  ),
  fc.tuple(wallet, amount).map(
    ([address, balance]): Step =>
      (world) => {
        world.deposits += balance - world.bank.wallets.balance(address);
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
  fc.constant<Step>((world) => {
    world.crashes += 1;
    world.bank.crash();
    return undefined;
  }),
);

/** Ms that a deployment has run by what the bank was told of it. */
function ranFor({ bank }: World, id: string): number {
  let since: number | undefined;
  let total = 0;
  for (const { runs, at } of bank.events.filter((event) => event.id === id)) {
    if (since !== undefined) total += at - since;
    since = runs ? at : undefined;
  }
  return since === undefined ? total : total + bank.clock.monotonic() - since;
}

/** What an owner could spend right now, reckoned apart from the program. */
function payable({ bank, given }: World, owner: string): Atoms {
  const byGrantor = new Map<string, Atoms>();
  for (const { id, grantor, limit, expiresAt, revoked } of given) {
    const row = bank.storage.prepare('select grantee from grants where id = ?').get(id);
    if (revoked || expiresAt <= bank.clock.now() || row?.['grantee'] !== owner) continue;
    byGrantor.set(grantor, (byGrantor.get(grantor) ?? 0n) + limit - bank.spent(id));
  }
  let total = bank.wallets.balance(owner);
  for (const [grantor, left] of byGrantor) {
    const held = bank.wallets.balance(grantor);
    // Who gave a grant to himself has his balance counted already.
    if (grantor !== owner) total += held < left ? held : left;
  }
  return total;
}

const sum = (values: readonly Atoms[]) => values.reduce((total, each) => total + each, 0n);

/** What holds whenever one looks. */
function check(world: World, before: ReadonlyMap<string, Atoms>, was: ReturnType<Step>): void {
  const { bank, all, given } = world;
  for (const { id, grantor, limit } of given) {
    const spent = bank.spent(id);
    expect(spent >= (before.get(id) ?? 0n) && spent <= limit, `spent of ${grantor}`).toBe(true);
  }
  for (const { id, owner, price } of all) {
    const { carry, owed } = bank.deployments.account(id);
    const { phase } = bank.deployments.read(id);
    if (phase === 'running') expect(owed).toBe(0n);
    if (phase !== 'suspended' || was !== 'time passed') continue;
    const due = owed + accrue(price, between, carry).cost;
    expect(payable(world, owner) < due, 'suspended with money to go on').toBe(true);
  }
}

it('what wallets and grants lost is what deployments cost, for the time they ran, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), (days) => {
      const bank = new Bank({ a: 9000n, b: 3000n, c: 20n });
      bank.wallets.setBalance('patron', 5000n);
      const world: World = { bank, ids: [], given: [], all: [], deposits: 17_020n, crashes: 0 };
      try {
        for (const step of days) {
          const before = new Map(world.given.map(({ id }) => [id, bank.spent(id)]));
          const over = world.given.filter(
            ({ revoked, expiresAt }) => revoked || expiresAt <= bank.clock.now(),
          );
          check(world, before, step(world));
          // What is set to an earlier time has the grants of that time.
          for (const { id } of over) expect(bank.spent(id)).toBe(before.get(id));
        }
        bank.restart();
        const accounts = world.all.map(({ id }) => bank.deployments.account(id));
        const paid = sum(accounts.map((account) => account.paid));
        const held = sum([...wallets, 'patron'].map((each) => bank.wallets.balance(each)));
        expect(held + paid).toBe(world.deposits);
        const byPatron = world.given.filter(({ grantor }) => grantor === 'patron');
        expect(5000n - bank.wallets.balance('patron')).toBe(
          sum(byPatron.map(({ id }) => bank.spent(id))),
        );
        for (const [index, { id, price }] of world.all.entries()) {
          const account = accounts[index];
          if (account === undefined || price === 0n) continue;
          const used = (account.paid + account.owed) * BigInt(blockMs) + account.carry;
          // Whole milliseconds, none of them twice, and none left out but those a kill took.
          expect(used % price).toBe(0n);
          const charged = Number(used / price);
          const ran = ranFor(world, id);
          expect(charged <= ran && charged >= ran - between * world.crashes).toBe(true);
          if (world.crashes === 0) expect(charged).toBe(ran);
        }
      } finally {
        bank.remove();
      }
    }),
    { numRuns: 40 },
  );
});

it('who cannot pay a second does not run, and what is left of a grant stays for who can', () => {
  const bank = new Bank({ a: 0n, b: 100n });
  try {
    const grant = bank.grant('b', 'a', 5n, 600_000);
    const dear = bank.deploy('a', 6n * 6n);
    bank.clock.advance(5000);
    expect(bank.deployments.read(dear).phase).toBe('suspended');
    expect(bank.spent(grant)).toBe(0n);
    const cheap = bank.deploy('a', 2n * 6n);
    bank.clock.advance(5000);
    // One that runs uses up what is there, to the last unit, and only then is suspended.
    expect(bank.spent(grant)).toBe(5n);
    expect(bank.deployments.read(cheap).phase).toBe('suspended');
    expect(bank.deployments.account(cheap)).toMatchObject({ paid: 5n, owed: 1n });
  } finally {
    bank.remove();
  }
});

it('an amount that is spent is read as it was written', () => {
  const bank = new Bank({ a: 10n ** 30n + 1n });
  try {
    bank.deploy('a', parseDecimal('0.000000000000000007') ?? 0n);
    bank.clock.advance(6000);
    expect(bank.wallets.balance('a')).toBe(10n ** 30n + 1n - 7n);
  } finally {
    bank.remove();
  }
});
