/** Filters of a log that stand for patterns. */
import { filterOf, type LineFilter } from '../../../tail/query/line-filters.ts';
import type { LineQuery } from '../../../tail/query/log-query.ts';
import { patternTerm } from '../../../tail/query/pattern-term.ts';
import { hidesLevel } from '../../../tail/patterns/pattern-groups.ts';
import type { SeenPattern } from './log-patterns.ts';

type Filters = readonly LineFilter[];

/** Terms that lines of each level pass, and no others. */
const levelTerms = {
  error: 'level:error ',
  warn: 'level:warn !level:error ',
  none: '!level:warn ',
};

/** Returns the query that the lines of a pattern match. */
export function patternQuery({
  template,
  level,
}: Pick<SeenPattern, 'template' | 'level'>): LineQuery {
  if (template === '') return { text: String.raw`^\s*$`, regex: true };
  const terms = hidesLevel(template) ? levelTerms[level ?? 'none'] : '';
  return { text: terms + patternTerm(template), regex: false };
}

/** Returns whether a filter that is on stands for a pattern, and shows or hides its lines. */
export function patternFilter(
  filters: Filters,
  pattern: Pick<SeenPattern, 'template' | 'level'>,
): 'shown' | 'hidden' | undefined {
  const { text } = patternQuery(pattern);
  const filter = filters.find(({ query, isOn }) => isOn && query.text === text);
  return filter && (filter.isExcluding ? 'hidden' : 'shown');
}

/** Returns the filters with one for a pattern as the only one that shows a pattern. */
export function withOnlyPattern(
  filters: Filters,
  pattern: Pick<SeenPattern, 'template' | 'level'>,
): Filters {
  const added = filterOf(patternQuery(pattern));
  // No line has two patterns, so the others would hide all of them.
  const others = filters.map((one) => (showsPattern(one) ? { ...one, isOn: false } : one));
  return [...others.filter(({ query }) => query.text !== added.query.text), added];
}

/** Returns the filters with one that hides a pattern, or without it. */
export function withHiddenPattern(
  filters: Filters,
  pattern: Pick<SeenPattern, 'template' | 'level'>,
): Filters {
  const hiding = filterOf(patternQuery(pattern), true);
  const others = filters.filter(({ query }) => query.text !== hiding.query.text);
  return patternFilter(filters, pattern) === 'hidden' ? others : [...others, hiding];
}

function showsPattern({ query, isExcluding }: LineFilter): boolean {
  return !isExcluding && !query.regex && / ?pattern:/.test(query.text);
}
