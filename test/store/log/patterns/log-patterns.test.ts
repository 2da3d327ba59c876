import { expect, onTestFinished, test } from 'vitest';
import { LogPatterns } from '../../../../source/store/log/patterns/log-patterns.ts';
import { createLogWorld, type TestLine } from '../log-world.ts';

const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
const at = (minutes: number, text: string, service = 'api'): TestLine => ({
  text,
  service,
  time: new Date(start + minutes * minute).toISOString(),
});

function createPatternsWorld(more: { readonly sampledFrom?: number } = {}) {
  const world = createLogWorld();
  let now = start;
  const patterns = new LogPatterns({
    log: world.options,
    clock: world.options.clock,
    serviceNow: () => now,
    ...more,
  });
  onTestFinished(() => patterns.stop());
  return {
    world,
    patterns,
    add: (...lines: readonly TestLine[]) => world.insertAt(world.entries.length, lines),
    settle: (minutes: number) => {
      now = start + minutes * minute;
      world.settle();
    },
    shown: () =>
      patterns
        .seen()
        .map(({ lines, template }) => `${lines} ${template}`)
        .toSorted(),
  };
}

test('lines are counted by pattern, with their times, services and an example', () => {
  const { add, settle, patterns, shown } = createPatternsWorld();
  add(
    at(0, 'paid 7'),
    at(1, 'ERROR: no route to 10.0.0.1'),
    at(2, 'paid 8', 'web'),
    at(3, 'paid 9'),
  );
  settle(4);
  expect(shown()).toEqual(['1 ERROR: no route to <#>', '3 paid <#>']);
  const paid = patterns.seen().find(({ template }) => template === 'paid <#>');
  expect(paid).toMatchObject({
    level: undefined,
    isEstimate: false,
    firstAt: start,
    lastAt: start + 3 * minute,
    services: ['api', 'web'],
    example: 'paid 9',
    isNew: false,
  });
  expect(patterns.state.getState()).toMatchObject({ lines: 4, read: 4, dropped: 0, lost: 0 });
});

test('older lines that are loaded later count, and make the first time older', () => {
  const { world, add, settle, patterns } = createPatternsWorld();
  add(at(60, 'paid 7'));
  settle(60);
  world.insertAt(0, [at(0, 'paid 6')]);
  settle(60);
  expect(patterns.seen()).toMatchObject([
    { lines: 2, firstAt: start, lastAt: start + 60 * minute, example: 'paid 7' },
  ]);
});

test('the rate is that of the last five minutes', () => {
  const { add, settle, patterns } = createPatternsWorld();
  add(
    at(0, 'paid 1'),
    ...Array.from({ length: 30 }, (_, index) => at(56 + index / 10, `paid ${index}`)),
  );
  settle(60);
  const [paid] = patterns.seen();
  expect(paid?.lines).toBe(31);
  expect(paid?.perMinute).toBeGreaterThan(5);
  expect(paid?.perMinute).toBeLessThan(8);
  settle(90);
  expect(patterns.seen()[0]?.perMinute).toBe(0);
});

test('a pattern is new when it appears in a log that is older than ten minutes', () => {
  const { add, settle, patterns } = createPatternsWorld();
  add(at(0, 'paid 1'), at(30, 'paid 1'), at(31, 'cache of 3 lost'));
  settle(32);
  expect(patterns.seen().filter(({ isNew }) => isNew)).toMatchObject([
    { template: 'cache of <#> lost' },
  ]);
  settle(45);
  expect(patterns.seen().some(({ isNew }) => isNew)).toBe(false);
});

test('counts of patterns that become one are added', () => {
  const { add, settle, shown } = createPatternsWorld();
  for (const user of ['ann', 'bob', 'eve', 'dan']) add(at(0, `session of user=${user} was opened`));
  settle(1);
  expect(shown()).toHaveLength(4);
  add(at(1, 'session of user=kim was opened'));
  settle(2);
  expect(shown()).toEqual(['5 session of user=<*> was opened']);
});

test('a flood is sampled, and its counts add up to all lines', () => {
  const { add, settle, patterns } = createPatternsWorld({ sampledFrom: 1000 });
  const flood = Array.from({ length: 3000 }, (_, index) =>
    at(0, index % 4 === 0 ? 'ok' : `paid ${index}`),
  );
  add(...flood);
  settle(1);
  const { lines, read } = patterns.state.getState();
  expect(lines).toBeCloseTo(3000, 6);
  expect(read).toBeLessThan(2000);
  expect(patterns.seen().every(({ isEstimate }) => isEstimate)).toBe(true);
});
