import { expect, onTestFinished, test } from 'vitest';
import { LogComparison } from '../../../../source/store/log/patterns/comparison.ts';
import { PatternGroups } from '../../../../source/tail/patterns/pattern-groups.ts';
import { createLogWorld, type TestLine } from '../log-world.ts';

const moment = Date.UTC(2026, 0, 1, 12);
const at = (seconds: number, text: string): TestLine => ({
  text,
  time: new Date(moment + seconds * 1000).toISOString(),
});

function compared(lines: readonly TestLine[], start = moment) {
  const world = createLogWorld();
  const groups = new PatternGroups();
  const patterns = { patternOf: (text: string) => groups.add(text) };
  const comparison = new LogComparison(world.entries, patterns, world.options.clock);
  onTestFinished(() => comparison.stop());
  world.insertAt(0, lines);
  comparison.start(start);
  world.settle();
  return comparison.state.getState();
}

/** A line each second from `from` to `to`. */
const every = (from: number, to: number, text: (second: number) => string) =>
  Array.from({ length: to - from }, (_, index) => at(from + index, text(from + index)));

test('new, gone, more and fewer patterns are told, and those as before are counted', () => {
  const state = compared([
    ...every(-300, 0, (second) =>
      second % 3 === 0
        ? `cache hit ${second}`
        : (second + 1000) % 10 === 1
          ? `slow query of ${second} ms`
          : `paid ${second}`,
    ),
    ...every(0, 60, (second) =>
      second % 2 === 0
        ? `slow query of ${second} ms`
        : second === 31
          ? 'ERROR: no route'
          : `paid ${second}`,
    ),
  ]);
  if (state.kind !== 'done') throw new Error(state.kind);
  expect(state.rows.map(({ change, template }) => `${change} ${template}`)).toEqual([
    'new ERROR: no route',
    'more slow query of <#> ms',
    'gone cache hit <#>',
  ]);
  expect(state).toMatchObject({ unchanged: 1, isSampled: false });
  expect(state.rows[1]?.before).toBeCloseTo(4, -1);
  expect(state.rows[1]?.after).toBeCloseTo(30, -1);
});

test('many lines are sampled evenly', () => {
  const lines = Array.from({ length: 30_000 }, (_, index) =>
    at(index / 100 - 200, index % 2 === 0 ? `paid ${index}` : `sent ${index}`),
  );
  const state = compared(lines);
  expect(state).toMatchObject({ kind: 'done', isSampled: true, rows: [], unchanged: 2 });
});

test('nothing is compared without lines on both sides', () => {
  expect(compared(every(0, 5, () => 'a')).kind).toBe('impossible');
  expect(compared([{ text: 'no time' }]).kind).toBe('impossible');
});
