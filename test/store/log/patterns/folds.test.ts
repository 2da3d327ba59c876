import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogFolds } from '../../../../source/store/log/patterns/folds.ts';
import { PatternGroups } from '../../../../source/tail/patterns/pattern-groups.ts';
import { createLogWorld, type TestLine } from '../log-world.ts';

const lines: readonly TestLine[] = [
  { text: 'start' },
  { text: 'paid 1' },
  { text: 'paid 2' },
  { text: 'paid 3' },
  { text: 'stop' },
  { text: 'paid 4', service: 'web' },
  { text: 'paid 5', service: 'api' },
];

function foldedWorld(texts: readonly TestLine[] = lines) {
  const world = createLogWorld();
  const groups = new PatternGroups();
  const folds = new LogFolds(world.entries, (text) => groups.add(text));
  world.insertAt(0, texts);
  folds.toggle();
  return { world, folds };
}

/** Returns the runs from the first entry to the last one, as `first-last`. */
function runsOf(folds: LogFolds, length: number): readonly string[] {
  const runs: string[] = [];
  for (let index = 0; index < length; index = folds.runAt(index).last + 1) {
    const { first, last } = folds.runAt(index);
    runs.push(first === last ? `${first}` : `${first}-${last}`);
  }
  return runs;
}

test('lines of one pattern and service beside each other are a run', () => {
  const { folds } = foldedWorld();
  expect(runsOf(folds, 7)).toEqual(['0', '1-3', '4', '5', '6']);
  expect(folds.runAt(2)).toEqual({ first: 1, last: 3 });
  folds.toggle();
  expect(runsOf(folds, 7)).toHaveLength(7);
});

test('a run grows with new lines, and a gap ends it', () => {
  const { world, folds } = foldedWorld([{ text: 'paid 1' }, { text: 'paid 2' }]);
  expect(runsOf(folds, 2)).toEqual(['0-1']);
  world.insertAt(2, [{ text: 'paid 3' }]);
  expect(runsOf(folds, 3)).toEqual(['0-2']);
  world.change((log) => log.toggleGap(1));
  expect(runsOf(folds, 4)).toEqual(['0', '1', '2-3']);
});

test('a run can be opened alone, and folding anew closes it', () => {
  const { folds } = foldedWorld();
  expect(folds.open(0)).toBe(false);
  expect(folds.open(2)).toBe(true);
  expect(runsOf(folds, 7)).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  folds.toggle();
  folds.toggle();
  expect(runsOf(folds, 7)).toContain('1-3');
});

test('steps go from row to row, and a selection holds whole runs', () => {
  const { folds } = foldedWorld();
  expect(folds.step(0, 1)).toBe(1);
  expect(folds.step(2, 1)).toBe(4);
  expect(folds.step(6, -3)).toBe(1);
  expect(folds.step(3, 99)).toBe(6);
  expect(folds.step(3, -99)).toBe(0);
  expect(folds.widened({ first: 2, last: 4 })).toEqual({ first: 1, last: 4 });
});

test('every entry is in one run, whichever of its entries is asked', () => {
  const text = fc.constantFrom('a', 'b', 'paid 1', 'paid 2', 'paid x');
  fc.assert(
    fc.property(fc.array(text, { maxLength: 300 }), (texts) => {
      const { folds } = foldedWorld(texts.map((one) => ({ text: one })));
      let end = -1;
      for (let index = 0; index < texts.length; index += 1) {
        const run = folds.runAt(index);
        if (index > end) expect(run.first).toBe(index);
        expect(run.first).toBeLessThanOrEqual(index);
        expect(run.last).toBeGreaterThanOrEqual(index);
        if (index <= end) expect(run.last).toBe(end);
        end = run.last;
      }
    }),
    { numRuns: 30 },
  );
});
