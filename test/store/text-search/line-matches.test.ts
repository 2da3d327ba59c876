import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  matchPosition,
  nearestMatch,
  sliceEnd,
  stepMatch,
} from '../../../source/store/text-search/line-matches.ts';

const matches = fc.uniqueArray(fc.nat(50)).map((all) => all.toSorted((a, b) => a - b));

test('slices cover all lines once, at least one line each, and no slice holds a megabyte', () => {
  const line = fc.integer({ min: 0, max: 400_000 }).map((length) => 'x'.repeat(length));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      let start = 0;
      while (start < lines.length) {
        const end = sliceEnd(lines, start);
        expect(end).toBeGreaterThan(start);
        const length = lines.slice(start, end - 1).reduce((sum, one) => sum + one.length, 0);
        expect(length).toBeLessThan(1 << 20);
        start = end;
      }
      expect(start).toBe(lines.length);
    }),
    { numRuns: 50 },
  );
});

test('steps visit every match once in a round, both ways', () => {
  fc.assert(
    fc.property(matches, fc.nat(50), (all, start) => {
      for (const direction of ['next', 'previous'] as const) {
        const seen = new Set<number>();
        let at: number | undefined = start;
        for (const _ of all) {
          at = stepMatch(all, at ?? start, direction);
          if (at !== undefined) seen.add(at);
        }
        expect([...seen].toSorted((a, b) => a - b)).toEqual(all);
      }
    }),
  );
});

test('a query jumps to the first match behind the reader, and from the end to the first of all', () => {
  expect(nearestMatch([2, 7], 3, false)).toBe(7);
  expect(nearestMatch([2, 7], 2, false)).toBe(2);
  expect(nearestMatch([2, 7], 8, false)).toBeUndefined();
  expect(nearestMatch([2, 7], 8, true)).toBe(2);
  expect(nearestMatch([], 0, true)).toBeUndefined();
});

test('the count names the match under the eye', () => {
  expect(matchPosition([1, 3], 1, true)).toBe('1 of 2');
  expect(matchPosition([1, 3], 3, false)).toBe('2 of 2+');
  expect(matchPosition([1, 3], undefined, true)).toBe('2 matches');
  expect(matchPosition([1], undefined, false)).toBe('1+ match');
  expect(matchPosition([], undefined, false)).toBe('searching...');
  expect(matchPosition([], undefined, true)).toBe('no match');
});
