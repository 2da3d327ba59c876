import { expect, test } from 'vitest';
import {
  ClickMap,
  type ClickTarget,
  targetIn,
  targetName,
} from '../../../source/view/parts/click-map.ts';

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

test('while a box is open, its areas alone take clicks', () => {
  const map = new ClickMap();
  const node = { yogaNode: undefined } as unknown as Parameters<ClickMap['set']>[1]['node'];
  map.set({}, { node, targetAt: () => pane });
  map.set({}, { node, targetAt: () => undefined, isInBox: true });
  expect(map.frame()).toHaveLength(2);
  map.cover(true);
  expect(map.frame()).toHaveLength(1);
  expect(map.frame()).toBe(map.frame());
  map.cover(false);
  expect(map.frame()).toHaveLength(2);
});

test('the name of an item leaves out how far the cursor of its list is', () => {
  const item = (steps: number, name = 'web'): ClickTarget => ({
    kind: 'box',
    box: 'service',
    stop: { kind: 'item', index: 1, name, steps },
  });
  expect(targetName(item(1))).toBe(targetName(item(0)));
  expect(targetName(item(1))).not.toBe(targetName(item(1, 'api')));
  expect(targetName(pane)).not.toBe(targetName(undefined));
});
