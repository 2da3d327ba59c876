import { describe, expect, it } from 'vitest';
import { ageSince, formatAge, formatWait } from '../../../source/store/time/age.ts';

describe('ages', () => {
  it('are formatted in their largest unit, rounded down', () => {
    expect([0, 999, 59_999, 60_000, 3_599_999, 86_399_999, 86_400_000].map(formatAge)).toEqual([
      '0s',
      '0s',
      '59s',
      '1m',
      '59m',
      '23h',
      '1d',
    ]);
  });

  it('are zero for future times', () => {
    expect(formatAge(-5000)).toBe('0s');
  });

  it('are empty for an invalid timestamp', () => {
    expect(ageSince('yesterday', 0)).toBe('');
    expect(ageSince(undefined, 0)).toBe('');
    expect(ageSince('1970-01-01T00:00:00Z', 7200_000)).toBe('2h');
  });

  it('count the minutes of a wait without a limit', () => {
    expect([42_000, 75 * 60_000 + 3000].map(formatWait)).toEqual(['0:42', '75:03']);
  });
});
