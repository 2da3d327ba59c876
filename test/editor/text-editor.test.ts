import { javascript } from '@codemirror/lang-javascript';
import { describe, expect, test } from 'vitest';
import type { EditorCommand } from '../../source/editor/editor-command.ts';
import {
  createTextEditor,
  type TextEditor,
  type TextEditorOptions,
} from '../../source/editor/text-editor.ts';
import { drawing } from './cells-drawing.ts';

function open(text: string, more: Partial<TextEditorOptions> = {}): TextEditor {
  return createTextEditor({ ...drawing, text, size: { rows: 6, columns: 20 }, ...more });
}

function press(editor: TextEditor, ...commands: readonly EditorCommand[]): void {
  for (const command of commands) editor.run(command);
}

const shownRows = (editor: TextEditor): string[] =>
  editor.viewModel().rows.map(({ runs }) => runs.map(({ text }) => text).join(''));

describe('motions', () => {
  test('keep their column of cells over tabs, wide characters and short lines', () => {
    const editor = open('abcdefgh\n\tx日本\n日本日本\n\nabcdefgh');
    editor.goToLine(1);
    press(editor, 'right', 'right', 'right', 'right', 'right');
    const columns: number[] = [];
    for (let line = 2; line <= 5; line += 1) {
      press(editor, 'down');
      columns.push(editor.cursorPosition().column);
    }
    expect(columns).toEqual([3, 3, 1, 6]);
  });

  test('select while the mark is set, until text is typed', () => {
    const editor = open('one two\nthree');
    press(editor, 'set-mark', 'word-right', 'down');
    expect(editor.selectionLength()).toBe('one two\nthr'.length);
    editor.insert('x');
    press(editor, 'left');
    expect([editor.text(), editor.selectionLength()]).toEqual(['xee', 0]);
  });

  test('go to the bracket matching the one at the cursor', () => {
    const editor = open('f(a[1], {b: 2})', { extensions: javascript() });
    editor.select(1);
    press(editor, 'matching-bracket');
    expect(editor.cursorPosition()).toEqual({ line: 1, column: 16 });
    expect(editor.viewModel().rows[0]?.runs.filter(({ bracket }) => bracket)).toEqual([
      { text: '(', kind: 'punctuation', bracket: true },
      { text: ')', kind: 'punctuation', bracket: true },
    ]);
  });

  test('go by pages and keep the cursor row', () => {
    const editor = open(Array.from({ length: 50 }, (_, index) => `${index + 1}`).join('\n'));
    editor.goToLine(10);
    const { cursor } = editor.viewModel();
    press(editor, 'page-down');
    expect(editor.cursorPosition().line).toBe(14);
    expect(editor.viewModel().cursor).toEqual(cursor);
    press(editor, 'page-up', 'page-up', 'page-up', 'page-up', 'page-up');
    expect(editor.cursorPosition().line).toBe(1);
  });

  test('go to a line, at most the last one', () => {
    const editor = open('a\nb\nc');
    editor.goToLine(2);
    expect(editor.cursorPosition()).toEqual({ line: 2, column: 1 });
    editor.goToLine(99);
    expect(editor.cursorPosition().line).toBe(3);
    editor.goToLine(Number.NaN);
    expect(editor.cursorPosition().line).toBe(1);
  });
});

describe('changes', () => {
  test('a new line is indented like the one before', () => {
    const editor = open('a:\n    b: 1');
    press(editor, 'document-end', 'newline');
    editor.insert('c');
    expect(editor.text()).toBe('a:\n    b: 1\n    c');
  });

  test('Tab indents to the next stop, Backspace to the previous one', () => {
    const editor = open('a:\n    b:\n  ');
    press(editor, 'document-end', 'tab');
    expect(editor.text()).toBe('a:\n    b:\n    ');
    press(editor, 'backspace');
    expect(editor.text()).toBe('a:\n    b:\n');
    const makefile = open('all:\n\tbuild\n');
    press(makefile, 'document-end', 'tab');
    expect(makefile.text()).toBe('all:\n\tbuild\n\t');
  });

  test('lines cut one after the other are pasted together', () => {
    const editor = open('a\nb\nc\nd');
    press(editor, 'cut-line', 'cut-line');
    expect([editor.text(), editor.clipboard]).toEqual(['c\nd', 'a\nb\n']);
    press(editor, 'down', 'paste');
    expect(editor.text()).toBe('c\na\nb\nd');
    press(editor, 'undo', 'undo', 'undo');
    expect(editor.text()).toBe('a\nb\nc\nd');
  });

  test('a selection is cut and pasted; without one, nothing is cut or copied', () => {
    const editor = open('one two');
    expect([editor.run('copy'), editor.run('cut'), editor.run('paste')]).toEqual([
      false,
      false,
      false,
    ]);
    press(editor, 'select-word-right', 'cut', 'document-end', 'paste');
    expect(editor.text()).toBe(' twoone');
  });

  test('a paste is one undo step and takes over the line ends of the file', () => {
    const editor = open('a\r\nb');
    editor.paste('1\r2\n3\r\n');
    expect(editor.text()).toBe('1\r\n2\r\n3\r\na\r\nb');
    press(editor, 'undo');
    expect(editor.text()).toBe('a\r\nb');
    expect(editor.run('undo')).toBe(false);
  });

  test('Backspace and the word keys delete whole characters and words', () => {
    const editor = open('ab 👩‍👩‍👧');
    press(editor, 'document-end', 'backspace');
    expect(editor.text()).toBe('ab ');
    press(editor, 'delete-word');
    expect(editor.text()).toBe('');
  });

  test('commenting and moving lines follow the language', () => {
    const editor = open('let a;\nlet b;', { extensions: javascript() });
    press(editor, 'comment', 'move-line-down');
    expect(editor.text()).toBe('let b;\n// let a;');
  });

  test('selected lines are indented and outdented', () => {
    const editor = open('a\nb');
    press(editor, 'select-all', 'tab');
    expect(editor.text()).toBe('  a\n  b');
    press(editor, 'outdent');
    expect(editor.text()).toBe('a\nb');
  });
});

describe('a file', () => {
  test('is modified when its text differs from the saved one', () => {
    const editor = open('abc');
    editor.insert('x');
    expect(editor.isModified()).toBe(true);
    press(editor, 'backspace');
    expect(editor.isModified()).toBe(false);
    editor.insert('y');
    const { state } = editor;
    editor.insert('z');
    editor.markSaved(state);
    expect(editor.isModified()).toBe(true);
    editor.markSaved();
    expect(editor.isModified()).toBe(false);
    while (editor.run('undo'));
    expect([editor.text(), editor.isModified()]).toEqual(['abc', true]);
  });

  test('is replaced in one undo step, line ends included, with the cursor near', () => {
    const editor = open('a\nb\nc\nd\n');
    editor.goToLine(3);
    editor.replaceText('new\r\na\r\nb\r\nc\r\nd\r\n');
    expect(editor.text()).toBe('new\r\na\r\nb\r\nc\r\nd\r\n');
    expect(editor.cursorPosition().line).toBe(4);
    press(editor, 'undo');
    expect([editor.text(), editor.isModified()]).toEqual(['a\nb\nc\nd\n', false]);
    editor.replaceText('a\r\nb\r\nc\r\nd\r\n');
    expect(editor.isModified()).toBe(true);
  });

  test('of 10 MB is opened, edited and saved', () => {
    const text = 'key: value\r\n'.repeat(900_000);
    const editor = open(text);
    editor.goToLine(500_000);
    editor.insert('other');
    expect(shownRows(editor)).toContain('otherkey: value');
    expect(editor.text().length).toBe(text.length + 5);
    press(editor, 'undo');
    expect(editor.text() === text).toBe(true);
  });

  test('of one line of 1 MB is measured only as far as it is visible', () => {
    const measured: string[] = [];
    const text = '日本語'.repeat(350_000);
    const editor = open(text, {
      show: (cluster) => `<${cluster}>`,
      measure: (shown) => measured.push(shown) && 4,
    });
    editor.setWrap(true);
    editor.insert('x');
    expect(shownRows(editor)[0]).toBe('x<日><本><語><日>');
    expect(measured.length).toBe(3);
    press(editor, 'line-end');
    editor.insert('!');
    expect(shownRows(editor).at(-1)).toMatch(/!$/);
  });
});

describe('a picture', () => {
  test('returns unchanged rows as the same objects', () => {
    const editor = open('a\nb\nc\nd');
    const before = editor.viewModel().rows;
    editor.insert('x');
    const after = editor.viewModel().rows;
    expect(after.map((row, index) => row === before[index])).toEqual([false, true, true, true]);
    expect(editor.viewModel().rows.every((row, index) => row === after[index])).toBe(true);
  });

  test('has kinds, selections and matches as runs', () => {
    const editor = open('let a = 1;', {
      highlight: (_, from) => [{ from, to: from + 3, kind: 'keyword' }],
    });
    editor.find({ text: 'et a', regex: false, matchCase: true });
    expect(editor.viewModel().rows[0]?.runs).toEqual([
      { text: 'l', kind: 'keyword' },
      { text: 'et', kind: 'keyword', selected: true, match: true },
      { text: ' a', selected: true, match: true },
      { text: ' = 1;' },
    ]);
  });

  test('numbers the rows in which lines start, and wraps or scrolls sideways', () => {
    const editor = open('abc日def\nx', { size: { rows: 4, columns: 4 } });
    expect(shownRows(editor)).toEqual(['abc ', 'x']);
    press(editor, 'line-end');
    expect(editor.viewModel().cursor?.column).toBeLessThan(4);
    editor.setWrap(true);
    expect(shownRows(editor)).toEqual(['abc', '日de', 'f', 'x']);
    expect(editor.viewModel().rows.map(({ line }) => line)).toEqual([1, undefined, undefined, 2]);
    expect(editor.viewModel().cursor).toEqual({ row: 2, column: 1 });
  });
});
