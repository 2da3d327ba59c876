import { expect, it } from 'vitest';
import { forEachYielding } from '../../../source/client/decode/long-list.ts';

it('passes every item in order until one is rejected', async () => {
  for (const length of [0, 1, 499, 500, 5000]) {
    const items = Array.from({ length }, (_, index) => index);
    const visited: number[] = [];
    await forEachYielding(items, (item, index) => visited.push(item, index) > 0);
    expect(visited).toEqual(items.flatMap((item) => [item, item]));
    let calls = 0;
    await forEachYielding(items, () => (calls += 1) < 3);
    expect(calls).toBe(Math.min(3, length));
  }
});

it('yields to the event loop during a long list', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from({ length: 640 }, (_, index) => index);
  const longer = (): boolean => {
    const end = performance.now() + 0.1;
    while (performance.now() < end);
    return true;
  };
  await forEachYielding(items, longer);
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});
