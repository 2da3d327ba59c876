import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogFilterState } from '../../../source/store/log/reader/filter.ts';
import type { LogSearchState } from '../../../source/store/log/reader/search.ts';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { logStateLine, noMatchText } from '../../../source/view/log/state-line.ts';

const noFilter: LogFilterState = {
  query: undefined,
  services: undefined,
  problem: undefined,
  matched: 0,
  looked: 0,
  total: 0,
  done: true,
};
const noSearch: LogSearchState = {
  query: undefined,
  problem: undefined,
  at: undefined,
  newer: 0,
  older: 0,
  looking: undefined,
  missed: undefined,
  done: true,
};
const timeout: LogFilterState = {
  ...noFilter,
  query: { text: 'timeout', regex: false },
  matched: 41,
  looked: 88_113,
  total: 88_113,
};
const pay: LogSearchState = {
  ...noSearch,
  query: { text: 'pay', regex: false },
  at: 7,
  older: 2,
};
const rowText = (
  filter: LogFilterState,
  search: LogSearchState,
  { frozen = undefined as string | undefined, width = 80 } = {},
) =>
  logStateLine(filter, search, frozen, width)
    .map((part) => part.text)
    .join('');

describe('the row above the keys', () => {
  test('shows the number of filtered lines and the current match', () => {
    expect(rowText(timeout, pay)).toBe(
      '&timeout 41 of 88,113   /pay: match 3 of 3, n newer, N older',
    );
  });

  test('is empty without a filter or search', () => {
    expect(rowText(noFilter, noSearch, { frozen: 'PAUSED' })).toBe('');
  });

  test('shows counts while the scan runs', () => {
    expect(rowText({ ...timeout, looked: 12_000, done: false }, noSearch)).toBe(
      '&timeout 41+ of 12,000...',
    );
    expect(rowText(noFilter, { ...pay, newer: 9, done: false })).toBe(
      '/pay: 12+ matches..., n newer, N older',
    );
    expect(rowText(noFilter, { ...pay, at: undefined, older: 0, done: false })).toBe(
      '/pay: searching...',
    );
  });

  test('shows the direction of a search, and that no match exists', () => {
    expect(rowText(noFilter, { ...pay, looking: 'older', done: false })).toBe(
      '/pay: searching older lines...',
    );
    expect(rowText(noFilter, { ...pay, missed: 'older' })).toBe(
      '/pay: match 3 of 3, no older match',
    );
    expect(rowText(noFilter, { ...pay, at: undefined, older: 0 })).toBe('/pay: no match');
    expect(rowText(noFilter, { ...pay, at: undefined })).toBe('/pay: 2 matches, n newer, N older');
  });

  test('distinguishes a regular expression from text', () => {
    expect(rowText(noFilter, { ...pay, query: { text: 'pay', regex: true } })).toBe(
      '/re:pay: match 3 of 3, n newer, N older',
    );
  });

  test('ends with the paused state if there is room', () => {
    expect(rowText(timeout, noSearch, { frozen: 'PAUSED +3' })).toBe(
      '&timeout 41 of 88,113   PAUSED +3',
    );
    expect(rowText(timeout, noSearch, { frozen: 'PAUSED +3', width: 30 })).toBe(
      '&timeout 41 of 88,113',
    );
  });

  test('omits the keys before it cuts a query', () => {
    expect(rowText(timeout, pay, { width: 50 })).toBe('&timeout 41 of 88,113   /pay: match 3 of 3');
    const long = { ...timeout, query: { text: 'x'.repeat(200), regex: false } };
    expect(rowText(long, pay, { width: 50 })).toBe(
      '&xxxxxxxxxxxxxx… 41 of 88,113   /pay: match 3 of 3',
    );
  });

  test('shows the error of an invalid query instead of all else', () => {
    const problem = { sentence: 'This takes too long.', next: '' };
    expect(logStateLine({ ...timeout, problem }, pay, undefined, 80)).toEqual([
      { text: 'This takes too long.', token: 'bad' },
    ]);
  });

  test('always fits the width and contains every count', () => {
    const query = fc.record({
      text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      regex: fc.boolean(),
    });
    fc.assert(
      fc.property(
        query,
        query,
        fc.integer({ min: 40, max: 120 }),
        fc.boolean(),
        (one, two, width, done) => {
          const text = rowText(
            { ...timeout, query: one, done },
            { ...pay, query: two, done },
            { width },
          );
          expect(cellWidth(sanitize(text))).toBeLessThanOrEqual(width);
          expect(text).toContain(done ? ' 41 of 88,113   ' : ' 41+ of 88,113...   ');
          expect(text).toContain(done ? ': match 3 of 3' : ': 3+ matches...');
        },
      ),
    );
  });
});

describe('the notice of a filter without matches', () => {
  test('shows the number of lines and the key that clears the filter', () => {
    expect(noMatchText({ ...timeout, matched: 0 })).toBe(
      '0 of 88,113 lines match. Esc clears the filter.',
    );
    expect(
      noMatchText({ ...timeout, query: undefined, services: new Set(['web']), matched: 0 }),
    ).toBe('0 of 88,113 lines are of the selected services. s selects services.');
  });

  test('shows the progress while the filter runs', () => {
    expect(noMatchText({ ...timeout, matched: 0, looked: 500, done: false })).toBe(
      '0 of 500 lines match so far. Searching...',
    );
  });

  test('is absent without a filter or without lines', () => {
    expect(noMatchText(noFilter)).toBeUndefined();
    expect(noMatchText({ ...timeout, matched: 0, total: 0 })).toBeUndefined();
  });
});
