import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ClockOffsetRange,
  narrowClockOffset,
  estimateClockOffset,
} from '../../../source/client/http/http.ts';

/** Returns the `Date` header of a service whose clock is `ahead`, written at `at`. */
function dateAt(at: number, ahead: number): number {
  return Math.floor((at + ahead) / 1000) * 1000;
}

test('a clock that may agree has the offset 0', () => {
  expect(estimateClockOffset(undefined)).toBe(0);
  expect(
    estimateClockOffset(
      narrowClockOffset(undefined, { date: 5000, sentAt: 5100, receivedAt: 5900 }),
    ),
  ).toBe(0);
});

test('the range always contains the true offset, and answers only narrow it', () => {
  const exchange = fc.record({
    wait: fc.nat(10_000),
    there: fc.nat(2_000),
    back: fc.nat(2_000),
  });
  const ahead = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(ahead, fc.array(exchange, { minLength: 1, maxLength: 20 }), (offset, exchanges) => {
      let now = 1_000_000;
      let known: ClockOffsetRange | undefined;
      for (const { wait, there, back } of exchanges) {
        const sentAt = now + wait;
        const date = dateAt(sentAt + there, offset);
        now = sentAt + there + back;
        const next = narrowClockOffset(known, { date, sentAt, receivedAt: now });
        expect(next.min).toBeLessThanOrEqual(offset);
        expect(next.max).toBeGreaterThanOrEqual(offset);
        if (known !== undefined) {
          expect(next.max - next.min).toBeLessThanOrEqual(known.max - known.min);
        }
        known = next;
      }
    }),
  );
});

test('a clock that was set restarts the range', () => {
  const before = narrowClockOffset(undefined, { date: 60_000, sentAt: 0, receivedAt: 10 });
  const after = narrowClockOffset(before, { date: 20_000, sentAt: 20_000, receivedAt: 20_010 });
  expect(estimateClockOffset(before)).toBeGreaterThan(59_000);
  expect(estimateClockOffset(after)).toBe(0);
});
