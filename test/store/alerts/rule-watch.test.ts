import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { ServiceError } from '../../../source/client/http/errors.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { LowDisk } from '../../../source/contract/disk-header.ts';
import type { Grant } from '../../../source/contract/grants.ts';
import {
  type Episode,
  nextEpisode,
  type RuleSources,
  RuleWatch,
} from '../../../source/store/alerts/rule-watch.ts';
import type { AlertRule } from '../../../source/store/alerts/rule.ts';
import { conditionOf } from '../../../source/store/alerts/condition.ts';
import type { Listing } from '../../../source/store/lists/listing.ts';
import { failure, LogModel } from '../../servers/log-model.ts';
import { parseRules } from '../../support/alert-rules.ts';
import { createTestClock } from '../../support/clock.ts';
import { read } from '../requests.ts';

const minute = 60_000;
const hour = 60 * minute;

const jobs: Deployment = { id: 'd2', state: 'active', services: [{ name: 'job', exitCode: 3 }] };

/** The lists of a service with a deployment, shop, whose state the test decides. */
function openService() {
  const clock = createTestClock();
  const grants = createStore<Listing<Grant>>(() => listing([]));
  const deployments = createStore<Listing<Deployment>>(() => listing([]));
  const attention = createStore(() => ({ conditions: new Map(), alerting: [] as string[] }));
  let isAnswering = true;
  let low: LowDisk | undefined;
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
    lowDisk: () => low,
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
    /** Lets a crash loop follow the failure of shop, and the token and the disk fail as well. */
    setAll: () => {
      const shop = { id: 'd1', name: 'shop', state: 'failed', services: [] };
      deployments.setState({
        ...listing([shop, jobs]),
        error: { code: 'unauthorized' } as ServiceError,
      });
      attention.setState({
        conditions: new Map([
          ['d1', conditionOf(shop, false, undefined)],
          ['d2', conditionOf(jobs, true, undefined)],
        ]),
        alerting: ['d2', 'd1'],
      });
      low = { free: 310 * 2 ** 20, kept: 256 * 2 ** 20 };
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

it('a rule tells each deployment in its condition, by its name or id, and each alert of the service', () => {
  const { setAll, watch } = openService();
  const found = (...rules: readonly string[]) =>
    watch(parseRules(...rules))
      .listConditions()
      .map(({ sentence }) => sentence);
  const rules = ['when: crash', 'when: token rejected', 'when: disk low', 'when: worse'];
  expect(found(...rules)).toEqual([]);
  setAll();
  expect(found(...rules)).toEqual([
    'd2 is crashing: exit 3.',
    'shop has failed.',
    'The service rejected the token (401).',
    'The disk of the host is low: 310 MiB free.',
  ]);
  expect(found('when: crash, deployments: shop')).toEqual(['shop has failed.']);
  expect(found('when: crash, deployments: d2')).toEqual(['d2 is crashing: exit 3.']);
  expect(found('when: crash, deployments: ship')).toEqual([]);
});

/**
 * Returns the looks at which an episode is told: the condition holds at x, and at ! where nothing is known; it
 * doesn't at ., and at ? where nothing is known.
 */
function toldAt(looks: string, seconds: number): readonly number[] {
  let episode: Episode | undefined;
  return Array.from(looks).flatMap((sign, at) => {
    const wasTold = episode?.isTold === true;
    episode = nextEpisode(episode, /[x!]/.test(sign), /[x.]/.test(sign), seconds * 1000);
    return episode?.isTold === true && !wasTold ? [at] : [];
  });
}

const clear = '.'.repeat(300);

it.each([
  ['is told once, at its start', 0, '..xxx', [2]],
  ['goes on through shorter pauses of its condition', 0, `x${clear.slice(1)}x`, [0]],
  ['needs five minutes at a stretch to end', 0, `x${clear.slice(9)}x${clear.slice(9)}.x`, [0]],
  ['ends when its condition has been clear for five minutes', 0, `x${clear}x`, [0, 301]],
  ['does not end while nothing is known', 0, `x${'?'.repeat(400)}x`, [0]],
  ['with a time is told when its condition has held for so long', 3, '.xxxxx', [4]],
  ['with a time waits anew after each break', 3, 'xxx.xxx.xxxx', [11]],
  ['with a time counts no second in which nothing is known', 3, 'xx????xxx', [7]],
  ['with a time counts no second of what was known last', 3, 'xx!!!!xxx', [7]],
  ['with a time goes on while its condition flaps', 3, `xxxx.${'xx.'.repeat(150)}xxxx`, [3]],
  ['that was waited for ends with a break', 3, `xx${clear}xxxx`, [305]],
])('an episode %s', (_, seconds, looks, told) => {
  expect(toldAt(looks, seconds)).toEqual(told);
});

it('each episode is told once, when it has held for its time', () => {
  const stretch = fc
    .tuple(fc.constantFrom('x', '.', '?', '!'), fc.oneof(fc.nat(20), fc.constant(300)))
    .map(([sign, length]) => sign.repeat(length));
  const plans = fc.array(stretch, { maxLength: 5 }).map((some) => some.join(''));
  fc.assert(
    fc.property(plans, fc.nat(12), (looks, seconds) => {
      const expected: number[] = [];
      let isOpen = false;
      for (let at = 0; at < looks.length; at += 1) {
        const past = looks.slice(0, at + 1);
        // Looks since the last break count that are known, and the first.
        const rest = past.slice(past.lastIndexOf('.') + 1).replace(/^\?*[x!]?/, '');
        const held = 1 + rest.replaceAll(/[^x]/g, '').length;
        if ('x!'.includes(past.at(-1) ?? '') && held > seconds && !isOpen) {
          expected.push(at);
          isOpen = true;
        }
        const last = Math.max(past.lastIndexOf('x'), past.lastIndexOf('!'));
        const clearFor = past.slice(last + 1).replaceAll(/[^.]/g, '').length;
        if (clearFor >= 300) isOpen = false;
      }
      expect(toldAt(looks, seconds)).toEqual(expected);
    }),
  );
});

it('a clock that is set ends no episode, and a sleep is no time', async () => {
  const { clock, setShop, watch } = openService();
  const told: string[] = [];
  setShop('failed');
  const each = watch(parseRules('when: crash', 'when: crash, for: 1m'), told);
  each.start();
  for (const jump of [hour, -hour, 1e11]) {
    setShop('active');
    clock.set(clock.now() + jump);
    await clock.advance(1000);
    setShop('failed');
    await clock.advance(1000);
  }
  expect(told).toEqual(['shop has failed.']);
  await each.stop();
});

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

it('a restarted watch does not repeat a silence, which it learns of again after its time', async () => {
  const { clock, setShop, watch } = openService();
  setShop('active');
  const told: string[] = [];
  for (const minutes of [8, 12]) {
    const each = watch(parseRules('when: silent 7m, deployments: shop'), told);
    each.start();
    await clock.advance(minutes * minute);
    await each.stop();
  }
  expect(told).toEqual(['shop has written nothing for 7m.']);
});

it('episodes are stored while they go on, because a watch may be killed', async () => {
  const { clock, setShop, watch } = openService();
  setShop('failed');
  const begin = clock.now();
  watch(parseRules('when: crash')).start();
  await clock.advance(1.5 * minute);
  // Longer ago than an hour is what was stored first.
  clock.set(begin + hour + minute / 2);
  const told: string[] = [];
  watch(parseRules('when: crash'), told).start();
  await clock.advance(1000);
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

it('a rate a second counts the lines of one second', async () => {
  const { clock, write, told } = await openLog('when: "& timeout > 1/s"');
  for (const text of ['timeout 1', 'timeout 2']) {
    write(text);
    await clock.advance(1000);
  }
  expect(told).toEqual([]);
  for (const text of ['timeout 3', 'timeout 4']) write(text);
  await clock.advance(1000);
  expect(told).toEqual(['shop has 2 lines that match "timeout" in 1s. timeout 4']);
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
