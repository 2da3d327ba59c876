import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { leftWithMatch, topWithMatch } from '../../../source/view/text/reveal-match.ts';

test('a visible line stays where it is, and another one comes into the upper part', () => {
  expect(topWithMatch(5, 0, 20)).toBe(0);
  expect(topWithMatch(100, 0, 20)).toBe(95);
  expect(topWithMatch(2, 50, 20)).toBe(0);
});

test('a match is visible after the scroll, in any text', () => {
  const size = fc.integer({ min: 20, max: 200 });
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(10_000), size, (at, before, room) => {
      const top = topWithMatch(at, before, room);
      expect(at >= top && at < top + room).toBe(true);
      const left = leftWithMatch(at, before, room);
      expect(at >= left && at < left + room).toBe(true);
    }),
  );
});

test('a match near the beginning of its line scrolls back to the beginning', () => {
  expect(leftWithMatch(12, 400, 80)).toBe(0);
  expect(leftWithMatch(100, 0, 80)).toBe(80);
  expect(leftWithMatch(100, 80, 80)).toBe(80);
});
