import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  patternChange,
  type SpanLines,
} from '../../../../source/store/log/patterns/pattern-change.ts';

const minute = 60_000;
const span = (minutes: number, ...parts: readonly number[]): SpanLines => ({
  parts,
  length: minutes * minute,
});
const few = { patterns: 20, sampling: 1 };

test('rates are compared, not counts', () => {
  expect(patternChange(span(10, 10, 10, 10, 10), span(1, 1, 1, 1, 1), few)).toBeUndefined();
  expect(patternChange(span(10, 10, 10, 10, 10), span(1, 8, 9, 7, 8), few)).toBe('more');
  expect(patternChange(span(1, 8, 9, 7, 8), span(10, 10, 10, 10, 10), few)).toBe('fewer');
});

test('lines that were not there before are new, and those that should have come are gone', () => {
  expect(patternChange(span(10, 0, 0), span(1, 0, 1), few)).toBe('new');
  expect(patternChange(span(10, 90, 85), span(10, 0, 0), few)).toBe('gone');
  expect(patternChange(span(10, 1, 1), span(1, 0, 0), few)).toBeUndefined();
});

test('a few lines more, and bursts as there were before, are no change', () => {
  expect(patternChange(span(10, 1, 0, 1, 0), span(10, 2, 1, 2, 1), few)).toBeUndefined();
  expect(patternChange(span(10, 0, 60, 0, 0), span(10, 0, 90, 0, 95), few)).toBeUndefined();
  expect(patternChange(span(10, 100, 101, 99), span(10, 130, 128, 131), few)).toBeUndefined();
});

test('a sample says less than all lines', () => {
  const [before, after] = [span(10, 5, 5, 5, 5), span(10, 20, 20, 20, 20)];
  expect(patternChange(before, after, few)).toBe('more');
  expect(patternChange(before, after, { patterns: 20, sampling: 20 })).toBeUndefined();
});

test('lines at one rate are seldom called a change', () => {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  /** Lines of a part when `mean` are usual, some of them in bursts. */
  const lines = (mean: number, burst: number): number => {
    let [count, left] = [0, Math.exp(-mean / burst)];
    for (let product = random(); product > left; product *= random()) count += 1;
    left = 0;
    return count * burst;
  };
  let changes = 0;
  for (let round = 0; round < 4000; round += 1) {
    const mean = [0.5, 2, 8, 30][round % 4] ?? 1;
    const burst = [1, 1, 5][round % 3] ?? 1;
    const parts = () => Array.from({ length: 10 }, () => lines(mean, burst));
    const change = patternChange(span(10, ...parts()), span(10, ...parts()), {
      patterns: 1,
      sampling: 1,
    });
    if (change === 'more' || change === 'fewer' || change === 'gone') changes += 1;
  }
  expect(changes).toBeLessThan(40);
});

test('the other way round, more is fewer', () => {
  const parts = fc.array(fc.nat(200), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      const there = patternChange(span(5, ...before), span(5, ...after), few);
      const back = patternChange(span(5, ...after), span(5, ...before), few);
      if (there === 'more') expect(back).toBe('fewer');
      if (there === 'fewer') expect(back).toBe('more');
      if (there === 'gone') expect(back).toBe('new');
    }),
  );
});
