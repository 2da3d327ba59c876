import { expect, test } from 'vitest';
import { CoveringTests } from './covering-tests.ts';

const covering = new CoveringTests([
  {
    test: 'wide.test.ts',
    calls: {
      'a.ts': [
        [0, 90],
        [10, 20],
      ],
      'b.ts': [[0, 50]],
    },
  },
  { test: 'near.test.ts', calls: { 'a.ts': [[10, 20]] } },
  {
    test: 'outer.test.ts',
    calls: {
      'a.ts': [
        [0, 90],
        [40, 50],
      ],
    },
  },
]);

test('a change is tried with the tests that call the innermost function around it, the closest first', () => {
  expect(covering.testsAt('a.ts', 12)).toEqual(['near.test.ts', 'wide.test.ts']);
  expect(covering.testsAt('a.ts', 30)).toEqual(['outer.test.ts', 'wide.test.ts']);
  expect(covering.testsAt('a.ts', 45)).toEqual(['outer.test.ts']);
});

test('no test is told for what stands outside of functions, or what nothing calls', () => {
  expect(covering.testsAt('a.ts', 95)).toEqual([]);
  expect(covering.testsAt('c.ts', 5)).toEqual([]);
});
