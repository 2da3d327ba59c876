import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripSilentCodes } from '../../../source/tail/silent-codes.ts';
import { joinedPattern, PatternGroups } from '../../../source/tail/patterns/pattern-groups.ts';
import { type LineMatcher, parseLineQuery } from '../../../source/tail/query/log-query.ts';
import { patternTerm } from '../../../source/tail/query/pattern-term.ts';
import { realLogs } from '../../support/real-logs.ts';

function parse(text: string): LineMatcher {
  const result = parseLineQuery({ text, regex: false });
  if (!result.ok) throw new Error(result.error.sentence);
  return result.value;
}

const matches = (query: string, text: string): boolean => parse(query).matches(text, undefined);

describe('a query for a pattern', () => {
  it('finds the lines of its template, however their values and spaces are', () => {
    const query = 'pattern:user <*> opened <#> files';
    expect(matches(query, 'user ann opened 3 files')).toBe(true);
    expect(matches(query, '\u001b[1muser\u001b[0m  b0b opened 10.5 files')).toBe(true);
    expect(matches(query, 'user ann opened no files')).toBe(false);
    expect(matches(query, 'user ann opened 3 files now')).toBe(false);
    expect(matches('pattern:by user=<*>', 'by user=ann')).toBe(true);
    expect(matches('pattern:by user=<*>', 'by id=ann')).toBe(false);
  });

  it('can be inverted and follow other terms', () => {
    expect(matches('!pattern:paid <#>', 'paid 7')).toBe(false);
    expect(matches('!pattern:paid <#>', 'refunded 7')).toBe(true);
    expect(matches('!level:error pattern:"GET /" <#>', '"GET /" 200')).toBe(true);
    expect(parse('pattern:').hasCriteria).toBe(false);
  });

  it('finds all lines of each pattern of a log, also behind its prefilter', () => {
    const groups = new PatternGroups();
    const lines = realLogs.flatMap((log) => log.lines).filter((line) => line.trim() !== '');
    const found = lines.map((line) => ({ line, pattern: groups.add(line) }));
    for (const { line, pattern } of found) {
      const query = parse(patternTerm(joinedPattern(pattern).tokens.join(' ')));
      expect(query.matches(line, undefined)).toBe(true);
      const { prefilter } = query;
      if (prefilter !== undefined)
        expect(stripSilentCodes(line).search(prefilter.text)).not.toBe(-1);
    }
  });

  it('is bounded for any template', () => {
    const token = fc.constantFrom('<*>', '<#>', '<', '*', 'a', 'b=<*>', '(', ' ', String.raw`\d`);
    fc.assert(
      fc.property(fc.array(token), fc.string(), (tokens, line) => {
        expect(matches(patternTerm(tokens.join('')), line)).toBeTypeOf('boolean');
      }),
    );
  });
});
