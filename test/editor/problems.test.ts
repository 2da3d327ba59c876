import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import type { LanguageName } from '../../source/editor/languages.ts';
import { nextProblem, type TextProblem } from '../../source/editor/problems.ts';
import { openedIn, readToEnd } from './opened-text.ts';

async function problemsIn(name: LanguageName, text: string): Promise<readonly TextProblem[]> {
  const editor = await openedIn(name, text);
  readToEnd(editor);
  return editor.problems();
}

const describeProblem = ({ line, column, sentence }: TextProblem): string =>
  `${line}:${column} ${sentence}`;

describe('problems', () => {
  test.each([
    ['json', '{"a": [1, 2}', '1:7 "[" is not closed.'],
    ['json', '{"a": 1 "b": 2}', '1:9 A "," is missing here.'],
    ['json', '[x y]', '1:2 Unexpected "x".'],
    ['json', '[1 2]', '1:4 A "," is missing here.'],
    ['json', '[1, 2,]', '1:7 Remove the "," before "]".'],
    ['json', '{"a": "b\n}', `1:7 '"' is not closed.`],
    ['json', '{a: 1}', '1:2 Property names need double quotes.'],
    ['json', '// a\n{}', '1:1 JSON does not allow comments.'],
    ['json', '{"a": }', '1:7 A value is missing here.'],
    ['json', '{"a" 1}', '1:6 A ":" is missing here.'],
    ['json', "{'a': 1}", '1:2 JSON strings need double quotes.'],
    ['json', '{"a": tru}', '1:7 Unexpected "tru".'],
    ['json', '{} {}', '1:4 JSON allows only one top-level value.'],
    ['json', ']', '1:1 Unmatched "]".'],
    ['json', '{"a": 1,\n"a": 2}', `2:1 Duplicate key '"a"', first on line 1.`],
    ['json', '', '1:1 The file is empty. JSON needs a value.'],
    ['yaml', 'a: [1, 2\nb: 3\n', '1:4 "[" is not closed.'],
    ['yaml', 'a: "x\nb: 1\n', `1:4 '"' is not closed.`],
    ['yaml', 'a: 1\n  b: 2\n', '2:3 The indentation matches no line above.'],
    ['yaml', 'a:\n\tb: 1\n', '2:1 YAML must be indented with spaces, not tabs.'],
    ['yaml', '- a\nb: 1\n', '2:1 This line does not continue the text above it.'],
    ['yaml', 'a: @b\n', '1:4 A value that begins with "@" needs quotes.'],
    ['yaml', 'a: "b" c\n', '1:8 Unexpected "c".'],
    ['yaml', 'a: ]\n', '1:4 Unmatched "]".'],
    ['yaml', 'a: 1\nb: 2\na: 3\n', '3:1 Duplicate key "a", first on line 1.'],
    ['javascript', 'f(1, 2;', '1:2 "(" is not closed.'],
    ['javascript', '`a', '1:1 "`" is not closed.'],
    ['javascript', '/* a', '1:1 "/*" is not closed.'],
    ['javascript', '}', '1:1 Unmatched "}".'],
    ['typescript', 'const a = [1, 2;\nb(")")', '1:11 "[" is not closed.'],
    ['css', 'a { b c; d: e }', '1:8 Unexpected ";".'],
    ['css', '}', '1:1 Unmatched "}".'],
    ['css', 'a { color: red', '1:3 "{" is not closed.'],
    ['html', '<b></p></b>', '1:4 Unmatched "</p>".'],
    ['html', '<a b="c>', `1:6 '"' is not closed.`],
    ['sql', "select 'a", `1:8 "'" is not closed.`],
  ] as const)('of %s %j: %s', async (name, text, problem) => {
    expect((await problemsIn(name, text)).map(describeProblem)).toEqual([problem]);
  });

  test.each([
    [
      'yaml',
      "a: &x\n  - \"b\"\n  - 'it''s'\nc: *x\nd: |\n  text [\n\n  more\ne: >-\n  \"x\n---\nf: !t {g: 1, h: [2]}\n",
    ],
    ['yaml', "a: '''b'\nb: \"\"\nc: ''\n? d\n: e\n<<: *f\n<<: *g\n# [\n"],
    ['yaml', 'services:\n- name: a\n  run: echo "b" # c\n  ports: ["80:80"]\n- name: b\n'],
    ['python', 'if a\n  b = "x\nf(1, 2\n"""c\n'],
    ['python', '@a\ndef b():\n    yield\n\f\nc = 20.\n'],
    ['typescript', 'declare module "node:a-long-name-of-a-module" {}\n'],
    ['python', 'a = ""\nb = """c"d"""\nc = r\'d\'\nd = f"{e}"\n'],
    ['javascript', 'const a = `b${c}`;\nlet d = <p>{"e"}</p>;\n'],
    ['typescript', 'const a: Map<string, number> = new Map<string, number>();\n'],
    ['html', '<!doctype html><p>a<br><img src=b>'],
    ['sql', "select 'it''s', \"a\" from b; -- (\n"],
    ['shell', 'if [ "'],
    ['markdown', '[a]( `'],
  ] as const)('are absent in %s %j', async (name, text) => {
    expect(await problemsIn(name, text)).toEqual([]);
  });

  test.each([
    ['{\n  "a": [1, 2\n}\n', ['2:8 "[" is not closed.', '3:1 Unmatched "}".']],
    ['{\n  "a": {\n    "b": 1\n  ', ['2:8 "{" is not closed.']],
    ['{\n  "a": 1,\n}\n', ['3:1 Remove the "," before "}".']],
    ['{\n  a: 1,\n  "b": 2\n}\n', ['2:3 Property names need double quotes.']],
    ['{\n  "a": tru\n}\n', ['2:8 Unexpected "tru".']],
    ['{\n  "a": 1\n  "b": 2\n}\n', ['3:3 A "," is missing here.']],
    ['{"a":\n1,,\n"b": 2}', ['2:3 A property name is missing here.']],
    ['[1,,2]', ['1:4 A value is missing here.']],
    [
      '[\n"a\tb",\n"\\x",\n"\\u12"]',
      [
        '2:1 This string has a character that needs an escape.',
        '3:1 This string has an invalid escape.',
        String.raw`4:1 A "\u" needs four hexadecimal digits.`,
      ],
    ],
    ['[1.,\n-]', ['1:2 This number is incomplete.', '2:1 Unexpected "-".']],
    [
      '{"a": {"b": 1, "b": 2},\n"\\u0061": 3}',
      [
        `1:16 Duplicate key '"b"', first on line 1.`,
        String.raw`2:1 Duplicate key '"\u0061"', first on line 1.`,
      ],
    ],
    ['{"a": 1 /* b */}', ['1:9 JSON does not allow comments.']],
  ])('of JSON %j', async (text, problems) => {
    expect((await problemsIn('json', text)).map(describeProblem)).toEqual(problems);
  });

  test('in JSON stop where it is nested too deeply', async () => {
    expect(await problemsIn('json', `[tru,\n${'[\n'.repeat(200_000)}`)).toEqual([
      { line: 1, column: 2, sentence: 'Unexpected "tru".' },
    ]);
  });

  test('of long JSON stay the earlier ones while keys are typed', async () => {
    const editor = await openedIn('json', `[\n${'"a",\n'.repeat(20_000)}1 2]`);
    readToEnd(editor);
    const problems = editor.problems();
    expect(problems.map(describeProblem)).toEqual(['20002:3 A "," is missing here.']);
    editor.insert('{');
    expect(editor.problems()).toEqual(problems);
    readToEnd(editor);
    expect(editor.problems().map(describeProblem)).toContain('1:1 "{" is not closed.');
  });

  test('are found in JSON that cannot be parsed', async () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '01',
      '1.',
      '.5',
      '1e',
      '2E+3',
      '0x1',
      'NaN',
      'null',
      'tru',
      ' ',
      '\n',
      '\t',
      '\v',
      '\u00a0',
      '\u2028',
      '"',
      "'a'",
      String.raw`"\x"`,
      String.raw`"\u12"`,
      String.raw`"\ud800\n"`,
      '"\t"',
      '"\u007f"',
      '//',
      '/*',
      '#',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
        ),
        fc.nat(30),
        fc.constantFrom('', ',', ']', '"', 'x'),
        async (json, at, more) => {
          const text = json.slice(0, at) + more + json.slice(at);
          let isReadable = true;
          try {
            JSON.parse(text);
          } catch {
            isReadable = false;
          }
          const sentences = (await problemsIn('json', text)).map(({ sentence }) => sentence);
          // A duplicate name hides other errors in its line.
          fc.pre(!sentences.some((sentence) => sentence.includes('Duplicate key')));
          expect([text, sentences.length === 0]).toEqual([text, isReadable]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('are absent in YAML that a program wrote', async () => {
    const { tree } = fc.letrec<{ readonly tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(
          'a',
          'b: c',
          '# d',
          'it\'s "e"',
          'two\nlines\n',
          '',
          1,
          true,
          null,
        ),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c d', '1'), tie('tree'), { maxKeys: 3 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        const text = stringify(value);
        expect(parseDocument(text).errors).toEqual([]);
        expect([text, await problemsIn('yaml', text)]).toEqual([text, []]);
      }),
    );
  });

  test('are limited to 100, one per line, in order', async () => {
    const problems = await problemsIn('json', `[\n${'1 2 3,\n'.repeat(500)}4]`);
    expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, i) => i + 2));
  });

  test('of a long text stay the earlier ones until it is parsed again', async () => {
    const editor = await openedIn('yaml', `a:\n${'  - b: "c"\n'.repeat(20_000)}c: [\n`);
    expect(editor.problems()).toEqual([]);
    readToEnd(editor);
    const problems = editor.problems();
    expect(problems.map(describeProblem)).toEqual(['20002:4 "[" is not closed.']);
    editor.goToLine(15_000);
    editor.run('line-end');
    editor.insert(' \n');
    expect(editor.problems()).toEqual(problems);
    readToEnd(editor);
    expect(editor.problems().map(describeProblem)).toEqual(['20003:4 "[" is not closed.']);
    editor.setLanguage(undefined);
    expect(editor.problems()).toEqual([]);
  });

  test('are the same after changes as in a fresh editor', async () => {
    const change = fc.record({
      at: fc.nat(),
      length: fc.nat(3),
      text: fc.constantFrom('', '[', ']', '\n', '  ', ': ', '"', 'a: 1\n', '- b\n', '\t'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const editor = await openedIn('yaml', 'a: [1]\nb:\n  - c: "d"\n');
        for (const { at, length, text } of changes) {
          const from = at % (editor.state.doc.length + 1);
          editor.select(from, from + length);
          editor.insert(text);
          editor.problems();
        }
        readToEnd(editor);
        expect(editor.problems()).toEqual(await problemsIn('yaml', editor.text()));
      }),
    );
  });
});

describe('the next problem', () => {
  const problems = [2, 4, 9].map((line) => ({ line, column: 3, sentence: '' }));

  test.each([
    [1, 1, 2],
    [2, 2, 2],
    [2, 3, 4],
    [5, 1, 9],
    [9, 3, 2],
    [99, 1, 2],
  ])('from line %i, column %i is on line %i', (line, column, next) => {
    expect(nextProblem(problems, { line, column })?.line).toBe(next);
  });

  test('is undefined without problems', () => {
    expect(nextProblem([], { line: 1, column: 1 })).toBeUndefined();
  });
});
