import { expect, test } from 'vitest';
import { alertCounts } from '../../../source/store/alerts/alert-kinds.ts';

test('row 1 counts failures as one number, and the grants that end', () => {
  const texts = (...kinds: Parameters<typeof alertCounts>[0]) =>
    alertCounts(kinds).map(({ text }) => text);
  expect(texts()).toEqual([]);
  expect(texts('failed', 'disk low')).toEqual(['disk low', '1 failing']);
  expect(texts('crashing', 'failed', 'restart failed')).toEqual(['3 failing']);
  expect(texts('grant ending', 'failed')).toEqual(['1 failing', '1 grant ending']);
  expect(texts('grant ending', 'grant ending')).toEqual(['2 grants ending']);
  expect(texts('token rejected', 'restart unconfirmed')).toEqual([]);
});
