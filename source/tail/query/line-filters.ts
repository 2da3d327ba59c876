/** A list of filters: each one includes or excludes lines, and can be switched off. */
import {
  invertedPart,
  type LineMatcher,
  type LineQuery,
  parseLineQuery,
  type QueryProblem,
} from './log-query.ts';
import type { Prefilter } from './prefilter.ts';

/** A filter of a list. */
export interface LineFilter {
  readonly query: LineQuery;
  /** True for a filter that only lines outside of its query pass. */
  readonly isExcluding: boolean;
  readonly isOn: boolean;
}

/** A filter as a prompt shows it: a query as typed, and whether its matches are excluded. */
export type TypedFilter = Pick<LineFilter, 'query' | 'isExcluding'>;

/** Returns the filter of a typed query. A `!` that inverts all of it makes an excluding filter. */
export function filterOf(query: LineQuery, isExcluding = false): LineFilter {
  const text = invertedPart(query.text);
  if (text === undefined) return { query, isExcluding, isOn: true };
  return { query: { ...query, text }, isExcluding: !isExcluding, isOn: true };
}

/** Returns a filter as it can be typed: with a leading `!` when that excludes the same lines. */
export function typedFilter({ query, isExcluding }: TypedFilter): TypedFilter {
  const text = `!${query.text}`;
  if (!isExcluding || invertedPart(text) !== query.text) return { query, isExcluding };
  return { query: { ...query, text }, isExcluding: false };
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
  const tests = activeFilters(filters).flatMap(({ query, isExcluding }) => {
    const read = parseLineQuery(query);
    if (!read.ok) return [];
    return [isExcluding ? invertedMatcher(read.value) : read.value];
  });
  const [first, ...others] = tests;
  if (first === undefined || others.length === 0) return first;
  const guards = tests.flatMap(({ mayMatch }) => mayMatch ?? []);
  return {
    hasCriteria: true,
    isCheap: tests.every(({ isCheap }) => isCheap),
    matches: passesAll(tests),
    mayMatch: guards.length === 0 ? undefined : (text) => guards.every((may) => may(text)),
    prefilter: rarestPrefilter(tests),
    readsDeployment: tests.some(({ readsDeployment }) => readsDeployment),
    spans: (...part) => tests.flatMap((test) => test.spans(...part)).toSorted(([a], [b]) => a - b),
  };
}

/** Lines after which the tests are ordered again. */
const orderInterval = 128;

/**
 * Returns the test that a line passes if it passes all. Tests that reject the largest part of the lines
 * they see come first.
 */
function passesAll(tests: readonly LineMatcher[]): LineMatcher['matches'] {
  const ordered = tests.map((test) => ({ test, seen: 1, rejected: 0 }));
  const rate = (each: (typeof ordered)[number]): number => each.rejected / each.seen;
  let lines = 0;
  return (text, service, deployment) => {
    lines += 1;
    if (lines % orderInterval === 0) ordered.sort((left, right) => rate(right) - rate(left));
    for (const each of ordered) {
      each.seen += 1;
      if (each.test.matches(text, service, deployment)) continue;
      each.rejected += 1;
      return false;
    }
    return true;
  };
}

/**
 * Returns the prefilter with the heaviest text, which the fewest lines contain. A line must pass every
 * prefilter, so that one of them may skip it.
 */
function rarestPrefilter(tests: readonly LineMatcher[]): Prefilter | undefined {
  return tests
    .flatMap(({ prefilter }) => prefilter ?? [])
    .reduce<Prefilter | undefined>(
      (rarest, each) => (rarest === undefined || each.weight > rarest.weight ? each : rarest),
      undefined,
    );
}

/** Returns the test that a line passes if it passes one of several. */
export function anyMatcher(tests: readonly LineMatcher[]): LineMatcher {
  return {
    hasCriteria: tests.every(({ hasCriteria }) => hasCriteria),
    isCheap: tests.every(({ isCheap }) => isCheap),
    matches: (...line) => tests.some((test) => test.matches(...line)),
    readsDeployment: tests.some(({ readsDeployment }) => readsDeployment),
    mayMatch: undefined,
    prefilter: undefined,
    spans: () => [],
  };
}

/** Returns the test that exactly the other lines pass. */
export function invertedMatcher(test: LineMatcher): LineMatcher {
  return {
    hasCriteria: test.hasCriteria,
    isCheap: test.isCheap,
    matches: (...line) => !test.matches(...line),
    readsDeployment: test.readsDeployment,
    mayMatch: undefined,
    prefilter: undefined,
    spans: () => [],
  };
}

/** Returns a query as it was typed; `re:` marks a regular expression. */
export function shownQuery({ text, regex }: LineQuery): string {
  return regex ? `re:${text}` : text;
}

/** Returns filters as one text: `error !/health !(level:warn pay)`. */
export function filtersText(filters: readonly LineFilter[]): string {
  const texts = filters.map((filter) => {
    const { query, isExcluding } = typedFilter(filter);
    return isExcluding ? `!(${shownQuery(query)})` : shownQuery(query);
  });
  return texts.join(' ');
}
