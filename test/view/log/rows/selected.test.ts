import { expect, test } from 'vitest';
import { plain, span } from '../../../../source/view/text/line.ts';
import { selectedRows } from '../../../../source/view/log/rows/selected.ts';

const rows = [[span(' 12:00 ', 'info'), span('text', 'bad')], plain('goes on')];

test('rows of a selected line have a sign in the gutter and the colours of a selection', () => {
  const selected = selectedRows(rows);
  expect(selected[0]?.map(({ text }) => text)).toEqual(['|12:00 ', 'text']);
  expect(selected.flat().every(({ token }) => token === 'select')).toBe(true);
  expect(selected[1]?.[0]?.text).toBe('goes on');
});

test('the cursor keeps its sign', () => {
  expect(selectedRows([plain('>text')])[0]?.[0]?.text).toBe('>text');
});

test('unchanged rows keep their identity when they are drawn again', () => {
  expect(selectedRows(rows)).toBe(selectedRows(rows));
});
