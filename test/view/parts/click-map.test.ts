import { expect, test } from 'vitest';
import { type ClickTarget, targetIn } from '../../../source/view/parts/click-map.ts';

const pane: ClickTarget = { kind: 'pane', pane: 'main' };
const outer = { x: 10, y: 2, width: 20, height: 10, targetAt: () => pane };

/** An area within the outer one, with a target on its second row. */
const inner = {
  x: 12,
  y: 4,
  width: 5,
  height: 3,
  targetAt: (x: number, y: number): ClickTarget | undefined =>
    y === 1 ? { kind: 'detail', key: `${x}`, index: y } : undefined,
};

test('a cell has the target of the smallest area that has one there, by its own cells', () => {
  for (const frame of [
    [outer, inner],
    [inner, outer],
  ]) {
    expect(targetIn(frame, { x: 13, y: 5 })).toEqual({ kind: 'detail', key: '1', index: 1 });
    expect(targetIn(frame, { x: 13, y: 4 })).toEqual(pane);
    expect(targetIn(frame, { x: 10, y: 2 })).toEqual(pane);
    expect(targetIn(frame, { x: 29, y: 11 })).toEqual(pane);
  }
});

test('a cell outside of all areas has none, wherever a report says it is', () => {
  for (const cell of [
    { x: 9, y: 2 },
    { x: 10, y: 1 },
    { x: 30, y: 2 },
    { x: 10, y: 12 },
    { x: 99_998, y: 99_998 },
  ]) {
    expect(targetIn([outer, inner], cell)).toBeUndefined();
  }
  expect(targetIn([], { x: 0, y: 0 })).toBeUndefined();
});
