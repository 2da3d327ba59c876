import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Atoms, parseDecimal } from '../../../source/contract/decimal.ts';
import { blockMs, usageOf } from '../../../source/host/money/ledger.ts';
import type { LeftRun } from '../../../source/host/runtime/runtime.ts';
import { idle, sdlOf } from '../support/temporary-host.ts';
import { Bank, type BankRun, wallets } from './bank.ts';

const hour = 3_600_000;
const day = 24 * hour;
const month = 30 * day;

/** A deployment and the price of each instance of its services for a block. */
interface Priced {
  readonly id: string;
  readonly prices: Readonly<Record<string, Atoms>>;
}

interface World {
  readonly bank: Bank;
  readonly all: Priced[];
  readonly grants: { readonly id: string; readonly grantor: string; readonly limit: Atoms }[];
  deposits: Atoms;
}

type Step = (world: World) => void;

const micros = (amount: string): Atoms => (parseDecimal(amount) ?? 0n) / 1_000_000n;

const wallet = fc.constantFrom(...wallets);
const amounts = fc.constantFrom('0', '0.000000000001', '0.333', '1', '1234.5678', '1e6');
const balances = fc.bigInt({ min: 0n, max: 10n ** 21n });

const pass = fc.oneof(
  fc.nat(3000).map(
    (ms): Step =>
      ({ bank }) =>
        bank.clock.advance(ms),
  ),
  // A busy or stopped host charges late, for the whole time.
  fc.nat(12 * hour).map(
    (ms): Step =>
      ({ bank }) =>
        bank.clock.leap(ms),
  ),
);

const deploy = fc.tuple(wallet, amounts, amounts, fc.integer({ min: 1, max: 3 })).map(
  ([owner, web, worker, count]): Step =>
    ({ bank, all }) => {
      const services = {
        web: { ...idle, amount: web, count },
        worker: { ...idle, amount: worker },
      };
      const id = bank.deploySdl(owner, sdlOf(services));
      all.push({ id, prices: { web: micros(web), worker: micros(worker) } });
    },
);

const crash = fc.nat().map(
  (index): Step =>
    ({ bank }) => {
      const run = bank.live()[index % (bank.live().length + 1)];
      if (run !== undefined) bank.exit(run);
    },
);

const restartInstances = fc.constant<Step>(({ bank }) => {
  for (const { id } of bank.deployments.listOpen()) bank.start(id);
});

const close = fc.nat().map(
  (index): Step =>
    ({ bank, all }) => {
      const id = all[index % (all.length + 1)]?.id;
      if (id !== undefined && bank.deployments.getById(id).phase !== 'closed') bank.close(id);
    },
);

const removeClosed = fc.constant<Step>(({ bank }) => {
  bank.removeClosed();
});

const grant = fc
  .tuple(fc.constantFrom(...wallets, 'patron'), wallet, balances, fc.nat(5 * day))
  .map(
    ([grantor, grantee, limit, ms]): Step =>
      ({ bank, grants }) => {
        grants.push({ id: bank.grant(grantor, grantee, limit, ms), grantor, limit });
      },
  );

const revoke = fc.nat().map(
  (index): Step =>
    ({ bank, grants }) => {
      const each = grants[index % (grants.length + 1)];
      if (each !== undefined) bank.grants.revoke(each.grantor, each.id);
    },
);

const setBalance = fc.tuple(wallet, balances).map(
  ([address, balance]): Step =>
    (world) => {
      world.deposits += balance - world.bank.wallets.getBalance(address);
      world.bank.wallets.setBalance(address, balance);
    },
);

const jump = fc.integer({ min: -3 * day, max: 3 * day }).map(
  (ms): Step =>
    ({ bank }) =>
      bank.clock.jump(ms),
);

type Fate = 'died' | 'survived' | 'end recorded';

/** A kill: how long no host is there, its clock and machine meanwhile, and the fate of the runs. */
const kill = fc
  .record({
    awayMs: fc.nat(6 * hour),
    jumpMs: fc.oneof(fc.constant(0), fc.integer({ min: -day, max: day })),
    isRebooted: fc.boolean(),
    // One of the runs in turn.
    fates: fc.array(fc.constantFrom<Fate>('died', 'survived', 'end recorded'), {
      minLength: 1,
      maxLength: 20,
    }),
    // Percent of the absence after which an engine recorded the end, also by a clock that is off.
    percent: fc.integer({ min: -100, max: 200 }),
  })
  .map(
    ({ awayMs, jumpMs, isRebooted, fates, percent }): Step =>
      ({ bank }) => {
        bank.crash(() => {
          const runs = bank.live().map((run) => ({ run, seen: bank.lastSeen(run) }));
          const since = bank.clock.now();
          bank.clock.leap(awayMs);
          bank.clock.jump(jumpMs);
          // A system without ids of its boots, such as macOS, tells no reboot.
          const hasBootId = bank.boot !== '';
          if (isRebooted && hasBootId) bank.boot = `${bank.boot}, again`;
          return runs.flatMap(({ run, seen }, index): readonly LeftRun[] => {
            const fate = fates[index % fates.length];
            if (fate === 'died') return [];
            const byClock = Math.max(0, bank.clock.now() - seen.at);
            const passed =
              isRebooted || !hasBootId ? byClock : bank.clock.monotonic() - seen.monotonic;
            const endedAt =
              fate === 'survived' ? undefined : since + Math.round((awayMs * percent) / 100);
            const known = endedAt === undefined ? passed : Math.min(passed, endedAt - seen.at);
            run.to = seen.monotonic + Math.max(0, known);
            return [{ id: run.id, endedAt }];
          });
        });
      },
  );

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: pass },
  { weight: 3, arbitrary: deploy },
  { weight: 2, arbitrary: restartInstances },
  { weight: 2, arbitrary: crash },
  close,
  removeClosed,
  { weight: 2, arbitrary: grant },
  revoke,
  setBalance,
  jump,
  { weight: 2, arbitrary: kill },
  fc.constant<Step>(({ bank }) => {
    bank.restart();
  }),
);

const sum = (values: readonly Atoms[]) => values.reduce((total, each) => total + each, 0n);

/** Returns the usage of a deployment by the times of its runs. */
function usageByRuns({ bank }: World, { id, prices }: Priced): Atoms {
  const usageOfRun = ({ service, from, to = bank.clock.monotonic() }: BankRun) =>
    usageOf(prices[service] ?? 0n, to - from);
  return sum(bank.runs.filter(({ deployment }) => deployment === id).map(usageOfRun));
}

/** Returns the usage of a deployment by the records of its runs. */
function usageByRecords({ bank }: World, { id }: Priced): Atoms {
  const number = bank.deployments.getById(id).number;
  const old = ['deployments', 'archived_deployments'].flatMap((table) =>
    bank.storage.prepare(`select run_usage from ${table} where number = ?`).all(number),
  );
  expect(old).toHaveLength(1);
  const runs = bank.storage
    .prepare('select price, ran_ms from charged_runs where deployment = ?')
    .all(id)
    .map((row) => usageOf(parseDecimal(String(row['price'])) ?? 0n, Number(row['ran_ms'])));
  return sum([BigInt(String(old[0]?.['run_usage'])), ...runs]);
}

it.each([
  ['', { boot: 'first boot', numRuns: 20 }],
  [' on a system without ids of its boots', { boot: '', numRuns: 5 }],
])(
  'over a month the bill is the price of the run times, and no amount appears or gets lost%s',
  (_, { boot, numRuns }) => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 30, maxLength: 120 }), (days) => {
        const bank = new Bank({ a: 10n ** 21n, b: 10n ** 18n, c: 20n });
        bank.boot = boot;
        bank.restart();
        bank.wallets.setBalance('patron', 10n ** 20n);
        const deposits = 10n ** 21n + 10n ** 18n + 20n + 10n ** 20n;
        const world: World = { bank, all: [], grants: [], deposits };
        try {
          const end = bank.clock.monotonic() + month;
          for (const step of days) {
            step(world);
            for (const { id, limit } of world.grants) expect(bank.spent(id) <= limit).toBe(true);
          }
          bank.clock.leap(Math.max(0, end - bank.clock.monotonic()));
          bank.restart();
          for (const each of world.all) {
            const { paid, owed, carry } = bank.deployments.getAccount(each.id);
            const billed = (paid + owed) * BigInt(blockMs) + carry;
            expect(billed).toBe(usageByRuns(world, each));
            expect(billed).toBe(usageByRecords(world, each));
          }
          const byId = new Map(bank.runs.map((run) => [run.id, run]));
          for (const row of bank.storage.prepare('select * from charged_runs').all()) {
            const run = byId.get(String(row['run']));
            const isOver = run?.to === undefined ? 0 : 1;
            expect([row['began_at'], row['is_over']]).toEqual([run?.beganAt, isOver]);
            const { from = 0, to = bank.clock.monotonic() } = run ?? {};
            // A free run is recorded at its begin and end only, so a kill may shorten its record.
            if (row['price'] !== '0') expect(row['ran_ms']).toBe(to - from);
          }
          const paid = sum(world.all.map(({ id }) => bank.deployments.getAccount(id).paid));
          const held = [...wallets, 'patron'].map((each) => bank.wallets.getBalance(each));
          expect(sum(held) + paid).toBe(world.deposits);
          const byPatron = world.grants.filter(({ grantor }) => grantor === 'patron');
          const spent = sum(byPatron.map(({ id }) => bank.spent(id)));
          expect(10n ** 20n - bank.wallets.getBalance('patron')).toBe(spent);
        } finally {
          bank.remove();
        }
      }),
      { numRuns },
    );
  },
);
