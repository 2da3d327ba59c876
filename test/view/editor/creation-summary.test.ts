import { expect, test } from 'vitest';
import type { Creation } from '../../../source/view/editor/creation-summary.ts';
import { creationLines, creationTitle } from '../../../source/view/editor/creation-summary.ts';

const serviceNow = Date.parse('2026-11-21T12:00:00Z');
const creation: Creation = {
  definition: {
    name: 'shop',
    services: [
      { name: 'web', count: 2, cpu: 0.25, memory: 128 * 2 ** 20 },
      { name: 'api', count: 1 },
    ],
    pricePerHour: '1.2',
    problems: [],
  },
  problems: [],
  isPriced: true,
  payers: undefined,
  rateOf: () => undefined,
  addressBook: [],
  sentAt: undefined,
  now: serviceNow,
  serviceNow,
};
const grant = {
  id: 'g',
  grantor: '0x7e21b8c4d60f93a5527c1e8d4b0a6f39c5d2e817',
  grantee: '0xme',
  limit: 25,
  spent: 0.0004,
  expires_at: '2026-11-28T13:02:11.000Z',
  created_at: '2026-11-01T00:00:00Z',
};

const unknownPayer = { label: 'Payer', values: ['unknown'] };

test('claims no cost on a service that is not known to price deployments', () => {
  expect(creationLines({ ...creation, isPriced: false }).slice(1)).toEqual([
    { label: 'SDL price', values: ['1.2 an hour, 28.8 a day'] },
    unknownPayer,
  ]);
});

test('names services, cost and payers, each unknown without data', () => {
  expect(creationTitle(creation)).toBe('create shop?');
  expect(creationLines(creation)).toEqual([
    { label: 'Services', values: ['web, 2 instances, 0.25 CPU, 128 MiB', 'api, 1 instance'] },
    { label: 'Cost', values: ['1.2 an hour, 28.8 a day'] },
    unknownPayer,
  ]);
  const reading = { name: undefined, services: [], pricePerHour: undefined, problems: [] };
  const unknownCost = { label: 'Cost', values: ['unknown'] };
  expect(creationTitle({ ...creation, definition: reading })).toBe('create a deployment?');
  expect(creationLines({ ...creation, definition: reading })).toEqual([
    { label: 'Services', values: ['none'] },
    unknownCost,
    unknownPayer,
  ]);
  expect(creationLines({ ...creation, definition: undefined })).toEqual([
    'The definition is too long to be checked.',
    unknownCost,
    unknownPayer,
  ]);
});

test('truncates long names and many services', () => {
  const services = Array.from({ length: 30 }, (_, index) => ({ name: `s${index}`, count: 1 }));
  const name = 'x\u001b'.repeat(100);
  const reading = { name, services, pricePerHour: undefined, problems: [] };
  expect(creationTitle({ ...creation, definition: reading }).length).toBeLessThan(50);
  expect(creationTitle({ ...creation, definition: reading })).not.toContain('\u001b');
  const [fact] = creationLines({ ...creation, definition: reading });
  expect(fact).toMatchObject({ label: 'Services' });
  expect(Object(fact).values.slice(-2)).toEqual(['s7, 1 instance', 'and 22 more']);
});

test('lists problems with their lines', () => {
  const problem = (line: number) => ({ line, column: 1, sentence: `No ${line}.` });
  expect(creationLines({ ...creation, problems: [problem(4), problem(9)] }).at(2)).toBe(
    '2 problems; the service may refuse it. Line 4: No 4. Line 9: No 9.',
  );
  expect(creationLines({ ...creation, problems: [1, 2, 3, 4].map(problem) }).at(2)).toBe(
    '4 problems; the service may refuse it. Line 1: No 1. Line 2: No 2. Line 3: No 3. 1 more.',
  );
});

test('lists payers with complete address and remaining amount rounded down', () => {
  const paidBy = (count: number, more: Partial<Creation> = {}) =>
    creationLines({
      ...creation,
      ...more,
      payers: { grants: Array.from({ length: count }, () => grant) },
    }).slice(2);
  const balance = 'your own balance; the service does not show it';
  expect(paidBy(0)).toEqual([{ label: 'Payer', values: [balance] }]);
  expect(paidBy(1)).toEqual([
    {
      label: 'Payer',
      values: ['a grant, 24.999 left, from', grant.grantor, 'lasts at most 20.8h at 1.2/h'],
    },
    { label: 'Then', values: [balance] },
  ]);
  const book = [{ name: 'Dana', address: grant.grantor.toUpperCase().replace('0X', '0x') }];
  expect(paidBy(1, { addressBook: book })[0]).toMatchObject({
    values: [expect.any(String), `Dana ${grant.grantor}`, expect.any(String)],
  });
  expect(paidBy(5).slice(2)).toEqual([
    expect.objectContaining({ label: 'Then' }),
    { label: 'Then', values: ['2 more'] },
    { label: 'Then', values: [balance] },
  ]);
});

test('tells how long a grant lasts, with and without the deployment, or its earlier expiry', () => {
  const ending = (more: Partial<Creation>, of: Partial<typeof grant> = {}) => {
    const payers = { grants: [{ ...grant, spent: 0.6, ...of }] };
    const payer = creationLines({ ...creation, ...more, payers })[2];
    return Object(payer).values[2];
  };
  const rateOf = () => 2.16;
  expect(ending({ rateOf })).toBe('lasts 7.3h at 3.36/h (11.3h without this)');
  expect(ending({ rateOf: () => 0 })).toBe('lasts 20.3h at 1.2/h');
  const unpriced = { name: 'shop', services: [], pricePerHour: undefined, problems: [] };
  expect(ending({ rateOf, definition: unpriced })).toBe('lasts 11.3h without this');
  const expiry = 'until 2026-11-28 13:02 UTC (7d)';
  expect(ending({ definition: unpriced })).toBe(expiry);
  expect(ending({ rateOf }, { limit: 2500 })).toBe(expiry);
  expect(ending({ rateOf }, { expires_at: 'soon' })).toBeUndefined();
});

test('warns that a definition sent without an answer may already exist', () => {
  expect(creationLines({ ...creation, sentAt: serviceNow })[0]).toMatch(
    /^Sent at \d\d:\d\d:\d\d without an answer\. It may already exist\.$/,
  );
  const now = serviceNow + 3 * 86_400_000;
  expect(creationLines({ ...creation, sentAt: serviceNow, now })[0]).toMatch(
    /^Sent on 2026-11-2\d without an answer\. /,
  );
});

test('lists warnings apart from problems', () => {
  const warning = (line: number) => ({
    line,
    column: 1,
    sentence: 'Unknown key x. Did you mean y?',
    isWarning: true,
  });
  const error = { line: 2, column: 1, sentence: 'y is missing.' };
  expect(creationLines({ ...creation, problems: [warning(1), error] }).slice(2, 4)).toEqual([
    '1 problem; the service may refuse it. Line 2: y is missing.',
    '1 warning. Line 1: Unknown key x. Did you mean y?',
  ]);
  const many = [1, 2, 3, 4].map(warning);
  expect(creationLines({ ...creation, problems: many }).slice(2, 4)).toEqual([
    `4 warnings. ${[1, 2, 3].map((line) => `Line ${line}: ${warning(line).sentence}`).join(' ')} 1 more.`,
    unknownPayer,
  ]);
});
