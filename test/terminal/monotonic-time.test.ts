import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { monotonicTime } from '../../source/terminal/monotonic-time.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the time is in milliseconds since the program started', () => {
  const uptime = vi.spyOn(process, 'uptime');
  fc.assert(
    fc.property(fc.nat(), (milliseconds) => {
      uptime.mockReturnValue(milliseconds / 1000);
      expect(monotonicTime()).toBeCloseTo(milliseconds);
    }),
  );
});

test('the time never goes back', () => {
  const times = Array.from({ length: 1000 }, monotonicTime);
  expect(times.toSorted((one, other) => one - other)).toEqual(times);
});
