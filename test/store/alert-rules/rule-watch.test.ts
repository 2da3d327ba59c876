import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { Grant } from '../../../source/contract/grants.ts';
import { countWithin, type StepCount } from '../../../source/store/alert-rules/rule-log.ts';
import { type RuleSources, RuleWatch } from '../../../source/store/alert-rules/rule-watch.ts';
import type { AlertRule } from '../../../source/store/alert-rules/rule.ts';
import { conditionOf } from '../../../source/store/attention/condition.ts';
import type { Listing } from '../../../source/store/lists/listing.ts';
import { parseRules } from '../../support/alert-rules.ts';
import { createTestClock } from '../../support/clock.ts';
import { read } from '../requests.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The lists of a service with a deployment, shop, whose state the test decides. */
function openService() {
  const clock = createTestClock();
  const grants = createStore<Listing<Grant>>(() => listing([]));
  const deployments = createStore<Listing<Deployment>>(() => listing([]));
  const attention = createStore(() => ({ conditions: new Map(), alerting: [] as string[] }));
  let isAnswering = true;
  let stored: unknown;
  const sources = {
    clock: { ...clock, serviceNow: () => clock.now() },
    grants,
    deployments,
    attention: { state: attention },
    rateOf: () => undefined,
    wallet: () => '0xme',
    nameOf: (address: string) => (address === '0xpayer' ? 'Dana' : undefined),
    lowDisk: () => undefined,
    isAnswering: () => isAnswering,
  } as unknown as RuleSources;

  function listing<T extends object>(records: readonly T[]): Listing<T> {
    const rows = records.map((one) => read<T>(one));
    return { rows, unlisted: 0, loadedAt: clock.now(), loadingSince: undefined, error: undefined };
  }
  return {
    clock,
    setGrants: (records: readonly Grant[]) => grants.setState(listing(records)),
    setShop: (state: 'failed' | 'active') => {
      const shop = { id: 'd1', name: 'shop', state, services: [] };
      deployments.setState(listing([shop]));
      attention.setState({
        conditions: new Map([['d1', conditionOf(shop, false, undefined)]]),
        alerting: state === 'failed' ? ['d1'] : [],
      });
    },
    setAnswering: (value: boolean) => {
      isAnswering = value;
    },
    watch: (rules: readonly AlertRule[], told: string[] = []) =>
      new RuleWatch(
        rules,
        sources,
        { onAlert: ({ sentence }) => told.push(sentence), onTooSlow: () => {} },
        {
          read: () => stored,
          async write(value) {
            stored = JSON.parse(JSON.stringify(value));
          },
        },
      ),
  };
}

it('a rule on grants finds those that end within its time', async () => {
  const { clock, setGrants, watch } = openService();
  const grant = (id: string, hours: number): Grant => ({
    id,
    grantor: '0xpayer',
    grantee: '0xme',
    limit: 5,
    spent: 0,
    expires_at: new Date(clock.now() + hours * hour).toISOString(),
    created_at: new Date(clock.now()).toISOString(),
  });
  setGrants([grant('a', 5.5), grant('b', 40)]);
  const rules = watch(parseRules('when: grant<6h', 'when: grant<2d'));
  const found = () => rules.listConditions().map((one) => `${one.rule.when}: ${one.sentence}`);
  expect(found()).toEqual([
    'grant<6h: The grant from Dana ends in 5h.',
    'grant<2d: The grant from Dana ends in 5h.',
    'grant<2d: The grant from Dana ends in 1d.',
  ]);
  setGrants([]);
  await clock.advance(10_000);
  expect(found()).toEqual([]);
});

it('a restarted watch repeats nothing, also where its rules are in another order or fewer', async () => {
  const { clock, setShop, watch } = openService();
  setShop('failed');
  const rules = parseRules('when: grant<1d', 'when: crash, for: 7m', 'when: crash, do: notify');
  const run = async (some: readonly AlertRule[], minutes: number) => {
    const told: string[] = [];
    const each = watch(some, told);
    each.start();
    await clock.advance(minutes * minute);
    await each.stop();
    return told.length;
  };
  expect(await run(rules, 8)).toBe(2);
  expect(await run(rules.toReversed(), 20)).toBe(0);
  // A rule that is new is told, and what another watch knows stays.
  expect(await run(parseRules('when: crash'), 1)).toBe(1);
  expect(await run(rules, 20)).toBe(0);
  await clock.advance(hour);
  expect(await run(rules, 8)).toBe(2);
});

it('an episode goes on while the service does not answer', async () => {
  const { clock, setShop, setAnswering, watch } = openService();
  setShop('failed');
  const told: string[] = [];
  const each = watch(parseRules('when: crash'), told);
  each.start();
  setShop('active');
  setAnswering(false);
  await clock.advance(20 * minute);
  setShop('failed');
  setAnswering(true);
  await clock.advance(2000);
  expect(told).toHaveLength(1);
  setShop('active');
  await clock.advance(6 * minute);
  setShop('failed');
  await clock.advance(2000);
  expect(told).toEqual(['shop has failed.', 'shop has failed.']);
  await each.stop();
});

it('lines are counted over any steps like a sliding window', () => {
  const within = 3000;
  const steps = fc.array(
    fc.record({
      elapsed: fc.integer({ min: 0, max: 5000 }),
      count: fc.integer({ min: 0, max: 4 }),
    }),
  );
  fc.assert(
    fc.property(steps, (plan) => {
      let at = 0;
      let counts: readonly StepCount[] = [];
      const all: StepCount[] = [];
      for (const { elapsed, count } of plan) {
        at += elapsed;
        all.push({ at, count });
        counts = countWithin(counts, { at, count }, within);
        expect(counts).toEqual(all.filter((one) => one.at > at - within && one.count > 0));
      }
    }),
  );
});
