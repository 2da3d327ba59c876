import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatMemory,
  formatRate,
  spentBar,
} from '../../../source/view/text/amount.ts';

describe('a rate', () => {
  it('has three digits and never reads 0 when positive', () => {
    expect([0, 1e-9, 0.0251, 12.345, 9999, 10_000, 2.5e6].map(formatRate)).toEqual([
      '0',
      '<0.001',
      '0.0251',
      '12.3',
      '10000',
      '10K',
      '2.5M',
    ]);
  });

  it('reads as the formats of the platform write it', () => {
    const digits = { maximumSignificantDigits: 3 } as const;
    const plain = new Intl.NumberFormat('en-US', { ...digits, useGrouping: false });
    const compact = new Intl.NumberFormat('en-US', { ...digits, notation: 'compact' });
    // The fourth digit is no 5: whether that is rounded up depends on digits far behind it.
    const rates = fc
      .tuple(
        fc.integer({ min: 100, max: 999 }),
        fc.constantFrom(0, 1, 4, 6, 9),
        fc.nat({ max: 16 }),
      )
      .map(([three, fourth, places]) => Number(`${three}${fourth}e${places - 6}`));
    fc.assert(
      fc.property(rates, (rate) => {
        expect(formatRate(rate)).toBe((rate < 10_000 ? plain : compact).format(rate));
      }),
    );
  });
});

describe('an amount of memory', () => {
  it('has the largest unit of which it is one or more', () => {
    const mebibyte = 2 ** 20;
    const sizes = [0, 1, 512, 1536, mebibyte - 1, mebibyte, 1.5 * mebibyte, 3000 * mebibyte];
    expect(sizes.map(formatMemory)).toEqual([
      '0 B',
      '1 B',
      '512 B',
      '1.5 KiB',
      '1024 KiB',
      '1 MiB',
      '1.5 MiB',
      '2.9 GiB',
    ]);
  });
});

describe('the bar of a grant', () => {
  it('is full only at the limit and empty only when nothing is spent', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 200, noNaN: true }),
        fc.double({ min: 0.001, max: 100, noNaN: true }),
        fc.integer({ min: 2, max: 40 }),
        (spent, limit, width) => {
          const bar = spentBar(spent, limit, width);
          expect(bar).toMatch(/^#*-*$/);
          expect(bar).toHaveLength(width);
          expect(!bar.includes('-')).toBe(spent >= limit);
          expect(!bar.includes('#')).toBe(spent === 0);
        },
      ),
    );
    expect(spentBar(50, 50, 5, false)).toBe('####-');
    expect(spentBar(49, 50, 5, true)).toBe('#####');
  });
});

describe('a count', () => {
  it('has thousands separators', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
      }),
    );
  });
});
