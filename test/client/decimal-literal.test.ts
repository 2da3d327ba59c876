import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDecimalLiteral } from '../../source/client/grants.ts';

test('an accepted text is one number in JSON', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789.-+eE, "'.split('')), maxLength: 12 }),
    fc.stringMatching(/^-?\d{1,8}(\.\d{1,8})?$/),
  );
  fc.assert(
    fc.property(text, (written) => {
      if (!isDecimalLiteral(written)) return;
      expect(JSON.parse(`[${written}]`)).toEqual([Number(written)]);
    }),
  );
});

test.each(['0', '50', '-1', '0.000001', '50.00'])('%s is a decimal literal', (text) => {
  expect(isDecimalLiteral(text)).toBe(true);
});

test.each(['', '05', '.5', '5.', '+5', '1e3', '1,5', ' 5', '5\n', '٥'])(
  '%j is not a decimal literal',
  (text) => {
    expect(isDecimalLiteral(text)).toBe(false);
  },
);
