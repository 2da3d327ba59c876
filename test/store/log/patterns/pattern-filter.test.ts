import { expect, test } from 'vitest';
import {
  patternFilter,
  patternQuery,
  withHiddenPattern,
  withOnlyPattern,
} from '../../../../source/store/log/patterns/pattern-filter.ts';
import {
  filterOf,
  filtersText,
  type LineFilter,
  matcherOfFilters,
} from '../../../../source/tail/query/line-filters.ts';

const paid = { template: 'paid <#>', level: undefined } as const;
const failed = { template: '"GET / HTTP/<#>" <#>', level: 'error' } as const;
const fine = { ...failed, level: undefined };

function accepts(filters: readonly LineFilter[], text: string): boolean {
  return matcherOfFilters(filters)?.matches(text, undefined) ?? true;
}

test('a pattern is shown alone, beside the filters that are no patterns', () => {
  const word = filterOf({ text: 'paid', regex: false });
  const filters = withOnlyPattern(withOnlyPattern([word], failed), paid);
  expect(filters.map(({ isOn }) => isOn)).toEqual([true, false, true]);
  expect(accepts(filters, 'paid 7')).toBe(true);
  expect(accepts(filters, 'paid late')).toBe(false);
  expect(patternFilter(filters, paid)).toBe('shown');
  expect(patternFilter(filters, failed)).toBeUndefined();
});

test('a pattern is hidden, and shown again', () => {
  const hidden = withHiddenPattern(withOnlyPattern([], paid), paid);
  expect(filtersText(hidden)).toBe('!pattern:paid <#>');
  expect(accepts(hidden, 'paid 7')).toBe(false);
  expect(patternFilter(hidden, paid)).toBe('hidden');
  expect(withHiddenPattern(hidden, paid)).toEqual([]);
});

test('requests that failed and others are two patterns, also for filters', () => {
  const only = withOnlyPattern([], failed);
  expect(accepts(only, '"GET / HTTP/1.1" 503')).toBe(true);
  expect(accepts(only, '"GET / HTTP/1.1" 200')).toBe(false);
  const hidden = withHiddenPattern([], fine);
  expect(accepts(hidden, '"GET / HTTP/1.1" 503')).toBe(true);
  expect(accepts(hidden, '"GET / HTTP/1.1" 200')).toBe(false);
});

test('empty lines have a pattern that filters them', () => {
  const query = patternQuery({ template: '', level: undefined });
  expect(accepts([filterOf(query)], ' ')).toBe(true);
  expect(accepts([filterOf(query)], 'x')).toBe(false);
});
