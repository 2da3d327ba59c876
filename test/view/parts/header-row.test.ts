import { expect, it } from 'vitest';
import { hasHeaderRow } from '../../../source/view/parts/list-pane.tsx';

it('a list names its columns from 16 rows of the terminal and 4 of the pane on', () => {
  expect(hasHeaderRow(16, 4, 30)).toBe(true);
  expect(hasHeaderRow(15, 4, 30)).toBe(false);
  expect(hasHeaderRow(16, 3, 30)).toBe(false);
});

it('a smaller one names the columns if all its rows fit, and an empty one never does', () => {
  expect(hasHeaderRow(12, 8, 7)).toBe(true);
  expect(hasHeaderRow(12, 8, 8)).toBe(false);
  expect(hasHeaderRow(24, 3, 2)).toBe(true);
  expect(hasHeaderRow(24, 3, 3)).toBe(false);
  expect(hasHeaderRow(24, 20, 0)).toBe(false);
});
