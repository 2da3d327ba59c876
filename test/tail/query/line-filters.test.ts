import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activeFilters,
  filtersText,
  invertedQuery,
  type LineFilter,
  matcherOfFilters,
  problemOfFilters,
} from '../../../source/tail/query/line-filters.ts';
import { parseLineQuery } from '../../../source/tail/query/log-query.ts';

const on = (text: string, regex = false): LineFilter => ({ query: { text, regex }, isOn: true });
const off = (text: string): LineFilter => ({ query: { text, regex: false }, isOn: false });

function accepts(filters: readonly LineFilter[], text: string, service?: string): boolean {
  return matcherOfFilters(filters)?.matches(text, service) ?? true;
}

describe('a list of filters', () => {
  it('combines what it includes with what it excludes', () => {
    const filters = [on('error'), on('!/health')];
    expect(accepts(filters, 'error in /pay')).toBe(true);
    expect(accepts(filters, 'error in /health')).toBe(false);
    expect(accepts(filters, 'GET /pay')).toBe(false);
  });

  it('ignores filters that are off, and those without criteria', () => {
    const filters = [off('error'), on(''), on('level:'), on('pay')];
    expect(activeFilters(filters)).toEqual([filters[3]]);
    expect(accepts(filters, 'GET /pay')).toBe(true);
    expect(matcherOfFilters([off('error')])).toBeUndefined();
  });

  it('has the problem of its first invalid filter', () => {
    expect(problemOfFilters([on('a'), on('(', true)])?.sentence).toMatch(/regular expression/);
    expect(problemOfFilters([on('a'), off('b')])).toBeUndefined();
  });

  it('is shown as its texts', () => {
    expect(filtersText([on('error'), on('!/health'), on('p.y', true)])).toBe(
      'error !/health re:p.y',
    );
  });

  it('inverts a query and back', () => {
    const query = { text: 'pay', regex: true };
    expect(invertedQuery(query)).toEqual({ text: '!pay', regex: true });
    expect(invertedQuery(invertedQuery(query))).toEqual(query);
  });

  it('accepts exactly the lines that each filter accepts, and no prefilter skips one', () => {
    const word = fc.stringMatching(/^!?[abc]{1,3}$/);
    const filter = fc.record({
      query: fc.record({ text: word, regex: fc.boolean() }),
      isOn: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(filter, { maxLength: 5 }),
        fc.stringMatching(/^[abcd ]{0,20}$/),
        (filters, text) => {
          const expected = filters.every(({ query, isOn }) => {
            const read = parseLineQuery(query);
            return !isOn || !read.ok || read.value.matches(text, undefined);
          });
          expect(accepts(filters, text)).toBe(expected);
          const { mayMatch } = matcherOfFilters(filters) ?? {};
          if (expected) expect(mayMatch?.(text) ?? true).toBe(true);
        },
      ),
    );
  });
});
