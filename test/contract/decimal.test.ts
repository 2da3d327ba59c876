import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal, parseDecimal } from '../../source/contract/decimal.ts';

const amounts = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });

describe('a decimal', () => {
  it('parses to the amount that it was formatted from', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(parseDecimal(formatDecimal(amount))).toBe(amount);
      }),
    );
  });

  it.each([
    ['0.1', 10n ** 17n],
    ['1e-18', 1n],
    ['.5', 5n * 10n ** 17n],
    ['12.', 12n * 10n ** 18n],
    ['1E+2', 100n * 10n ** 18n],
    ['-0.5', -5n * 10n ** 17n],
    ['1.500e1', 15n * 10n ** 18n],
  ])('%s is parsed exactly', (text, amount) => {
    expect(parseDecimal(text)).toBe(amount);
  });

  it.each(['', '.', 'e5', '1e', '0x10', '1,5', 'NaN', 'Infinity', '1e-19', '1e301', '1.2.3'])(
    '%j is not a decimal, or too fine',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );
});
