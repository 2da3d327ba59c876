import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { Grant } from '../../../source/contract/grants.ts';
import { countWithin, type StepCount } from '../../../source/store/alerts/rule-log.ts';
import { type RuleSources, RuleWatch } from '../../../source/store/alerts/rule-watch.ts';
import type { AlertRule } from '../../../source/store/alerts/rule.ts';
import { conditionOf } from '../../../source/store/alerts/condition.ts';
import type { Listing } from '../../../source/store/lists/listing.ts';
import { failure, LogModel } from '../../servers/log-model.ts';
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
  const log = new LogModel();
  const sources = {
    clock: { ...clock, serviceNow: () => clock.now(), guard: () => ({ ok: false }) },
    client: log,
    random: () => 0,
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
    log,
    write: (logLine: string, line: { readonly stream?: string; readonly age?: number } = {}) => {
      const { age = 0, ...fields } = line;
      const timestamp = new Date(clock.now() - age).toISOString();
      log.write({ logLine, timestamp, ...fields });
    },
    setGrants: (records: readonly Grant[]) => grants.setState(listing(records)),
    setShop: (state: 'failed' | 'active' | 'closed') => {
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
        {
          onAlert: ({ sentence, line }) =>
            told.push(sentence + (line === undefined ? '' : ` ${line}`)),
          onTooSlow: ({ when }) => told.push(`${when} is too slow.`),
        },
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
  // An episode that has ended is not remembered.
  setShop('active');
  expect(await run(rules, 6)).toBe(0);
  setShop('failed');
  expect(await run(rules, 8)).toBe(2);
  await clock.advance(hour);
  expect(await run(rules, 8)).toBe(2);
});

it('episodes are stored while they go on, because a watch may be killed', async () => {
  const { clock, setShop, watch } = openService();
  setShop('failed');
  watch(parseRules('when: crash')).start();
  await clock.advance(50 * minute);
  const told: string[] = [];
  watch(parseRules('when: crash'), told).start();
  await clock.advance(20 * minute);
  expect(told).toEqual([]);
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

/** Opens a service whose log some rules read, and starts their watch. */
async function openLog(...rules: readonly string[]) {
  const service = openService();
  const told: string[] = [];
  service.setShop('active');
  service.write('error: timeout, long ago', { age: 10 * minute });
  const about = rules.map((rule) => `${rule}, deployments: shop`);
  const rulesOfLog = service.watch(parseRules(...about), told);
  rulesOfLog.start();
  await service.clock.advance(1000);
  onTestFinished(() => rulesOfLog.stop());
  return { ...service, told };
}

it('a rule on lines counts those of its time that match its filter', async () => {
  const rule = 'when: "& deployment:sh timeout > 2/min"';
  const { clock, write, told } = await openLog(rule, 'when: errors>0/h', 'when: "& service:x"');
  for (const text of ['timeout 1', 'timeout 2', 'fine']) write(text);
  await clock.advance(2 * minute);
  write('timeout 3');
  // A line that comes late counts at its own time.
  write('timeout 4', { age: 1.5 * minute });
  await clock.advance(1000);
  expect(told).toEqual([]);
  for (const text of ['timeout 5', 'timeout 6', 'error: lost']) write(text);
  await clock.advance(1000);
  expect(told).toEqual([
    'shop has 3 lines that match "deployment:sh timeout" in 1m. timeout 6',
    'shop has 1 error in 1h. error: lost',
  ]);
});

it('a rule with a time waits until lines have come for so long', async () => {
  const { clock, write, told } = await openLog('when: "& timeout", for: 2m');
  write('timeout 1');
  await clock.advance(2 * minute);
  for (const text of ['timeout 2', 'timeout 3', 'timeout 4']) {
    expect(told).toEqual([]);
    write(text);
    await clock.advance(55_000);
  }
  expect(told).toEqual(['shop has a line that matches "timeout". timeout 4']);
});

it('a silence counts no events of the host, and no time without a connection', async () => {
  const { clock, write, told, log } = await openLog('when: silent 5m');
  await clock.advance(4 * minute);
  write('fine');
  await clock.advance(2 * minute);
  write('started', { stream: 'system' });
  await clock.advance(1000);
  log.streamFails = failure('disconnected');
  log.httpFails = failure('disconnected');
  log.cut();
  await clock.advance(hour);
  expect(told).toEqual([]);
  log.streamFails = undefined;
  log.httpFails = undefined;
  await clock.advance(2 * minute);
  expect(told).toEqual([]);
  await clock.advance(2 * minute);
  expect(told).toEqual(['shop has written nothing for 5m.']);
});

it('a line that comes as its connection is lost ends a silence', async () => {
  const { clock, write, told, log } = await openLog('when: silent 5m');
  await clock.advance(4 * minute);
  write('fine');
  log.streamFails = failure('disconnected');
  log.httpFails = failure('disconnected');
  log.cut();
  await clock.advance(1000);
  log.streamFails = undefined;
  log.httpFails = undefined;
  await clock.advance(4 * minute);
  expect(told).toEqual([]);
});

it('an expression that takes too long is off, and the log of a closed deployment is left', async () => {
  const { clock, write, told, log, setShop } = await openLog('when: "pattern: (a+)+b"');
  write('aab');
  write('aab');
  await clock.advance(1000);
  expect(told).toEqual(['pattern: (a+)+b is too slow.']);
  expect(log.streams).toBe(1);
  setShop('closed');
  await clock.advance(1000);
  expect(log.streams).toBe(0);
});

it('lines are counted over any steps like a sliding window', () => {
  const within = 3000;
  const steps = fc.array(
    fc.record({
      elapsed: fc.integer({ min: 0, max: 5 }).map((seconds) => seconds * 1000),
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
