import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSlowLink, type LinkSample } from '../../../source/terminal/link/pace.ts';

const anySample = fc.record({
  roundTrip: fc.double({ min: 0, max: 10_000, noNaN: true }),
  capacity: fc.oneof(fc.double({ min: 0.1, max: 1e6, noNaN: true }), fc.constant(Infinity)),
});

test('one answer changes nothing, whatever the other answers agree on', () => {
  const fast = fc.record({
    roundTrip: fc.double({ min: 0, max: 79, noNaN: true }),
    capacity: fc.double({ min: 40, max: 1e6, noNaN: true }),
  });
  const slow = fc.oneof(
    fc.record({
      roundTrip: fc.double({ min: 120, max: 10_000, noNaN: true }),
      capacity: fc.constant(Infinity),
    }),
    fc.record({
      roundTrip: fc.constant(1),
      capacity: fc.double({ min: 0.1, max: 24, noNaN: true }),
    }),
  );
  const sixOf = (sample: fc.Arbitrary<LinkSample>) =>
    fc.array(sample, { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(
      sixOf(fast),
      sixOf(slow),
      anySample,
      fc.nat({ max: 6 }),
      (quick, late, one, place) => {
        for (const was of [true, false]) {
          expect(isSlowLink(was, quick.toSpliced(place, 0, one))).toBe(false);
          expect(isSlowLink(was, late.toSpliced(place, 0, one))).toBe(true);
        }
      },
    ),
  );
});

test('fewer than four answers, and answers between the limits, change nothing', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(anySample, { maxLength: 3 }), (was, samples) => {
      expect(isSlowLink(was, samples)).toBe(was);
      const between = Array.from({ length: 7 }, () => ({ roundTrip: 100, capacity: 30 }));
      expect(isSlowLink(was, between)).toBe(was);
    }),
  );
});
