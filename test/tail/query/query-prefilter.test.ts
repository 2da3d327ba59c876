import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { guard } from '../../../source/start/bounded-run.ts';
import type { LogLine } from '../../../source/contract/logs.ts';
import { stripSilentCodes } from '../../../source/tail/silent-codes.ts';
import { type LineMatcher, parseLineQuery } from '../../../source/tail/query/log-query.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import type { Prefilter } from '../../../source/tail/query/prefilter.ts';
import { lineCodec } from '../../servers/log-frames.ts';

/** A part of an expression and a text that it matches on its own. */
interface Sample {
  readonly source: string;
  readonly text: string;
}

const letter = fc
  .constantFrom('a', 'b', 'B', 'k', 'K', '\u212a', 'ı', 'ſ', 's', 'S', '0', '1', '3', 'ab', 'é')
  .map((text): Sample => ({ source: text, text }));
const mark = fc
  .constantFrom('"', '/', ':', '-', ']', '}', '{', ',', '<', '>', '=', ' ', '!', '_', '\x1b[1m')
  .map((text): Sample => ({ source: text, text }));

const raw = String.raw;
const escapes: readonly (readonly [source: string, text: string])[] = [
  [raw`\\`, '\\'],
  [raw`\"`, '"'],
  [raw`\.`, '.'],
  [raw`\/`, '/'],
  [raw`\-`, '-'],
  [raw`\|`, '|'],
  [raw`\(`, '('],
  [raw`\d`, '1'],
  [raw`\D`, 'a'],
  [raw`\w`, 'b'],
  [raw`\W`, ' '],
  [raw`\s`, ' '],
  [raw`\S`, 'a'],
  [raw`\b`, ''],
  [raw`\B`, ''],
  [raw`\n`, '\n'],
  [raw`\t`, '\t'],
  [raw`\0`, '\0'],
  [raw`\033`, '\x1b'],
  [raw`\011`, '\t'],
  [raw`\101`, 'A'],
  [raw`\18`, '\x018'],
  [raw`\1`, ''],
  [raw`\8`, '8'],
  [raw`\x61`, 'a'],
  [raw`\x6`, 'x6'],
  [raw`\x`, 'x'],
  [raw`\u0061`, 'a'],
  [raw`\u006`, 'u006'],
  [raw`\u`, 'u'],
  [raw`\u{61}`, 'a'],
  [raw`\cJ`, '\n'],
  [raw`\c`, raw`\c`],
  [raw`\c1`, raw`\c1`],
  [raw`\k`, 'k'],
  [raw`\k<n>`, ''],
  [raw`\k<a|b>`, 'b>'],
  [raw`\k<ab`, 'k<ab'],
  [raw`\p{L}`, 'a'],
  [raw`\p`, 'p'],
  [raw`\ `, ' '],
  ['.', 'a'],
  ['^', ''],
  ['$', ''],
  ['[ab]', 'b'],
  ['[a-z]', 'k'],
  ['[0-9]', '3'],
  ['[^a]', 'b'],
  ['[]', ''],
  ['[^]', '\n'],
  [raw`[\]a]`, ']'],
  [raw`[\w-]`, 'a'],
  ['[|]', '|'],
  ['[(]', '('],
  ['[: ]', ':'],
  ['[K\u212a]', 'K'],
  [raw`[^\W]`, 'a'],
  ['(', ''],
  [')', ''],
  ['|', ''],
];
const escape = fc.constantFrom(...escapes).map(([source, text]): Sample => ({ source, text }));

const quantifiers: readonly (readonly [source: string, times: readonly number[]])[] = [
  ['*', [0, 1, 3]],
  ['+', [1, 2]],
  ['?', [0, 1]],
  ['{0}', [0]],
  ['{0,}', [0, 2]],
  ['{0,1}', [0, 1]],
  ['{1}', [1]],
  ['{2}', [2]],
  ['{1,2}', [1, 2]],
];
const quantifier = fc
  .tuple(fc.constantFrom(...quantifiers), fc.nat(2), fc.constantFrom('', '', '?'))
  .map(([[source, times], pick, lazy]) => ({
    source: source + lazy,
    times: times[pick % times.length] ?? 0,
  }));

const { expression } = fc.letrec<{
  expression: Sample;
  term: Sample;
  group: Sample;
}>((tie) => ({
  expression: fc
    .array(fc.array(tie('term'), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })
    .chain((branches) =>
      fc.nat(branches.length - 1).map((index) => ({
        source: branches.map((terms) => terms.map(({ source }) => source).join('')).join('|'),
        text: (branches[index] ?? []).map(({ text }) => text).join(''),
      })),
    ),
  term: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2 },
        { arbitrary: letter, weight: 6 },
        { arbitrary: mark, weight: 1 },
        { arbitrary: escape, weight: 3 },
        { arbitrary: tie('group'), weight: 2 },
      ),
      fc.option(quantifier, { freq: 4 }),
    )
    .map(([{ source, text }, times]) =>
      times === null
        ? { source, text }
        : { source: source + times.source, text: text.repeat(times.times) },
    ),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?<n>', '(?=', '(?!', '(?<=', '(?<!'), tie('expression'))
    .map(([open, { source, text }]) => ({
      source: `${open}${source})`,
      text: /^\((?:$|\?:|\?<n)/.test(open) ? text : '',
    })),
}));

const noise = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'B',
    'k',
    'K',
    '\u212a',
    'ı',
    '1',
    '"',
    '\\',
    '/',
    '\x1b[1m',
    '\x1b[K',
    '\x1b(B',
  ),
  maxLength: 6,
});

it('no prefilter excludes a line that matches', () => {
  fc.assert(
    fc.property(
      expression,
      fc.array(fc.tuple(noise, noise, fc.constantFrom('', 'upper', 'coloured')), {
        minLength: 4,
        maxLength: 8,
      }),
      ({ source, text }, around) => {
        const result = parseLineQuery({ text: source, regex: true });
        fc.pre(result.ok);
        const test = result.value;
        const lines = around.map(([before, after, how]) => {
          if (how === 'upper') return before + text.toUpperCase() + after;
          const half = text.length >> 1;
          const colour = how === 'coloured' ? '\x1b[31m' : '';
          return before + text.slice(0, half) + colour + text.slice(half) + after;
        });
        // Some expressions never finish on their own.
        const matching = guard(() => lines.filter((line) => test.matches(line, undefined)), 200);
        fc.pre(matching.ok);
        expect(matching.ok && hiddenBy(test, matching.value, lines)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

it('matches exactly one whole escape', () => {
  const pairs = [
    [raw`\033\[2H`, '\x1b[2Hdone'],
    [raw`key\011value`, 'key\tvalue'],
    [raw`\10150`, 'A50'],
    [raw`foo\x|bar`, 'bar'],
    [raw`foo\u|bar`, 'bar'],
    [raw`foo\c|bar`, 'bar'],
    [raw`foo\k<a|bar>`, 'bar>'],
    [raw`\c[error]`, raw`\cr`],
  ] as const;
  for (const [text, line] of pairs) {
    const result = parseLineQuery({ text, regex: true });
    if (!result.ok) throw new Error(result.error.sentence);
    expect([text, result.value.matches(line, undefined)]).toEqual([text, true]);
    expect([text, hiddenBy(result.value, [line], [line, line, line, line])]).toEqual([text, []]);
  }
});

/** Matching lines that one of the expressions misses. */
function hiddenBy(
  { prefilter, mayMatch }: LineMatcher,
  matching: readonly string[],
  lines: readonly string[],
): readonly string[] {
  const hidden = matching.filter((line) => mayMatch?.(line) === false);
  if (prefilter === undefined) return hidden;
  hidden.push(...matching.filter((line) => stripSilentCodes(line).search(prefilter.text) < 0));
  const seen = seenBy(prefilter, lines);
  return [...hidden, ...lines.filter((line, at) => matching.includes(line) && !seen.has(at))];
}

function seenBy(sieve: Prefilter, lines: readonly string[]): ReadonlySet<number> {
  const sequence = new Sequence<LogLine>({
    row: toRow,
    ...lineCodec,
    maxLines: 512,
    maxBytes: 20_000,
  });
  const put = lines.map((logLine, place) => ({ place, row: toRow({ id: place, logLine }) }));
  sequence.apply({ put, lean: 'newer', drop: [], spans: [] });
  const seen = new Set<number>();
  sequence.scan(0, lines.length, (index) => seen.add(index), sieve);
  return seen;
}
