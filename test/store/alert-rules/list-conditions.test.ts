import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { LowDisk } from '../../../source/contract/disk-header.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { Grant } from '../../../source/contract/grants.ts';
import { createGrantConditions } from '../../../source/store/alert-rules/grant-conditions.ts';
import { findListConditions } from '../../../source/store/alert-rules/list-conditions.ts';
import type { AlertRule } from '../../../source/store/alert-rules/rule.ts';
import { type Condition, conditionOf } from '../../../source/store/attention/condition.ts';
import type { Listing } from '../../../source/store/lists/listing.ts';
import { createTestClock } from '../../support/clock.ts';
import { read } from '../requests.ts';

const crash: AlertRule = {
  when: 'crash',
  action: 'bell',
  deployments: [],
  condition: { kind: 'alert', scope: 'deployments', alerts: ['crashing', 'failed'] },
};
const rejected: AlertRule = {
  when: 'token rejected',
  action: 'notify',
  deployments: [],
  condition: { kind: 'alert', scope: 'service', alerts: ['token rejected'] },
};

const shop = { id: 'd1', name: 'shop', state: 'failed', services: [] };
const jobs = { id: 'd2', state: 'active', services: [{ name: 'job', exitCode: 3 }] };

const lowDisk: AlertRule = {
  when: 'disk low',
  action: 'bell',
  deployments: [],
  condition: { kind: 'alert', scope: 'service', alerts: ['disk low'] },
};

function sentences(
  rules: readonly AlertRule[],
  { isRejected = false, low }: { isRejected?: boolean; low?: LowDisk } = {},
): readonly string[] {
  const deployments: readonly Deployment[] = [shop, jobs];
  const conditions = new Map<string, Condition>([
    ['d1', conditionOf(shop, false, undefined)],
    ['d2', conditionOf(jobs, true, undefined)],
  ]);
  const rows = deployments.map((deployment) => read<Deployment>(deployment));
  const facts = { rows, conditions, alerting: ['d2', 'd1'], isRejected, lowDisk: low };
  return [...findListConditions(rules, facts).values()].map(({ sentence }) => sentence);
}

test('a rule tells each deployment in its condition, by its name or id', () => {
  expect(sentences([crash])).toEqual(['d2 is crashing: exit 3.', 'shop has failed.']);
  expect(sentences([{ ...crash, deployments: ['shop'] }])).toEqual(['shop has failed.']);
  expect(sentences([{ ...crash, deployments: ['d2'] }])).toEqual(['d2 is crashing: exit 3.']);
  expect(sentences([{ ...crash, deployments: ['ship'] }])).toEqual([]);
});

test('two rules about one deployment are two conditions', () => {
  expect(sentences([crash, { ...crash, deployments: ['shop'] }])).toHaveLength(3);
});

test('a rejected token is told once', () => {
  expect(sentences([rejected])).toEqual([]);
  expect(sentences([rejected], { isRejected: true })).toEqual([
    'The service rejected the token (401).',
  ]);
});

test('a low disk is told with its free space', () => {
  expect(sentences([lowDisk])).toEqual([]);
  const low = { free: 310 * 2 ** 20, kept: 256 * 2 ** 20 };
  expect(sentences([lowDisk], { low })).toEqual(['The disk of the host is low: 310 MiB free.']);
});

test('a grant is told when it ends within the time of the rule', async () => {
  const clock = createTestClock();
  const hour = 3_600_000;
  const grant = (id: string, hours: number): Grant => ({
    id,
    grantor: '0xpayer',
    grantee: '0xme',
    limit: 5,
    spent: 0,
    expires_at: new Date(clock.now() + hours * hour).toISOString(),
    created_at: new Date(clock.now()).toISOString(),
  });
  const grants = createStore<Listing<Grant>>(() => ({
    rows: [grant('a', 5.5), grant('b', 40)].map((one) => read<Grant>(one)),
    unlisted: 0,
    loadedAt: clock.now(),
    loadingSince: undefined,
    error: undefined,
  }));
  const soon = (hours: number): AlertRule => ({
    when: `grant<${hours}h`,
    action: 'bell',
    deployments: [],
    condition: { kind: 'grant', scope: 'grants', within: hours * hour },
  });
  const conditions = createGrantConditions([soon(6), soon(48)], {
    grants,
    rateOf: () => undefined,
    wallet: () => '0xme',
    nameOf: (address) => (address === '0xpayer' ? 'Dana' : undefined),
    clock: { ...clock, serviceNow: () => clock.now() },
  });
  const found = () =>
    [...conditions.find().values()].map(({ rule, sentence }) => `${rule.when}: ${sentence}`);
  expect(found()).toEqual([
    'grant<6h: The grant from Dana ends in 5h.',
    'grant<48h: The grant from Dana ends in 5h.',
    'grant<48h: The grant from Dana ends in 1d.',
  ]);
  grants.setState({ rows: [], loadedAt: clock.now() + 1 });
  await clock.advance(10_000);
  expect(found()).toEqual([]);
});
