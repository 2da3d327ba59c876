import { expect, test } from 'vitest';
import { completedTerms } from '../../../../source/view/log/terms/term-completion.ts';

const tail = {
  log: { services: () => ['api', 'web', 'worker'] },
  deploymentIds: ['1-1', '2-2', '3-3'],
  namesOf: (member = 0) => [['shop', 'shop-2', 'my ledger'][member] ?? '', `${member}`],
};

test.each([
  ['deployment:', ['deployment:shop', 'deployment:shop-2']],
  ['!deployment:shop-', ['!deployment:shop-2 ']],
  ['level:warn deployment:SHOP-', ['level:warn deployment:SHOP-2 ']],
  ['service:w', ['service:web', 'service:worker']],
  ['service:a', ['service:api ']],
  ['level:w', ['level:warn ']],
  ['deployment:x', []],
  ['deployment:shop error', []],
  ['error', []],
  ['', []],
])('%j is completed to %j', (query, completions) => {
  expect(completedTerms(tail, query)).toEqual(completions);
});
