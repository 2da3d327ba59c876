import * as fc from 'fast-check';
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

const secondsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

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

  it('shows while the log grows between the pages of a slow service', () => {
    const offsets = new Offsets<string>(500);
    offsets.learn(pageAt(0, secondsFrom(0, 428)), false);
    offsets.learn(pageAt(428, secondsFrom(428, 4)), false);
    offsets.learn(pageAt(0, secondsFrom(0, 436)), false);
    expect(offsets.order).toBe('oldest');
  });

  it('is found within four pages, and never wrong, however the log grows meanwhile', () => {
    const growth = fc.array(fc.nat({ max: 30 }), { minLength: 4, maxLength: 4 });
    const orders = fc.constantFrom('newest' as const, 'oldest' as const);
    const lengths = fc.integer({ min: 150, max: 900 });
    fc.assert(
      fc.property(lengths, orders, growth, (length, order, steps) => {
        const offsets = new Offsets<string>(500);
        let total = length;
        let found: readonly unknown[] | undefined;
        for (const step of steps) {
          const { probe } = offsets;
          const count = Math.max(0, Math.min(total - probe, 500));
          const first = order === 'oldest' ? probe : total - probe - count;
          found ??= offsets.learn(pageAt(probe, secondsFrom(first, count)), false);
          total += step;
        }
        expect(found).toBeDefined();
        // A page with the whole log tells nothing of the order.
        expect([order, undefined]).toContain(offsets.order);
      }),
    );
  });
});
