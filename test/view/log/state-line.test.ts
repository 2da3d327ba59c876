import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogFilterState } from '../../../source/store/log/reader/filter.ts';
import type { LogSearchState } from '../../../source/store/log/reader/search.ts';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { noMatchText, queryStrip } from '../../../source/view/log/state-line.ts';

const noFilter: LogFilterState = {
  filters: [],
  active: undefined,
  services: undefined,
  members: undefined,
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
  jumps: 0,
};
const timeout: LogFilterState = {
  ...noFilter,
  active: [{ query: { text: 'timeout', regex: false }, isExcluding: false, isOn: true }],
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
const stripText = (filter: LogFilterState, search: LogSearchState, width = 80) =>
  queryStrip(filter, search, width)
    .map((part) => part.text)
    .join('');

describe('the strip below the title of a log', () => {
  test('shows the number of filtered lines at the left and the current match at the right', () => {
    const text = stripText(timeout, pay);
    expect(text).toMatch(/^& timeout {2}41 of 88,113 +\/ pay {2}3 of 3$/);
    expect(text).toHaveLength(80);
  });

  test('shows a filter in the colour of what needs attention, a search in none', () => {
    const [filter] = queryStrip(timeout, noSearch, 80);
    const [search] = queryStrip(noFilter, pay, 80);
    expect([filter?.token, search?.token]).toEqual(['busy', undefined]);
  });

  test('is empty without a filter or search', () => {
    expect(queryStrip(noFilter, noSearch, 80)).toEqual([]);
  });

  test('shows counts while the scan runs', () => {
    expect(stripText({ ...timeout, looked: 12_000, done: false }, noSearch)).toBe(
      '& timeout  41+ of 12,000...',
    );
    expect(stripText(noFilter, { ...pay, newer: 9, done: false })).toBe('/ pay  12+ matches...');
    expect(stripText(noFilter, { ...pay, at: undefined, older: 0, done: false })).toBe(
      '/ pay  searching...',
    );
  });

  test('shows the direction of a search, and that no match exists', () => {
    expect(stripText(noFilter, { ...pay, looking: 'older', done: false })).toBe(
      '/ pay  searching older lines...',
    );
    expect(stripText(noFilter, { ...pay, missed: 'older' })).toBe('/ pay  3 of 3, no older match');
    expect(stripText(noFilter, { ...pay, at: undefined, older: 0 })).toBe('/ pay  no match');
    expect(stripText(noFilter, { ...pay, at: undefined })).toBe('/ pay  2 matches');
  });

  test('distinguishes a regular expression from text', () => {
    expect(stripText(noFilter, { ...pay, query: { text: 'pay', regex: true } })).toBe(
      '/ re:pay  3 of 3',
    );
  });

  test('cuts a long query, never its count', () => {
    const query = { text: 'x'.repeat(200), regex: false };
    const long = { ...timeout, active: [{ query, isExcluding: false, isOn: true }] };
    expect(stripText(long, pay, 64)).toBe(`& ${'x'.repeat(31)}…  41 of 88,113   / pay  3 of 3`);
  });

  test('shortens the counts in a narrow row', () => {
    expect(stripText(timeout, pay, 30)).toBe('& timeout 41         / pay 3/3');
    expect(stripText(timeout, pay, 59)).toContain('41 of 88,113');
    const missed = { ...pay, missed: 'older' } as const;
    expect(stripText(timeout, missed, 40)).toContain('3 of 3, no older match');
  });

  test('shows the error of an invalid query instead of all else', () => {
    const problem = { sentence: 'This takes too long.', next: '' };
    expect(queryStrip({ ...timeout, problem }, pay, 80)).toEqual([
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
        fc.integer({ min: 60, max: 120 }),
        fc.boolean(),
        (one, two, width, done) => {
          const text = stripText(
            { ...timeout, active: [{ query: one, isExcluding: false, isOn: true }], done },
            { ...pay, query: two, done },
            width,
          );
          expect(cellWidth(sanitize(text))).toBeLessThanOrEqual(width);
          expect(text).toContain(done ? ' 41 of 88,113 ' : ' 41+ of 88,113... ');
          expect(text).toContain(done ? ' 3 of 3' : ' 3+ matches...');
        },
      ),
    );
  });
});

describe('the notice of a filter without matches', () => {
  test('shows the number of lines and the key that clears the filter', () => {
    expect(noMatchText({ ...timeout, matched: 0 })).toBe(
      '0 of 88,113 lines match. Esc turns it off.',
    );
    expect(
      noMatchText({ ...timeout, active: undefined, services: new Set(['web']), matched: 0 }),
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
