import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  joinedPattern,
  type Pattern,
  PatternGroups,
} from '../../../source/tail/patterns/pattern-groups.ts';
import { levelOf } from '../../../source/tail/level.ts';
import { templateTest } from '../../../source/tail/patterns/template.ts';

function shownPatterns(lines: readonly string[]): readonly string[] {
  const groups = new PatternGroups();
  for (const line of lines) groups.add(line);
  return groups.patterns().map(({ tokens }) => tokens.join(' '));
}

/** Lines of few words and numbers, so that many are alike. */
const word = fc.constantFrom('up', 'down', 'of', 'user=ann', 'user=bob', 'a', 'b', 'c', 'd', 'e');
const value = fc.constantFrom('7', 'id9', '10.0.0.1', '<*>', '"GET', 'ERROR', '[warn]', 'x/1');
const line = fc
  .array(fc.oneof(word, value), { minLength: 1, maxLength: 6 })
  .map((tokens) => tokens.join(' '));
const manyLines = fc.array(line, { maxLength: 120 });

describe('patterns of lines', () => {
  it('stand for lines that differ in values', () => {
    expect(shownPatterns(['paid 7 of 12', 'paid 8 of 13', 'paid 9 of 1'])).toEqual([
      'paid <#> of <#>',
    ]);
    expect(shownPatterns(['GET /a1/x for ann took 3ms', 'GET /b2/x for ann took 4ms'])).toEqual([
      'GET <*> for ann took <#>',
    ]);
  });

  it('stay apart while they differ in a few words', () => {
    const lines = ['Started', 'Stopped', 'Paused', 'Resumed'].map(
      (state) => `machine is ${state} now`,
    );
    expect(shownPatterns(lines)).toHaveLength(4);
  });

  it('take many words in one place for names', () => {
    const lines = ['ann', 'bob', 'eve', 'dan', 'kim'].map(
      (user) => `session of user=${user} was opened`,
    );
    expect(shownPatterns(lines)).toEqual(['session of user=<*> was opened']);
  });

  it('have one level each', () => {
    const groups = new PatternGroups();
    const ok = groups.add('"GET / HTTP/1.1" 200 12');
    const failed = groups.add('"GET / HTTP/1.1" 500 12');
    expect([ok.level, failed.level]).toEqual([undefined, 'error']);
    expect(groups.add('"GET / HTTP/1.1" 502 9')).toBe(failed);
    expect(groups.add('{"level":30,"msg":"a"}').level).toBeUndefined();
    expect(groups.add('{"level":50,"msg":"a"}').level).toBe('error');
  });

  it.each([
    ['E0102 15:04:05.678901 1 file.go:12] text', 'I0102 15:04:05.678901 1 file.go:12] text'],
    ['E260102 15:04:05.678 9 a.go:1] text', 'I260102 15:04:05.678 9 a.go:1] text'],
    ['E, [2026-01-02T15:04:05.123 #12] text', 'I, [2026-01-02T15:04:05.123 #12] text'],
    ['E/Tag( 1702): text', 'I/Tag( 1702): text'],
    ['[E 15:04:05.678 App] text', '[I 15:04:05.678 App] text'],
    ['[E 260102 15:04:05 web:12] text', '[I 260102 15:04:05 web:12] text'],
    ['01-02 15:04:05.678 1702 2395 E Tag: text', '01-02 15:04:05.678 1702 2395 I Tag: text'],
    ['01-02 15:04:05.678 root 1702 2395 E Tag: a', '01-02 15:04:05.678 root 1702 2395 I Tag: a'],
    ['01-02 15:04:05.678 E/Tag( 1702): text', '01-02 15:04:05.678 I/Tag( 1702): text'],
    [
      '2026-01-02T15:04:05.678+0000 E QUERY [conn1] a',
      '2026-01-02T15:04:05.678+0000 I QUERY [conn1] a',
    ],
    ['1:M 02 Jan 2026 15:04:05.678 # text', '1:M 02 Jan 2026 15:04:05.678 * text'],
    ['[ 12.345] (EE) text', '[ 12.345] (II) text'],
    ['<11>Jan 2 15:04:05 web app: text', '<14>Jan 2 15:04:05 web app: text'],
  ])('have the level that a format marks: %s', (troubled, calm) => {
    const groups = new PatternGroups();
    const patterns = [calm, troubled].map((text) => groups.add(text));
    expect(patterns.map(({ level }) => level)).toEqual([undefined, levelOf(troubled)]);
    expect(levelOf(troubled)).toBeDefined();
  });

  it('are the same for the same line always afterwards, and match it', () => {
    fc.assert(
      fc.property(manyLines, (lines) => {
        const groups = new PatternGroups();
        const found = lines.map((text) => ({ text, pattern: groups.add(text) }));
        for (const { text, pattern } of found) {
          const now = joinedPattern(pattern);
          expect(groups.add(text)).toBe(now);
          expect(templateTest(now.tokens.join(' '))(text)).toBe(true);
        }
      }),
    );
  });

  it('do not match the lines of others with their level', () => {
    fc.assert(
      fc.property(manyLines, (lines) => {
        const groups = new PatternGroups();
        for (const text of lines) groups.add(text);
        for (const text of lines) {
          const { level } = groups.add(text);
          const matching = groups
            .patterns()
            .filter((one) => one.level === level && templateTest(one.tokens.join(' '))(text));
          expect(matching).toHaveLength(1);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are bounded: those not used for the longest time are dropped and told', () => {
    const joined: Pattern[] = [];
    const dropped: Pattern[] = [];
    const groups = new PatternGroups(
      { onJoined: (from) => joined.push(from), onDropped: (pattern) => dropped.push(pattern) },
      32,
    );
    const kept = groups.add('the line that comes again');
    const made = new Set([kept]);
    const letters = (index: number) =>
      Array.from(index.toString(2), (bit) => (bit === '0' ? 'no' : 'yes'));
    for (let index = 1; index < 2000; index += 1) {
      made.add(groups.add(`${letters(index).join(' ')} ${'very '.repeat(index % 7)}`));
      groups.add('the line that comes again');
      expect(groups.size).toBeLessThanOrEqual(32);
    }
    expect(kept.isDropped).toBe(false);
    expect(dropped.length).toBeGreaterThan(0);
    expect(made.size).toBe(groups.patterns().length + dropped.length + joined.length);
  });

  it('read only the beginning of a very long line', () => {
    const groups = new PatternGroups();
    const long = Array.from(
      { length: 100_000 },
      (_, index) => `w${String.fromCodePoint(97 + (index % 26))}`,
    );
    const pattern = groups.add(long.join(' '));
    expect(pattern.tokens.length).toBeLessThanOrEqual(100);
    expect(groups.add(`${long.join(' ')} and more`)).toBe(pattern);
  });
});
