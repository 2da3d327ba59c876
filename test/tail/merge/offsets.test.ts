import { describe, expect, it } from 'vitest';
import type { LogRow } from '../../../source/tail/arena/row.ts';
import { Offsets } from '../../../source/tail/merge/offsets.ts';

const request = {
  number: 1,
  limit: 500,
  attempt: 0,
  target: 'gap',
  edge: 1,
  start: 1,
  connection: 1,
  newest: undefined,
  settled: 0,
} as const;

/** Returns a page of lines, oldest first, that were written at so many seconds. */
function pageAt(offset: number, seconds: readonly number[]) {
  const rows = seconds.map(
    (second): LogRow<string> => ({
      id: undefined,
      text: 'line',
      service: 'web',
      timestamp: new Date(1_700_000_000_000 + second * 1000).toISOString(),
      line: '',
    }),
  );
  return { request: { ...request, offset }, rows };
}

const times = (count: number, second: number): readonly number[] =>
  Array.from({ length: count }, () => second);

describe('the order of pages', () => {
  it('shows in a page with older lines at higher offsets', () => {
    const offsets = new Offsets<string>(500);
    offsets.learn(pageAt(0, times(100, 5)), true);
    offsets.learn(pageAt(100, times(100, 4)), true);
    expect(offsets.order).toBe('newest');
  });

  it('does not show in a page within the one before', () => {
    const offsets = new Offsets<string>(500);
    offsets.learn(pageAt(0, [...times(300, 4), ...times(200, 5)]), true);
    offsets.learn(pageAt(150, times(100, 4)), true);
    expect(offsets.order).toBeUndefined();
  });

  it('is refuted by a smaller page without the newest lines of a larger one', () => {
    const offsets = new Offsets<string>(500);
    // Lines of one time, and none far behind them: nothing tells their order.
    offsets.learn(pageAt(0, times(100, 4)), true);
    offsets.learn(pageAt(300, []), true);
    expect(offsets.order).toBe('newest');
    offsets.learn(pageAt(0, [...times(200, 4), ...times(20, 5)]), true);
    offsets.learn(pageAt(0, times(100, 4)), false);
    expect(offsets.order).toBe('oldest');
  });
});
