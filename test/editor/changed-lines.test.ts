import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextEditor, type TextEditor } from '../../source/editor/text-editor.ts';
import { drawing } from './cells-drawing.ts';

const open = (text: string) =>
  createTextEditor({ ...drawing, text, size: { rows: 200, columns: 80 } });

const changed = (editor: TextEditor) => [...editor.viewModel().changed].toSorted((a, b) => a - b);

/** Edits the text at a line and a column, both counted from 0. */
function typeAt(editor: TextEditor, line: number, column: number, text: string, removed = 0): void {
  const at = editor.state.doc.line(line + 1).from + column;
  editor.select(at + removed, at);
  if (text === '') editor.run('delete');
  else editor.paste(text);
}

const three = 'one\ntwo\nthree\n';

describe('changed lines', () => {
  it('are those with typed or removed text, until that is undone or saved', () => {
    const editor = open(three);
    expect(changed(editor)).toEqual([]);
    typeAt(editor, 1, 1, 'x');
    expect(changed(editor)).toEqual([2]);
    editor.run('undo');
    expect(changed(editor)).toEqual([]);
    typeAt(editor, 2, 0, '', 2);
    expect(changed(editor)).toEqual([3]);
    editor.markSaved();
    expect(changed(editor)).toEqual([]);
  });

  it('are new lines without the lines beside them', () => {
    const editor = open(three);
    typeAt(editor, 1, 0, 'new\n');
    expect(changed(editor)).toEqual([2]);
    typeAt(editor, 3, 5, '\nlast');
    expect(changed(editor)).toEqual([2, 5]);
  });

  it('are none where whole lines were removed', () => {
    const editor = open(three);
    typeAt(editor, 0, 0, '', 4);
    expect(editor.text()).toBe('two\nthree\n');
    expect(changed(editor)).toEqual([]);
  });

  it('are found in a draft by comparing it with the saved text', () => {
    const editor = open('one\n2\nthree\nfour');
    editor.setSavedText('one\ntwo\nthree');
    expect(changed(editor)).toEqual([2, 4]);
    typeAt(editor, 1, 0, 'two', 1);
    expect(changed(editor)).toEqual([4]);
  });

  it('are not marked in a text with too many changes, until it is saved', () => {
    const editor = open('a\n'.repeat(3000));
    editor.find({ text: 'a', regex: false, matchCase: true });
    expect(editor.replaceAll('bc')).toBe(3000);
    expect(changed(editor)).toEqual([]);
    editor.markSaved();
    typeAt(editor, 1, 0, 'x');
    expect(changed(editor)).toEqual([2]);
  });

  const text = fc.array(fc.constantFrom('a', 'b', 'cc', '\n', '\n'), { maxLength: 12 });
  const edit = fc.record({
    at: fc.nat(20),
    removed: fc.nat(4),
    put: fc.constantFrom('', 'x', '\n', 'y\n', '\nz', 'a'),
    saves: fc.constantFrom(false, false, false, true),
  });

  it('leave only lines of the saved text, in its order', () => {
    fc.assert(
      fc.property(text, text, fc.array(edit, { maxLength: 10 }), (before, draft, edits) => {
        const editor = open(draft.join(''));
        let saved = before.join('');
        editor.setSavedText(saved);
        for (const { at, removed, put, saves } of edits) {
          const { length } = editor.state.doc;
          const from = Math.min(at, length);
          editor.select(Math.min(from + removed, length), from);
          if (put !== '') editor.paste(put);
          else if (removed > 0) editor.run('delete');
          if (saves) {
            saved = editor.text();
            editor.markSaved();
          }
          const marks = new Set(changed(editor));
          const lines = editor.text().split('\n');
          const kept = lines.filter((_, index) => !marks.has(index + 1));
          expect(isSubsequence(kept, saved.split('\n'))).toBe(true);
          if (editor.text() === saved) expect(marks.size).toBe(0);
        }
      }),
    );
  });
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0;
  for (const line of whole) if (next < part.length && part[next] === line) next += 1;
  return next === part.length;
}
