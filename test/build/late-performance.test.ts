import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { monotonicNow } from '../../.config/late-performance.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('what stands for performance.now gives the milliseconds that the program runs', () => {
  const uptime = vi.spyOn(process, 'uptime');
  fc.assert(
    fc.property(fc.nat(), (milliseconds) => {
      uptime.mockReturnValue(milliseconds / 1000);
      expect(monotonicNow()).toBeCloseTo(milliseconds);
    }),
  );
});

test('what stands for performance.now never goes back', () => {
  const times = Array.from({ length: 1000 }, monotonicNow);
  expect(times.toSorted((one, other) => one - other)).toEqual(times);
});
