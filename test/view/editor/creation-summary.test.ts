import { expect, test } from 'vitest';
import type { Creation } from '../../../source/view/editor/creation-summary.ts';
import { creationLines, creationTitle } from '../../../source/view/editor/creation-summary.ts';

const serviceNow = Date.parse('2026-11-21T12:00:00Z');
const creation: Creation = {
  definition: {
    name: 'shop',
    services: [
      { name: 'web', count: 2 },
      { name: 'api', count: 1 },
    ],
    pricePerHour: '1.2',
    problems: [],
  },
  problems: [],
  payers: undefined,
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

test('names services, price and payers, each unknown without data', () => {
  expect(creationTitle(creation)).toBe('create shop?');
  expect(creationLines(creation)).toEqual([
    'Services: web (2 instances), api (1 instance).',
    'Price: 1.2 an hour.',
    'Payer: unknown.',
  ]);
  const reading = { name: undefined, services: [], pricePerHour: undefined, problems: [] };
  expect(creationTitle({ ...creation, definition: reading })).toBe('create a deployment?');
  expect(creationLines({ ...creation, definition: reading })).toEqual([
    'No services.',
    'Price: unknown.',
    'Payer: unknown.',
  ]);
  expect(creationLines({ ...creation, definition: undefined })).toEqual([
    'The definition is too long to be checked.',
    'Price: unknown.',
    'Payer: unknown.',
  ]);
});

test('truncates long names and many services', () => {
  const services = Array.from({ length: 30 }, (_, index) => ({ name: `s${index}`, count: 1 }));
  const name = 'x\u001b'.repeat(100);
  const reading = { name, services, pricePerHour: undefined, problems: [] };
  expect(creationTitle({ ...creation, definition: reading }).length).toBeLessThan(50);
  expect(creationTitle({ ...creation, definition: reading })).not.toContain('\u001b');
  expect(creationLines({ ...creation, definition: reading })[0]).toMatch(
    /s7 \(1 instance\) and 22 more\.$/,
  );
});

test('lists problems with their lines', () => {
  const problem = (line: number) => ({ line, column: 1, sentence: `No ${line}.` });
  expect(creationLines({ ...creation, problems: [problem(4), problem(9)] }).at(2)).toBe(
    '2 problems: line 4: No 4; line 9: No 9; the service may refuse it.',
  );
  expect(creationLines({ ...creation, problems: [1, 2, 3, 4].map(problem) }).at(2)).toBe(
    '4 problems: line 1: No 1; line 2: No 2; line 3: No 3; and more; the service may refuse it.',
  );
});

test('lists payers with complete address, remaining amount rounded down, and expiry', () => {
  const paidBy = (count: number) =>
    creationLines({ ...creation, payers: { grants: Array.from({ length: count }, () => grant) } });
  expect(paidBy(0).slice(2)).toEqual(['Paid from your own balance.']);
  expect(paidBy(1).slice(2)).toEqual([
    'Paid from a grant of',
    `  ${grant.grantor}`,
    '    24.999 of 25 left, until 2026-11-28 13:02 UTC (7d)',
    'then from your own balance.',
  ]);
  const book = [{ name: 'Dana', address: grant.grantor.toUpperCase().replace('0X', '0x') }];
  const named = creationLines({ ...creation, addressBook: book, payers: { grants: [grant] } });
  expect(named).toContain(`  Dana ${grant.grantor}`);
  expect(paidBy(5).slice(-2)).toEqual(['  and 2 more', 'then from your own balance.']);
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
    sentence: 'x is no key.',
    isWarning: true,
  });
  const error = { line: 2, column: 1, sentence: 'y is missing.' };
  expect(creationLines({ ...creation, problems: [warning(1), error] }).slice(2, 4)).toEqual([
    '1 problem: line 2: y is missing; the service may refuse it.',
    '1 warning: line 1: x is no key.',
  ]);
  const many = [1, 2, 3, 4].map(warning);
  expect(creationLines({ ...creation, problems: many }).slice(2, 4)).toEqual([
    '4 warnings: line 1: x is no key; line 2: x is no key; line 3: x is no key; and more.',
    'Payer: unknown.',
  ]);
});
