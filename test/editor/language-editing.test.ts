import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../source/editor/language-loader.ts';
import { openedIn, readToEnd } from './opened-text.ts';

const highlightedTokens = (editor: Awaited<ReturnType<typeof openedIn>>): string[] =>
  editor
    .viewModel()
    .rows.flatMap(({ runs }) => runs)
    .flatMap(({ text, kind }) => (kind === undefined ? [] : [`${kind} ${text}`]));

describe('an editor with a language', () => {
  test.each([
    ['yaml', 'a: 1', '# a: 1'],
    ['python', 'a = 1', '# a = 1'],
    ['shell', 'echo a', '# echo a'],
    ['nginx', 'listen 80;', '# listen 80;'],
    ['properties', 'a=1', '# a=1'],
    ['toml', 'a = 1', '# a = 1'],
    ['dockerfile', 'RUN a', '# RUN a'],
    ['sql', 'select 1', '-- select 1'],
    ['javascript', 'a()', '// a()'],
    ['typescript', 'a()', '// a()'],
    ['css', 'a {}', '/* a {} */'],
    ['html', '<p>', '<!-- <p> -->'],
    ['markdown', 'text', '<!-- text -->'],
  ] as const)('toggles a comment in %s', async (name, line, comment) => {
    const editor = await openedIn(name, line);
    expect(editor.run('comment')).toBe(true);
    expect(editor.text()).toBe(comment);
    editor.run('comment');
    expect(editor.text()).toBe(line);
  });

  test('adds no comment in a language without comments', async () => {
    const editor = await openedIn('json', '{"a": 1}');
    expect(editor.run('comment')).toBe(false);
    expect(editor.text()).toBe('{"a": 1}');
  });

  test.each([
    ['yaml', 'a:', 'a:\n  b'],
    ['yaml', 'a:\n  - b: ', 'a:\n  - b: \n      b'],
    ['yaml', 'a: 1', 'a: 1\nb'],
    ['yaml', 'a: |', 'a: |\n  b'],
    ['python', 'if a:', 'if a:\n    b'],
    ['json', '{', '{\n  b'],
    ['javascript', 'if (a) {', 'if (a) {\n  b'],
    ['shell', 'if a; then', 'if a; then\nb'],
    ['nginx', 'server {', 'server {\n    b'],
  ] as const)('indents the next line in %s', async (name, line, indented) => {
    const editor = await openedIn(name, line);
    editor.run('document-end');
    editor.run('newline');
    editor.insert('b');
    expect(editor.text()).toBe(indented);
  });

  test('prefers the indentation of the text to that of the language', async () => {
    const editor = await openedIn('python', 'if a:\n  b\nif c:');
    editor.run('document-end');
    editor.run('newline');
    editor.run('tab');
    expect(editor.text()).toBe('if a:\n  b\nif c:\n    ');
    expect((await openedIn('python', '')).run('tab')).toBe(true);
  });

  test('keeps the undo history when the language changes', async () => {
    const editor = await openedIn('yaml', 'a: 1');
    editor.run('document-end');
    editor.insert('2');
    editor.setLanguage(await loadLanguage('json'));
    editor.setLanguage(undefined);
    expect(editor.isModified()).toBe(true);
    editor.run('undo');
    expect([editor.text(), editor.isModified()]).toEqual(['a: 1', false]);
    editor.setLanguage(await loadLanguage('yaml'));
    editor.run('redo');
    expect(editor.text()).toBe('a: 12');
  });

  test('highlights tokens only with a language', async () => {
    const editor = await openedIn('yaml', '# note\nname: "web" # more');
    expect(highlightedTokens(editor)).toEqual([
      'comment # note',
      'name name',
      'punctuation :',
      'string "web"',
      'comment # more',
    ]);
    editor.setLanguage(undefined);
    expect(highlightedTokens(editor)).toEqual([]);
  });

  test('parses a long text in slices, and again after a change', async () => {
    const line = '  - name: "web" # note\n';
    const editor = await openedIn('yaml', `all:\n${line.repeat(10_000)}`);
    editor.run('document-end');
    editor.run('up');
    const guessed = highlightedTokens(editor);
    expect(guessed).toContain('comment # note');
    expect(readToEnd(editor)).toBeGreaterThan(10);
    expect(highlightedTokens(editor)).toEqual(guessed);
    editor.insert('#');
    expect(highlightedTokens(editor)).not.toEqual(guessed);
    const tokens = highlightedTokens(editor);
    expect(tokens).toContain('comment # note');
    readToEnd(editor);
    expect(highlightedTokens(editor)).toEqual(tokens);
  });

  test('edits a text that is too long to highlight', async () => {
    const editor = await openedIn('yaml', '# note\n'.repeat(310_000));
    expect([editor.isHighlighted, editor.advance(), highlightedTokens(editor)]).toEqual([
      false,
      true,
      [],
    ]);
    editor.run('comment');
    expect(editor.state.doc.line(1).text).toBe('note');
  });

  test('reports a text with a very long line as not highlighted', async () => {
    const editor = await openedIn('json', `[\n${'1, '.repeat(10_000)}1]`);
    expect([editor.isHighlighted, editor.advance(), highlightedTokens(editor)]).toEqual([
      false,
      true,
      [],
    ]);
    editor.replaceText('[1]');
    expect([editor.isHighlighted, highlightedTokens(editor)]).toEqual([
      true,
      ['punctuation [', 'number 1', 'punctuation ]'],
    ]);
  });
});

describe('the bracket at the cursor', () => {
  const pairAt = async (text: string, at: number): Promise<number[]> => {
    const editor = await openedIn('javascript', text);
    editor.select(at);
    return editor.matchingBrackets().map(({ from }) => from);
  };

  test.each([
    ['before it', '(a)', 3, [2, 0]],
    ['behind it', '(a)', 2, [2, 0]],
    ['before rather than behind it', '()', 1, [0, 1]],
    ['around others', '{[()]}', 0, [0, 5]],
    ['around those in a string', '(")")', 0, [0, 4]],
    ['in a string for one in a string', '"(" + (")")', 1, [1, 8]],
    ['alone', '(', 0, []],
    ['crossed with another', '([)]', 0, []],
    ['nowhere near', 'a + b', 2, []],
  ])('is found %s', async (_, text, at, pair) => {
    expect(await pairAt(text, at)).toEqual(pair);
  });

  test('is searched for nearby only', async () => {
    const gap = ' \n'.repeat(6000);
    expect(await pairAt(`(${gap})`, 0)).toEqual([]);
    expect(await pairAt('['.repeat(1_000_000), 500_000)).toEqual([]);
  });
});
