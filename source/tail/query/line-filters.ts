/** A list of filters: each one includes or excludes lines, and can be switched off. */
import {
  type LineMatcher,
  type LineQuery,
  parseLineQuery,
  type QueryProblem,
} from './log-query.ts';

/** A filter of a list. Its query excludes lines when its text begins with `!`. */
export interface LineFilter {
  readonly query: LineQuery;
  readonly isOn: boolean;
}

/** Returns the filters that are on and have criteria. */
export function activeFilters(filters: readonly LineFilter[]): readonly LineFilter[] {
  return filters.filter(({ query, isOn }) => {
    const read = parseLineQuery(query);
    return isOn && read.ok && read.value.hasCriteria;
  });
}

/** Returns the first problem of the filters; undefined when all are valid. */
export function problemOfFilters(filters: readonly LineFilter[]): QueryProblem | undefined {
  for (const { query } of filters) {
    const read = parseLineQuery(query);
    if (!read.ok) return read.error;
  }
  return undefined;
}

/**
 * Returns the test of a line against all filters that are on: every one must accept it. Undefined
 * when none is on.
 */
export function matcherOfFilters(filters: readonly LineFilter[]): LineMatcher | undefined {
  const tests = activeFilters(filters).flatMap(({ query }) => {
    const read = parseLineQuery(query);
    return read.ok ? [read.value] : [];
  });
  const [first, ...others] = tests;
  if (first === undefined || others.length === 0) return first;
  const guards = tests.flatMap(({ mayMatch }) => mayMatch ?? []);
  return {
    hasCriteria: true,
    isCheap: tests.every(({ isCheap }) => isCheap),
    matches: (text, service) => tests.every((test) => test.matches(text, service)),
    mayMatch: guards.length === 0 ? undefined : (text) => guards.every((may) => may(text)),
    // A line must pass every prefilter, so one of them may skip it.
    prefilter: tests.find(({ prefilter }) => prefilter !== undefined)?.prefilter,
    spans: (text) => tests.flatMap((test) => test.spans(text)).toSorted(([a], [b]) => a - b),
  };
}

/** Returns the query of a filter that excludes what it included, or the reverse. */
export function invertedQuery({ text, regex }: LineQuery): LineQuery {
  if (text.startsWith('!')) return { text: text.slice(1), regex };
  return { text: `!${text}`, regex };
}

/** Returns a query as it was typed; `re:` marks a regular expression. */
export function shownQuery({ text, regex }: LineQuery): string {
  return regex ? `re:${text}` : text;
}

/** Returns filters as one text. */
export function filtersText(filters: readonly LineFilter[]): string {
  return filters.map(({ query }) => shownQuery(query)).join(' ');
}
