import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCount, formatRate, spentBar } from '../../../source/view/text/amount.ts';

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
