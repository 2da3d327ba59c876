import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activeFilters,
  filterOf,
  filtersText,
  type LineFilter,
  matcherOfFilters,
  problemOfFilters,
  typedFilter,
} from '../../../source/tail/query/line-filters.ts';
import { parseLineQuery } from '../../../source/tail/query/log-query.ts';

const on = (text: string, regex = false): LineFilter => filterOf({ text, regex });
const off = (text: string): LineFilter => ({ ...on(text), isOn: false });
const excluding = (text: string): LineFilter => filterOf({ text, regex: false }, true);

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
    expect(filtersText([excluding('level:warn pay'), excluding('!a')])).toBe('!(level:warn pay) a');
  });

  it('excludes exactly the lines that its query matches, terms included', () => {
    const filters = [excluding('level:error timeout')];
    expect(accepts(filters, 'error: timeout')).toBe(false);
    expect(accepts(filters, 'error: pay')).toBe(true);
    expect(accepts(filters, 'a timeout')).toBe(true);
    expect(accepts([excluding(String.raw`\!text`)], 'a !text')).toBe(false);
    expect(accepts([excluding(String.raw`\!text`)], 'a text')).toBe(true);
  });

  it('means what was typed, and can be typed again', () => {
    const part = fc.constantFrom('!', '\\', 'level:error', 'service:a', 'level:', 'a', 'b', ' ');
    const typed = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    const line = fc.constantFrom('a', 'b', 'error a', 'error b', '!a', String.raw`\!a`, 'x', 'a b');
    fc.assert(
      fc.property(typed, fc.boolean(), line, (text, isInverted, logLine) => {
        const query = { text, regex: false };
        const read = parseLineQuery(query);
        const filter = filterOf(query, isInverted);
        const hasCriteria = read.ok && read.value.hasCriteria;
        const expected = !hasCriteria || read.value.matches(logLine, 'a') !== isInverted;
        expect(accepts([filter], logLine, 'a')).toBe(expected);
        const again = typedFilter(filter);
        expect(filterOf(again.query, again.isExcluding)).toEqual(filter);
      }),
    );
  });

  it('accepts exactly the lines that each filter accepts, and no prefilter skips one', () => {
    const word = fc.stringMatching(/^!?[abc]{1,3}$/);
    const filter = fc.record({
      query: fc.record({ text: word, regex: fc.boolean() }),
      isExcluding: fc.boolean(),
      isOn: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(filter, { maxLength: 5 }),
        fc.stringMatching(/^[abcd ]{0,20}$/),
        (filters, text) => {
          const expected = filters.every(({ query, isExcluding, isOn }) => {
            const read = parseLineQuery(query);
            return !isOn || !read.ok || read.value.matches(text, undefined) !== isExcluding;
          });
          expect(accepts(filters, text)).toBe(expected);
          const { mayMatch } = matcherOfFilters(filters) ?? {};
          if (expected) expect(mayMatch?.(text) ?? true).toBe(true);
        },
      ),
    );
  });
});
