/** The term `pattern:` of a query, which takes all text behind it as a template of lines. */
import { anything, mask } from '../patterns/mask-line.ts';
import { templateTest } from '../patterns/template.ts';
import { createPrefilter, type Prefilter } from './prefilter.ts';

const prefix = 'pattern:';

/** The test of a pattern, and a prefilter of the lines that pass it. */
export interface PatternTest {
  readonly matches: (text: string) => boolean;
  readonly prefilter: Prefilter | undefined;
}

/** Returns the query for the lines of a template: `pattern:user <*> opened <#> files`. */
export function patternTerm(template: string): string {
  return prefix + template;
}

/**
 * Returns the test of a query that starts with `pattern:`; undefined for any
 * other, and without a template. `<#>` stands for a
 * number, an id, an address or a time, and `<*>` for any word.
 */
export function patternTest(query: string): PatternTest | undefined {
  if (!query.startsWith(prefix)) return undefined;
  const template = query
    .slice(prefix.length)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/^ | $/g, '');
  if (template === '') return undefined;
  const literal = literalOf(template).replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return { matches: templateTest(template), prefilter: createPrefilter(literal, '') };
}

/** Returns the longest text that is in each line of a template. */
function literalOf(template: string): string {
  const texts = template.split(mask).flatMap((part) => part.split(anything));
  return texts
    .flatMap((part) => part.split(' '))
    .reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
