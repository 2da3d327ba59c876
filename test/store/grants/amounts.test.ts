import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactAmounts } from '../../../source/store/grants/amounts.ts';
import { formatGrantAmounts, type Grant, isLimitReached } from '../../../source/contract/grants.ts';

const grant = (spent: number, limit: number, more: Partial<Grant> = {}): Grant => ({
  id: '1',
  grantor: 'a',
  grantee: 'b',
  limit,
  spent,
  expires_at: 'never',
  created_at: '2026-01-01T00:00:00Z',
  ...more,
});

const room = 20;

describe('amounts in a column', () => {
  it.each<[number, number, string]>([
    [12.5, 50, '12.5/50'],
    [0, 50, '0/50'],
    [50, 50, '50/50'],
    [0.021_009_333, 9.9999, '0.021/9.999'],
    [0.1 + 0.2, 10, '0.3/10'],
    [1e-7, 10, '<0.001/10'],
    [49.9999, 49.999_95, '<49.999/49.999'],
    [0.000_12, 0.0005, '0.00012/0.0005'],
    [1e-9, 0.0005, '<0.00001/0.0005'],
  ])('of %d and %d are %s', (spent, limit, text) => {
    expect(compactAmounts(grant(spent, limit), room)).toBe(text);
  });

  it('drop decimals that do not fit', () => {
    expect(compactAmounts(grant(12_345.678, 99_999.999), 19)).toBe('12345.678/99999.999');
    expect(compactAmounts(grant(12_345.678, 99_999.999), 18)).toBe('12345.67/99999.99');
    expect(compactAmounts(grant(0.4, 99_999.999), 5)).toBe('<1/99999');
  });

  it('keep the decimals of a small limit in a narrow column', () => {
    expect(compactAmounts(grant(0, 0.0009999999999999996), 5)).toBe('0/0.001');
  });

  it('never reach or exceed a limit that is not reached, and never show 0 for a positive amount', () => {
    const amount = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 5, max: 30 }), (one, other, cells) => {
        const shown = grant(Math.min(one, other), Math.max(one, other));
        const [spent = '', limit = ''] = compactAmounts(shown, cells).split('/');
        if (isLimitReached(shown)) return;
        expect(spent).not.toBe(limit);
        expect(Number(spent.replace('<', ''))).toBeLessThanOrEqual(
          Math.max(Number(limit), spent === '<1' ? 1 : 0),
        );
        expect(spent === '0').toBe(formatGrantAmounts(shown).spent === '0');
        const { spent: exact, limit: whole } = formatGrantAmounts(shown);
        expect(exact).not.toBe(whole);
      }),
    );
  });

  it('stay exact beyond the precision of a double', () => {
    const near = grant(50, 50, { spent_digits: '49.999999999999999999' });
    expect(compactAmounts(near, room)).toBe('49.999/50');
    expect(formatGrantAmounts(near)).toEqual({ spent: '49.999999999999999999', limit: '50' });
    const limit = 50;
    const spent = limit * (1 - Number.EPSILON);
    expect(Number(formatGrantAmounts(grant(spent, limit)).spent)).toBeLessThan(limit);
  });
});
