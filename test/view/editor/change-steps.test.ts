import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChangePosition,
  rowInOtherLayout,
  stepChange,
} from '../../../source/view/editor/change-steps.ts';

const position: ChangePosition = {
  changes: [2, 20, 21, 90],
  change: 0,
  top: 0,
  height: 10,
  rowCount: 100,
};

test('shows the next change below its context', () => {
  expect(stepChange(position, 1)).toEqual({ change: 1, top: 17 });
  expect(stepChange({ ...position, change: 1, top: 17 }, 1)).toEqual({ change: 2, top: 18 });
});

test('steps back to the previous change', () => {
  expect(stepChange({ ...position, change: 1, top: 17 }, -1)).toEqual({ change: 0, top: 0 });
});

test('does not scroll beyond the last row', () => {
  const near = { ...position, changes: [80, 98, 99], change: 0, top: 77 };
  expect(stepChange(near, 1)).toEqual({ change: 1, top: 90 });
  expect(stepChange({ ...near, change: 1, top: 90 }, 1)).toEqual({ change: 2, top: 90 });
});

test('finds no change beyond the first and the last', () => {
  expect(stepChange(position, -1)).toBeUndefined();
  expect(stepChange({ ...position, change: 3, top: 87 }, 1)).toBeUndefined();
  expect(stepChange({ ...position, changes: [] }, 1)).toBeUndefined();
});

test('starts at the first visible row after scrolling away', () => {
  expect(stepChange({ ...position, top: 50 }, 1)).toMatchObject({ change: 3 });
  expect(stepChange({ ...position, top: 50 }, -1)).toMatchObject({ change: 2 });
  expect(stepChange({ ...position, change: 3, top: 18 }, 1)).toMatchObject({ change: 1 });
});

test('starts at the chosen row while it is visible', () => {
  const chosen = { ...position, row: 5 };
  expect(stepChange(chosen, 1)).toMatchObject({ change: 1 });
  expect(stepChange(chosen, -1)).toMatchObject({ change: 0 });
  expect(stepChange({ ...chosen, row: 1 }, -1)).toBeUndefined();
  expect(stepChange({ ...position, change: 3, top: 87, row: 95 }, 1)).toBeUndefined();
  expect(stepChange({ ...chosen, top: 50 }, -1)).toMatchObject({ change: 2 });
});

const positions: fc.Arbitrary<ChangePosition> = fc
  .record({
    gaps: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 12 }),
    height: fc.integer({ min: 1, max: 20 }),
    change: fc.nat(12),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ gaps, height, change, at }) => {
    let row = 0;
    const changes = gaps.map((gap) => (row += gap));
    const rowCount = row + 5;
    const top = Math.floor(at * Math.max(0, rowCount - height));
    return { changes, change, height, rowCount, top };
  });

test('visits every following change once, always visible, from any position', () => {
  fc.assert(
    fc.property(positions, (start) => {
      for (const direction of [1, -1] as const) {
        const visited: number[] = [];
        const visit = (here: ChangePosition): void => {
          const step = stepChange(here, direction);
          if (step === undefined) return;
          const row = here.changes[step.change] ?? -1;
          expect(row).toBeGreaterThanOrEqual(step.top);
          expect(row).toBeLessThan(step.top + here.height);
          expect(step.top).toBeLessThanOrEqual(Math.max(0, here.rowCount - here.height));
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

test('maps a row to the same lines of another layout', () => {
  expect(rowInOtherLayout([2, 20, 40], [2, 12, 24], 18)).toBe(12);
  expect(rowInOtherLayout([2, 20, 40], [2, 12, 24], 22)).toBe(14);
  expect(rowInOtherLayout([2, 20, 40], [2, 12, 24], 1)).toBe(1);
  expect(rowInOtherLayout([2, 12, 24], [2, 20, 40], 30)).toBe(46);
  expect(rowInOtherLayout([], [], 3)).toBe(3);
});
