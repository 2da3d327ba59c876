import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogFilterState } from '../../../source/store/log/reader/filter.ts';
import type { LogSearchState } from '../../../source/store/log/reader/search.ts';
import { cellWidth } from '../../../source/terminal/screen/cells.ts';
import { sanitize } from '../../../source/terminal/screen/sanitize.ts';
import { logStateLine, unmatchedText } from '../../../source/view/log/state-line.ts';

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
const said = (
  filter: LogFilterState,
  search: LogSearchState,
  { frozen = undefined as string | undefined, width = 80 } = {},
) =>
  logStateLine(filter, search, frozen, width)
    .map((part) => part.text)
    .join('');

describe('the row above the keys', () => {
  test('says how many lines the filter leaves, and which match the cursor is on', () => {
    expect(said(timeout, pay)).toBe('&timeout 41 of 88,113   /pay: match 3 of 3, n newer, N older');
  });

  test('is empty where nothing is filtered or searched for', () => {
    expect(said(noFilter, noSearch, { frozen: 'FROZEN' })).toBe('');
  });

  test('counts while lines are looked at', () => {
    expect(said({ ...timeout, looked: 12_000, done: false }, noSearch)).toBe(
      '&timeout 41+ of 12,000...',
    );
    expect(said(noFilter, { ...pay, newer: 9, done: false })).toBe(
      '/pay: 12+ matches..., n newer, N older',
    );
    expect(said(noFilter, { ...pay, at: undefined, older: 0, done: false })).toBe(
      '/pay: looking...',
    );
  });

  test('says where a match is looked for, and where there is none', () => {
    expect(said(noFilter, { ...pay, looking: 'older', done: false })).toBe(
      '/pay: looking for an older match...',
    );
    expect(said(noFilter, { ...pay, missed: 'older' })).toBe('/pay: match 3 of 3, no older match');
    expect(said(noFilter, { ...pay, at: undefined, older: 0 })).toBe('/pay: no match');
    expect(said(noFilter, { ...pay, at: undefined })).toBe('/pay: 2 matches, n newer, N older');
  });

  test('tells a regular expression from text', () => {
    expect(said(noFilter, { ...pay, query: { text: 'pay', regex: true } })).toBe(
      '/re:pay: match 3 of 3, n newer, N older',
    );
  });

  test('has the frozen view behind it where there is room', () => {
    expect(said(timeout, noSearch, { frozen: 'FROZEN +3 new' })).toBe(
      '&timeout 41 of 88,113   FROZEN +3 new',
    );
    expect(said(timeout, noSearch, { frozen: 'FROZEN +3 new', width: 30 })).toBe(
      '&timeout 41 of 88,113',
    );
  });

  test('leaves the keys out before it cuts a query short', () => {
    expect(said(timeout, pay, { width: 50 })).toBe('&timeout 41 of 88,113   /pay: match 3 of 3');
    const long = { ...timeout, query: { text: 'x'.repeat(200), regex: false } };
    expect(said(long, pay, { width: 50 })).toBe(
      '&xxxxxxxxxxxxxx… 41 of 88,113   /pay: match 3 of 3',
    );
  });

  test('says why a query does not hold before all else', () => {
    const problem = { sentence: 'This takes too long.', next: '' };
    expect(logStateLine({ ...timeout, problem }, pay, undefined, 80)).toEqual([
      { text: 'This takes too long.', token: 'bad' },
    ]);
  });

  test('always fits, with every count in it where a line can hold them', () => {
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
          const text = said(
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

describe('in place of lines that a filter leaves none of', () => {
  test('stands how many there are, and the key that brings them back', () => {
    expect(unmatchedText({ ...timeout, matched: 0 })).toBe(
      '0 of 88,113 lines match. Esc clears the filter.',
    );
    expect(
      unmatchedText({ ...timeout, query: undefined, services: new Set(['web']), matched: 0 }),
    ).toBe('0 of 88,113 lines are of the chosen services. s chooses services.');
  });

  test('stands that lines are still looked at', () => {
    expect(unmatchedText({ ...timeout, matched: 0, looked: 500, done: false })).toBe(
      '0 of 500 lines match so far. Looking...',
    );
  });

  test('stands nothing of it where nothing is filtered or there is no line', () => {
    expect(unmatchedText(noFilter)).toBeUndefined();
    expect(unmatchedText({ ...timeout, matched: 0, total: 0 })).toBeUndefined();
  });
});
