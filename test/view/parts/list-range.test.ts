import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleRange } from '../../../source/view/parts/list-pane.tsx';
import { titleEnd } from '../../../source/view/parts/title.tsx';

test('the range names the visible rows where some are hidden', () => {
  expect(visibleRange(0, 23, 30)).toBe('1-23');
  expect(visibleRange(7, 23, 30)).toBe('8-30');
  expect(visibleRange(4, 1, 9)).toBe('5');
  expect(visibleRange(0, 30, 30)).toBe('');
  expect(visibleRange(0, 0, 30)).toBe('');
  expect(visibleRange(999, 20, 10_000)).toBe('1,000-1,019');
});

test('a range never goes beyond the rows', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.nat(50), (top, height, count) => {
      const text = visibleRange(top, height, count);
      if (text !== '') expect(Number(text.split('-').at(-1))).toBeLessThanOrEqual(count);
    }),
  );
});

test('the state of a list gives way to nothing, its range to the state', () => {
  const state = [{ text: '2.16/h' }];
  expect(titleEnd('1-3', state, 20)).toEqual([{ text: '1-3 | ' }, ...state]);
  expect(titleEnd('1-3', state, 11)).toEqual(state);
  expect(titleEnd('1-3', [], 2)).toEqual([{ text: '1-3' }]);
  expect(titleEnd('', state, 20)).toEqual(state);
});
