import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatBytes,
  formatCompact,
  formatCount,
  formatSpent,
  spentBar,
} from '../../source/view/amount.ts';

describe('amounts', () => {
  it('carry no noise of the binary form', () => {
    expect(formatAmount(0.1 + 0.2)).toBe('0.3');
    expect(formatAmount(1e-7)).toBe('0.0000001');
    expect(formatAmount(1_000_000)).toBe('1000000');
  });

  it('spent are never rounded up to a limit that is not reached', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e9, noNaN: true }), (limit) => {
        const spent = limit * (1 - Number.EPSILON);
        fc.pre(spent < limit);
        expect(Number(formatSpent(spent, limit))).toBeLessThan(limit);
      }),
    );
    expect(formatSpent(50, 50)).toBe('50');
  });

  it('in narrow columns are rounded down', () => {
    expect(formatCompact(0.0210093333333333)).toBe('0.021');
    expect(formatCompact(9.9999)).toBe('9.999');
    expect(formatCompact(0.1 + 0.2)).toBe('0.3');
    expect([0, 1e-7, 0.001].map(formatCompact)).toEqual(['0', '<0.001', '0.001']);
  });
});

describe('the bar of a grant', () => {
  it('has its width, is full only at the limit and empty only when nothing is spent', () => {
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
  });
});

describe('sizes', () => {
  it('are in units of a thousand with one decimal', () => {
    expect([0, 812, 999, 1000, 1234, 999_949, 999_950, 5.5e12].map(formatBytes)).toEqual([
      '0 B',
      '812 B',
      '999 B',
      '1.0 kB',
      '1.2 kB',
      '999.9 kB',
      '1.0 MB',
      '5.5 TB',
    ]);
  });
});

describe('a count', () => {
  it('has its thousands separated', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (count) => {
        expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
      }),
    );
  });
});
