import { expect, test } from 'vitest';
import type { LowDisk } from '../../../source/contract/disk-header.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { findListConditions } from '../../../source/store/alerts/conditions.ts';
import { type AlertRule, missingNames, narrowRules } from '../../../source/store/alerts/rule.ts';
import { type Condition, conditionOf } from '../../../source/store/alerts/condition.ts';
import { parseRules } from '../../support/alert-rules.ts';
import { read } from '../requests.ts';

const crash: AlertRule = {
  when: 'crash',
  action: 'bell',
  deployments: [],
  holdsFor: 0,
  condition: { kind: 'alert', about: 'deployments', alerts: ['crashing', 'failed'] },
};
const rejected: AlertRule = {
  when: 'token rejected',
  action: 'notify',
  deployments: [],
  holdsFor: 0,
  condition: { kind: 'alert', about: 'service', alerts: ['token rejected'] },
};

const unauthorized = {
  code: 'unauthorized',
  operation: 'list deployments',
  sentence: 'Rejected.',
  next: '',
  unknownOutcome: false,
} as const;

const shop = { id: 'd1', name: 'shop', state: 'failed', services: [] };
const jobs = { id: 'd2', state: 'active', services: [{ name: 'job', exitCode: 3 }] };

const lowDisk: AlertRule = {
  when: 'disk low',
  action: 'bell',
  deployments: [],
  holdsFor: 0,
  condition: { kind: 'alert', about: 'service', alerts: ['disk low'] },
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
  const error = isRejected ? unauthorized : undefined;
  const facts = { deployments: { rows, error }, conditions, alerting: ['d2', 'd1'] };
  const found = findListConditions(rules, { ...facts, lowDisk: low, endings: [] });
  return found.map(({ sentence }) => sentence);
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
  expect(sentences([rejected, crash], { low })).toEqual(sentences([crash]));
  expect(sentences([lowDisk], { low })).toEqual(['The disk of the host is low: 310 MiB free.']);
});

test('a grant is told when it ends within the time of the rule', () => {
  const hour = 3_600_000;
  const soon = (hours: number): AlertRule => ({
    ...crash,
    when: `grant<${hours}h`,
    condition: { kind: 'grant', within: hours * hour },
  });
  const endings = [
    { grant: { id: 'a' }, left: 5.5 * hour, text: 'The grant from Dana ends in 5h' },
    { grant: { id: 'b' }, left: 40 * hour, text: 'The grant from Dana ends in 1d' },
  ];
  const facts = { deployments: { rows: [], error: undefined }, conditions: new Map() };
  const found = findListConditions([soon(6), soon(48)], {
    ...facts,
    alerting: [],
    lowDisk: undefined,
    endings,
  });
  expect(found.map(({ rule, sentence, grant }) => [rule.when, sentence, grant?.id])).toEqual([
    ['grant<6h', 'The grant from Dana ends in 5h.', 'a'],
    ['grant<48h', 'The grant from Dana ends in 5h.', 'a'],
    ['grant<48h', 'The grant from Dana ends in 1d.', 'b'],
  ]);
});

test('a watch of some deployments has the rules about these alone', () => {
  const rules = [crash, rejected, lowDisk, { ...crash, deployments: ['shop', 'ledger'] }];
  expect(narrowRules(rules, [shop]).map((rule) => [rule.when, rule.deployments])).toEqual([
    ['crash', ['d1']],
    ['crash', ['d1']],
  ]);
  expect(narrowRules([...parseRules('when: grant<1d'), ...rules], [jobs])).toHaveLength(1);
});

test('a name in rules is missing where no open deployment has it', () => {
  const rules = [{ ...crash, deployments: ['shop', 'd2', 'gone'] }, crash];
  const rows = [shop, jobs, { ...jobs, id: 'd3', name: 'gone', state: 'closed' }];
  expect(
    missingNames(
      rules,
      rows.map((one) => read<Deployment>(one)),
    ),
  ).toEqual(['gone']);
});
