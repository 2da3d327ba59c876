import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDecimalLiteral } from '../../../source/client/grants.ts';
import { parseAmount } from '../../../source/store/grants/form-reading.ts';

function problemOf(text: string): string {
  const read = parseAmount(text);
  return read.ok ? `read as ${read.digits}` : read.problem;
}

test.each([
  ['50', '50'],
  [' 50 ', '50'],
  ['50.00', '50.00'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['007.50', '7.50'],
  ['0.1', '0.1'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['123456789012345678.123456789012345678', '123456789012345678.123456789012345678'],
])('%j is %s', (text, digits) => {
  expect(parseAmount(text)).toEqual({ ok: true, digits });
});

test.each([
  ['', 'Enter a spending limit'],
  ['0', 'above 0'],
  ['0.000', 'above 0'],
  ['-5', 'above 0'],
  ['0,5', 'Use a point for decimals: 0.5.'],
  ['1,000', "Use a point for decimals: 1.000. Don't separate thousands."],
  ['1,000,000.5', "Use a point for decimals. Don't separate thousands."],
  ['1e-6', 'Write all digits'],
  ['5 USD', 'without a currency'],
  ['$5', 'without a currency'],
  ['1 000', 'Use digits and a point only'],
  ['5.5.5', 'Use digits and a point only'],
  ['.', 'Enter digits'],
  ['٥', 'Use digits and a point only'],
  ['Infinity', 'Use digits and a point only'],
  ['0.1234567890123456789', 'At most 18 decimals, not 19.'],
  ['1234567890123456789', 'At most 18 digits before the point.'],
])('%j is rejected: %s', (text, problem) => {
  expect(problemOf(text)).toContain(problem);
});

const decimal = fc.stringMatching(/^\d{0,20}(\.\d{0,20})?$/);
const anything = fc.oneof(
  decimal,
  fc.string({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE '.split('')), maxLength: 12 }),
);

test('the result is a JSON number with exactly the typed digits', () => {
  fc.assert(
    fc.property(anything, (typed) => {
      const read = parseAmount(typed);
      if (!read.ok) return;
      expect(isDecimalLiteral(read.digits)).toBe(true);
      const significant = (text: string) => {
        const [whole = '', decimals = ''] = text.trim().split('.');
        return [whole.replace(/^0+/, ''), decimals];
      };
      expect(significant(read.digits)).toEqual(significant(typed));
      expect(Number(read.digits)).toBeGreaterThan(0);
    }),
  );
});

test('parsing the result returns the same digits', () => {
  fc.assert(
    fc.property(decimal, (typed) => {
      const read = parseAmount(typed);
      if (read.ok) expect(parseAmount(read.digits)).toEqual(read);
    }),
  );
});
