import { LRLanguage, type Language } from '@codemirror/language';
import type { Parser, PartialParse } from '@lezer/common';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../source/editor/language-loader.ts';
import type { LanguageName } from '../../source/editor/languages.ts';
import { openedIn, readToEnd } from './opened-text.ts';
import { codePoint } from '../support/code-point.ts';

const names: readonly LanguageName[] = [
  'yaml',
  'json',
  'javascript',
  'typescript',
  'tsx',
  'python',
  'html',
  'css',
  'markdown',
  'toml',
  'properties',
  'shell',
  'dockerfile',
  'nginx',
  'sql',
];

const part = fc.oneof(
  fc.constantFrom(
    '{',
    '[',
    '(',
    '"',
    "'",
    '`',
    '<a b="',
    '</a>',
    '<!--',
    '#',
    '- ',
    ': ',
    '\n',
    '  ',
  ),
  fc.constantFrom(
    '\t',
    '${',
    '$(',
    '"""',
    '|\n',
    '>',
    '*',
    '%',
    '\\',
    '@',
    '/*',
    '//',
    '\0',
    '\ud800',
  ),
  fc.string({ unit: codePoint, maxLength: 3 }),
);

const anyText = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));

describe.each(names)('any text in %s', (name) => {
  test('is parsed, highlighted and edited', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.nat(), async (text, more, at) => {
        const editor = await openedIn(name, text);
        editor.select(at % (editor.state.doc.length + 1));
        editor.insert(more);
        readToEnd(editor);
        for (const command of ['newline', 'comment', 'indent', 'matching-bracket'] as const) {
          editor.run(command);
        }
        const { length } = editor.state.doc;
        expect(editor.matchingBrackets().every(({ from, to }) => from >= 0 && to <= length)).toBe(
          true,
        );
        const [last] = editor.problems().toReversed();
        expect(last?.line ?? 1).toBeLessThanOrEqual(editor.state.doc.lines);
        const kinds = editor.viewModel().rows.flatMap(({ runs }) => runs.map(({ kind }) => kind));
        expect(kinds).not.toContain('');
        editor.run('undo');
      }),
      { numRuns: 40 },
    );
  });
});

/** A language that counts the steps of its grammar. */
function countingLanguage(language: Language): {
  readonly language: Language;
  steps: () => number;
} {
  let steps = 0;
  const count = (parse: PartialParse): PartialParse => {
    const advance = parse.advance.bind(parse);
    parse.advance = () => {
      steps += 1;
      return advance();
    };
    return parse;
  };
  const { parser } = language as LRLanguage;
  const original = Object.getPrototypeOf(parser) as Parser;
  const counting = parser.configure({});
  counting.createParse = function (...given) {
    return count(original.createParse.apply(this, given));
  };
  return {
    language: LRLanguage.define({ parser: counting }),
    steps: () => {
      const stepsTaken = steps;
      steps = 0;
      return stepsTaken;
    },
  };
}

describe.each([
  ['a list of many lines', '  - a: "b"\n'.repeat(100_000)],
  ['brackets in brackets', '[\n'.repeat(100_000)],
  ['quotes that turn all around', `${'"a": b\n'.repeat(50_000)}"`],
  ['nothing but errors', '] : }\n'.repeat(50_000)],
])('a text of %s', (_, text) => {
  test.each(['yaml', 'json', 'javascript', 'python'] as const)(
    'as %s never takes many steps at once',
    async (name) => {
      const loaded = await loadLanguage(name);
      const { language, steps } = countingLanguage(loaded.language);
      const editor = await openedIn('toml', text);
      const most = { opening: 0, reading: 0, drawing: 0, typing: 0 };
      editor.setLanguage({ ...loaded, language });
      most.opening = steps();
      for (let slice = 0; slice < 50; slice += 1) {
        editor.advance();
        most.reading = Math.max(most.reading, steps());
      }
      editor.goToLine(50_000);
      editor.viewModel();
      most.drawing = steps();
      for (const line of [90_000, 1, 40_000]) {
        editor.goToLine(line);
        editor.insert('"');
        most.typing = Math.max(most.typing, steps());
      }
      expect(most.opening).toBeLessThan(600);
      expect(most.reading).toBeLessThan(200);
      expect(most.drawing).toBeLessThan(3100);
      // Besides its own parse, a change finishes the one in progress.
      expect(most.typing).toBeLessThan(1200);
    },
  );
});

describe('a text', () => {
  test.each([
    ['one line of 1 MB', 'a: [1, "b"] '.repeat(85_000)],
    ['one word of 1 MB', 'a'.repeat(1_000_000)],
    ['1 MB of brackets', '['.repeat(1_000_000)],
    ['1 MB of spaces', ' '.repeat(1_000_000)],
  ])('of %s can be edited without parsing', async (_, text) => {
    const editor = await openedIn('yaml', text);
    expect([editor.isHighlighted, editor.advance(), editor.problems()]).toEqual([false, true, []]);
    editor.select(500_000);
    editor.insert('x');
    editor.run('newline');
    expect(editor.state.doc.lines).toBe(2);
  });

  test.each([
    ['yaml', '[\n', 30_000],
    ['yaml', '[', 2000],
    ['json', '[', 2000],
    ['javascript', 'if(a){\n', 6000],
    ['yaml', '- ', 2000],
    ['markdown', '> ', 6000],
  ] as const)('of %s with deeply nested %j stays plain', async (name, opening, times) => {
    const editor = await openedIn(name, opening.repeat(times));
    editor.select(editor.state.doc.length);
    editor.viewModel();
    readToEnd(editor);
    const isRead = name === 'json';
    expect(editor.problems().map(({ sentence }) => sentence)).toEqual(
      isRead ? ['"[" is not closed.'] : [],
    );
    editor.insert('"');
    editor.viewModel();
    editor.replaceText('a');
    expect(editor.viewModel().rows).toHaveLength(1);
  });
});
