import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EditorCommand } from '../../source/editor/editor-command.ts';
import { createTextEditor } from '../../source/editor/text-editor.ts';
import { drawing } from './cells-drawing.ts';

/** The reference model: a plain string with a cursor. */
interface Model {
  readonly text: string;
  readonly head: number;
}

const splice = ({ text, head }: Model, remove: readonly [number, number], put = ''): Model => ({
  text: text.slice(0, head - remove[0]) + put + text.slice(head + remove[1]),
  head: head - remove[0] + put.length,
});

const lineStart = ({ text, head }: Model): number => text.slice(0, head).lastIndexOf('\n') + 1;
const lineEnd = ({ text, head }: Model): number => {
  const end = text.indexOf('\n', head);
  return end < 0 ? text.length : end;
};
const column = (model: Model): number => model.head - lineStart(model);

type Step = (model: Model, original: Model) => Model;

/** Valid for text of single-cell characters without spaces. */
const steps: Partial<Record<EditorCommand, Step>> = {
  left: (model) => ({ ...model, head: Math.max(0, model.head - 1) }),
  right: (model) => ({ ...model, head: Math.min(model.text.length, model.head + 1) }),
  'line-start': (model) => ({ ...model, head: lineStart(model) }),
  'line-end': (model) => ({ ...model, head: lineEnd(model) }),
  'document-start': (model) => ({ ...model, head: 0 }),
  'document-end': (model) => ({ ...model, head: model.text.length }),
  newline: (model) => splice(model, [0, 0], '\n'),
  backspace: (model) => splice(model, [Math.min(1, model.head), 0]),
  delete: (model) => splice(model, [0, 1]),
  'cut-line': (model) =>
    splice(model, [column(model), Math.min(model.text.length, lineEnd(model) + 1) - model.head]),
};

const typed = fc.constantFrom('a', 'xy', '日', 'é', ':');
const command = fc.constantFrom(...(Object.keys(steps) as EditorCommand[]));
const action = fc.oneof(
  { weight: 2, arbitrary: typed.map((text) => ({ text })) },
  { weight: 3, arbitrary: command.map((name) => ({ name })) },
  { weight: 1, arbitrary: fc.constant({ name: 'undo-all' as const }) },
);
const content = fc
  .array(fc.constantFrom('ab', 'é', '日本', '\n', 'c'), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('a text editor', () => {
  test('agrees with the reference model for any commands', () => {
    fc.assert(
      fc.property(content, fc.array(action, { maxLength: 14 }), (text, actions) => {
        const editor = createTextEditor({ ...drawing, text, size: { rows: 4, columns: 6 } });
        let model: Model = { text, head: 0 };
        for (const act of actions) {
          if ('text' in act) {
            editor.insert(act.text);
            model = splice(model, [0, 0], act.text);
          } else if (act.name === 'undo-all') {
            let undone = false;
            while (editor.run('undo')) undone = true;
            // The cursor position after undo is up to the history.
            model = { text, head: editor.state.selection.main.head };
            if (undone) expect(editor.isModified()).toBe(false);
          } else {
            editor.run(act.name);
            model = steps[act.name]?.(model, { text, head: 0 }) ?? model;
          }
          const { head, empty } = editor.state.selection.main;
          // Plain comparison: matchers are too slow for ten thousand steps.
          const agrees = editor.text() === model.text && head === model.head && empty;
          if (!agrees)
            expect({ text: editor.text(), head, empty }).toEqual({ ...model, empty: true });
        }
        expect(editor.isModified()).toBe(model.text !== text);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the history', () => {
  const commands: readonly EditorCommand[] = [
    ...(['newline', 'backspace', 'delete', 'delete-word', 'delete-word-forward', 'tab'] as const),
    ...(['indent', 'outdent', 'comment', 'move-line-up', 'move-line-down', 'paste'] as const),
    ...([
      'cut',
      'copy',
      'cut-line',
      'set-mark',
      'select-all',
      'select-down',
      'select-right',
    ] as const),
    ...(['word-left', 'word-right', 'up', 'down', 'page-up', 'page-down', 'line-end'] as const),
    ...(['undo', 'redo', 'matching-bracket', 'clear-selection', 'select-word-left'] as const),
  ];
  const anything = fc.oneof(
    fc.constantFrom(...commands).map((name) => ({ name })),
    fc.constantFrom(' ', 'a', '\t', '(', ']', '👩‍👩‍👧', '\u0301', '\r').map((text) => ({ text })),
    fc.constantFrom('one\r\ntwo\rthree', '', '\n\n').map((paste) => ({ paste })),
    fc.constantFrom('other\r\n', '\u{feff}x\ny', 'a: 1').map((load) => ({ load })),
    fc.constantFrom('z', '', '$&$&').map((replaced) => ({ replaced })),
  );
  const start = fc.constantFrom(
    '',
    'a (b) c\n\td\n',
    'x: 1\r\n  y: 2\r\n',
    '\u{feff}日本\rb',
    'a\r\nb\n',
  );

  test('undoes any edits back to the opened file, across saves', () => {
    fc.assert(
      fc.property(start, fc.array(anything, { maxLength: 30 }), (text, actions) => {
        const editor = createTextEditor({ ...drawing, text, size: { rows: 3, columns: 5 } });
        for (const act of actions) {
          if ('name' in act) editor.run(act.name);
          else if ('text' in act) editor.insert(act.text);
          else if ('paste' in act) editor.paste(act.paste);
          else if ('load' in act) {
            editor.replaceText(act.load);
            expect(editor.text()).toBe(act.load);
          } else {
            editor.find({ text: '[abx]', regex: true, matchCase: true });
            editor.replaceAll(act.replaced);
            editor.markSaved();
          }
        }
        const end = editor.text();
        while (editor.run('undo'));
        expect(editor.text()).toBe(text);
        while (editor.run('redo'));
        expect(editor.run('redo')).toBe(false);
        expect(typeof end).toBe('string');
      }),
      { numRuns: 500 },
    );
  });
});
