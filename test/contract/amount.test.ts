import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAmountDigits,
  exceedsDouble,
  isAtLeast,
  normaliseDecimal,
} from '../../source/contract/amount.ts';

const digitsOf = (amount: bigint, decimals: number) => {
  const text = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const sign = amount < 0n ? '-' : '';
  return decimals === 0
    ? sign + text
    : `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
};
const amounts = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });

describe('a plain decimal', () => {
  it.each([
    ['12.50', '12.5'],
    ['1e-7', '0.0000001'],
    ['1.25E+3', '1250'],
    ['-0.0', '0'],
    ['-0.10', '-0.1'],
    ['007', '7'],
    ['1e21', `1${'0'.repeat(21)}`],
  ])('is the shortest form of %s', (text, plain) => {
    expect(normaliseDecimal(text)).toBe(plain);
  });

  it.each(['', '.5', '5.', '1,5', 'NaN', '1e999', '0x1', ' 1'])('is undefined for %j', (text) => {
    expect(normaliseDecimal(text)).toBeUndefined();
  });

  it('of any double parses to the same double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const plain = normaliseDecimal(String(number)) ?? '';
        expect(plain).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(Number(plain)).toBe(number === 0 ? 0 : number);
        expect(normaliseDecimal(plain)).toBe(plain);
      }),
    );
  });
});

describe('the digits of a number', () => {
  it('have no float noise', () => {
    expect([0.1 + 0.2, 1e-7, 1_000_000, 0, 12.5].map(formatAmountDigits)).toEqual([
      '0.3',
      '0.0000001',
      '1000000',
      '0',
      '12.5',
    ]);
  });

  it('are complete up to the exact digits of a double', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.nat(18), (amount, decimals) => {
        const plain = normaliseDecimal(digitsOf(amount, decimals)) ?? '';
        expect(exceedsDouble(plain)).toBe(false);
        expect(formatAmountDigits(Number(plain))).toBe(plain);
      }),
    );
    expect(exceedsDouble('1.234567890123456')).toBe(true);
    expect(exceedsDouble('0.00123456789012345')).toBe(false);
  });
});

it('plain decimals compare like their amounts', () => {
  fc.assert(
    fc.property(amounts, amounts, fc.nat(20), (left, right, decimals) => {
      const [a = '', b = ''] = [left, right].map((one) =>
        normaliseDecimal(digitsOf(one, decimals)),
      );
      expect(isAtLeast(a, b)).toBe(left >= right);
      expect(isAtLeast(b, a)).toBe(right >= left);
      expect(isAtLeast(a, a)).toBe(true);
    }),
  );
});
