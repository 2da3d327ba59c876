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
      const match = [at, at + (before % 30) + 1] as const;
      const left = leftWithMatch(match, before, room);
      // A cell at each side is the ellipsis; a match that is wider than the rest shows its start.
      const shown = Math.min(match[1] - at, room - 2);
      expect(at >= left + (left === 0 ? 0 : 1)).toBe(true);
      expect(at + shown <= left + room - 1).toBe(true);
    }),
  );
});

test('a match near the beginning of its line scrolls back to the beginning', () => {
  expect(leftWithMatch([12, 16], 400, 80)).toBe(0);
  expect(leftWithMatch([12, 16], 10, 80)).toBe(0);
  expect(leftWithMatch([100, 106], 0, 80)).toBe(80);
  expect(leftWithMatch([100, 106], 80, 80)).toBe(80);
});

test('a match that fills the width comes to its left edge', () => {
  expect(leftWithMatch([100, 118], 0, 20)).toBe(99);
  expect(leftWithMatch([100, 400], 0, 20)).toBe(99);
});
