import { expect, test } from 'vitest';
import { missingNames, narrowRules } from '../../../source/store/alerts/rule.ts';
import { parseRules } from '../../support/alert-rules.ts';
import { read } from '../requests.ts';

const shop = { id: 'd1', name: 'shop', state: 'failed', services: [] };
const jobs = { id: 'd2', state: 'active', services: [] };

test('a watch of some deployments has the rules about these alone', () => {
  const rules = parseRules(
    'when: crash',
    'when: token rejected',
    'when: disk low',
    'when: grant<1d',
    'when: silent 5m, deployments: [shop, ledger]',
  );
  expect(narrowRules(rules, [shop]).map((rule) => [rule.when, rule.deployments])).toEqual([
    ['crash', ['d1']],
    ['silent 5m', ['d1']],
  ]);
  expect(narrowRules(rules, [jobs])).toHaveLength(1);
});

test('a name in rules is missing where no open deployment has it', () => {
  const rules = parseRules('when: crash, deployments: [shop, d2, gone]', 'when: crash');
  const rows = [shop, jobs, { ...jobs, id: 'd3', name: 'gone', state: 'closed' }].map(read);
  expect(missingNames(rules, rows)).toEqual(['gone']);
});
