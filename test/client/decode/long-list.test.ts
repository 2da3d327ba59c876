import { expect, it } from 'vitest';
import { eachInTurns } from '../../../source/client/decode/long-list.ts';

it('hands every item over in its order, up to the one that is refused', async () => {
  for (const length of [0, 1, 499, 500, 5000]) {
    const items = Array.from({ length }, (_, index) => index);
    const taken: number[] = [];
    await eachInTurns(items, (item, index) => taken.push(item, index) > 0);
    expect(taken).toEqual(items.flatMap((item) => [item, item]));
    let asked = 0;
    await eachInTurns(items, () => (asked += 1) < 3);
    expect(asked).toBe(Math.min(3, length));
  }
});

it('leaves turns to others while it goes through a long list', async () => {
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
  await eachInTurns(items, longer);
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});
