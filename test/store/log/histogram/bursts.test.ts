import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { burstsOf } from '../../../../source/store/log/histogram/bursts.ts';

const bursts = (...counts: readonly number[]) => burstsOf(counts.map((count) => ({ count })));

test('a burst is a peak with three times the usual lines', () => {
  expect(bursts(1, 0, 2, 1, 1, 8, 3, 1, 0, 1, 7, 1)).toEqual([5, 10]);
  expect(bursts(4, 4, 5, 4, 4)).toEqual([]);
  expect(bursts(1, 1, 9, 9, 4, 1, 1, 1)).toEqual([2]);
  expect(bursts(1, 1, 1, 5, 5, 9)).toEqual([5]);
  expect(bursts()).toEqual([]);
  expect(bursts(0, 0)).toEqual([]);
});

test('every burst is higher than both its neighbours', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 40 }), (counts) => {
      for (const index of bursts(...counts)) {
        const count = counts[index] ?? 0;
        expect(count).toBeGreaterThan(counts[index - 1] ?? 0);
        expect(count).toBeGreaterThanOrEqual(counts[index + 1] ?? 0);
      }
    }),
  );
});
