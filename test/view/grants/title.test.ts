import { expect, it } from 'vitest';
import { spansText } from '../../../source/view/text/fit.ts';
import { spendingLine } from '../../../source/view/grants/title.ts';

const hour = 3_600_000;

it('the title shows the total rate, and when the first grant runs out', () => {
  const line = spendingLine({ rate: 2.1604, outIn: 11.3 * hour });
  expect(spansText(line)).toBe('2.16/h, out in 11h');
  expect(line.at(-1)).toEqual({ text: 'out in 11h', token: 'busy' });
  expect(spansText(spendingLine({ rate: 0, outIn: undefined }))).toBe('0/h');
  expect(spendingLine(undefined)).toEqual([]);
});
