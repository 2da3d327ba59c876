import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChangePosition,
  matchingRow,
  stepChange,
} from '../../../source/view/editor/change-steps.ts';

const position: ChangePosition = {
  changes: [2, 20, 21, 90],
  change: 0,
  top: 0,
  seen: 10,
  rows: 100,
};

test('the next change is seen with what stands before it', () => {
  expect(stepChange(position, 1)).toEqual({ change: 1, top: 17 });
  expect(stepChange({ ...position, change: 1, top: 17 }, 1)).toEqual({ change: 2, top: 18 });
});

test('the change before is gone to in the same way, down to the first row', () => {
  expect(stepChange({ ...position, change: 1, top: 17 }, -1)).toEqual({ change: 0, top: 0 });
});

test('nothing is scrolled beyond the last row', () => {
  const near = { ...position, changes: [80, 98, 99], change: 0, top: 77 };
  expect(stepChange(near, 1)).toEqual({ change: 1, top: 90 });
  expect(stepChange({ ...near, change: 1, top: 90 }, 1)).toEqual({ change: 2, top: 90 });
});

test('there is none behind the last one and none before the first', () => {
  expect(stepChange(position, -1)).toBeUndefined();
  expect(stepChange({ ...position, change: 3, top: 87 }, 1)).toBeUndefined();
  expect(stepChange({ ...position, changes: [] }, 1)).toBeUndefined();
});

test('after scrolling away, what is seen decides', () => {
  expect(stepChange({ ...position, top: 50 }, 1)).toMatchObject({ change: 3 });
  expect(stepChange({ ...position, top: 50 }, -1)).toMatchObject({ change: 2 });
  expect(stepChange({ ...position, change: 3, top: 18 }, 1)).toMatchObject({ change: 1 });
});

const positions: fc.Arbitrary<ChangePosition> = fc
  .record({
    gaps: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }),
    seen: fc.integer({ min: 1, max: 20 }),
    change: fc.nat(12),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ gaps, seen, change, at }) => {
    let row = 0;
    const changes = gaps.map((gap) => (row += gap));
    const rows = row + 5;
    return { changes, change, seen, rows, top: Math.floor(at * Math.max(0, rows - seen)) };
  });

test('wherever a reader is, n goes through all that follows, each in sight, and N all the way back', () => {
  fc.assert(
    fc.property(positions, (start) => {
      for (const direction of [1, -1] as const) {
        const visited: number[] = [];
        const visit = (here: ChangePosition): void => {
          const step = stepChange(here, direction);
          if (step === undefined) return;
          const row = here.changes[step.change] ?? -1;
          expect(row).toBeGreaterThanOrEqual(step.top);
          expect(row).toBeLessThan(step.top + here.seen);
          expect(step.top).toBeLessThanOrEqual(Math.max(0, here.rows - here.seen));
          visited.push(step.change);
          visit({ ...here, ...step });
        };
        visit(start);
        const [first = 0] = visited;
        expect(visited).toEqual(visited.map((_, index) => first + direction * index));
        const end = direction === 1 ? start.changes.length - 1 : 0;
        if (visited.length > 0) expect(visited.at(-1)).toBe(end);
      }
    }),
  );
});

test('another layout begins with the same lines', () => {
  expect(matchingRow([2, 20, 40], [2, 12, 24], 18)).toBe(12);
  expect(matchingRow([2, 20, 40], [2, 12, 24], 22)).toBe(14);
  expect(matchingRow([2, 20, 40], [2, 12, 24], 1)).toBe(1);
  expect(matchingRow([2, 12, 24], [2, 20, 40], 30)).toBe(46);
  expect(matchingRow([], [], 3)).toBe(3);
});
