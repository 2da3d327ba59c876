import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { render } from 'ink';
import { expect, onTestFinished, test } from 'vitest';
import { createStore, useStore } from 'zustand';
import type { Overlay } from '../../../../source/store/deck/screen/overlay.ts';
import { startOfList } from '../../../../source/store/lists/cursor.ts';
import { openMenu } from '../../../../source/store/prompts/menu.ts';
import { paletting } from '../../../../source/store/prompts/palette.ts';
import { prompting } from '../../../../source/store/prompts/prompt.ts';
import { InkStdin } from '../../../../source/terminal/keys/ink-stdin.ts';
import type { KeyEvent } from '../../../../source/terminal/keys/key-sequences.ts';
import { Field } from '../../../../source/view/parts/field.tsx';
import { isFieldKey } from '../../../../source/view/shell/prompts/field-keys.ts';
import {
  type EditedLine,
  editLine,
  longestLine,
} from '../../../../source/view/text/line-editor.ts';

const prompt = { label: 'Name: ', submit() {} };

/** The state of a screen with an open box. */
const opened = (overlay: Overlay | undefined) => ({
  overlay,
  filters: { deployments: '', files: 'name', grants: '' },
});

/** A field on Ink, and a keyboard that gives each key to Ink or to the line editor. */
function mountField(start: EditedLine) {
  const store = createStore<EditedLine>(() => start);
  const stdin = new InkStdin();
  const stdout = Object.assign(new PassThrough(), { columns: 40, rows: 10 });
  let frame = '';
  stdout.on('data', (data: Buffer) => {
    frame = data.toString();
  });
  function Prompt() {
    const line = useStore(store);
    return (
      <Field
        prompt={prompt.label}
        at={{ x: 0, y: 0, width: 30 }}
        line={line}
        onEdit={(edited) => store.setState(edited)}
      />
    );
  }
  const instance = render(<Prompt />, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    debug: true,
    patchConsole: false,
    exitOnCtrlC: false,
  });
  let passed = 0;
  return {
    unmount: () => instance.unmount(),
    frame: () => frame,
    line: () => store.getState(),
    passed: () => passed,
    async press(key: KeyEvent): Promise<void> {
      const line = store.getState();
      if (stdin.hasReader() && isFieldKey(opened({ ...prompting(prompt), ...line }), key)) {
        passed += 1;
        stdin.send(key);
      } else {
        store.setState(editLine(line, key) ?? line);
      }
      await nextTurn();
    },
  };
}

const typed = (text: string): readonly KeyEvent[] =>
  Array.from(text, (each) => ({ name: each, text: each }));

const names =
  'left right home end ctrl+left ctrl+right backspace delete ctrl+w ctrl+u ctrl+k'.split(' ');
const key: fc.Arbitrary<KeyEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...Array.from('ab c-/.[1jkJK?<日é👍'), '\u0301', '\u200d', '🇩', '\u00a0')
      .map((text) => ({ name: text, text })),
  },
  { weight: 3, arbitrary: fc.constantFrom(...names).map((name) => ({ name })) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', maxLength: 9 })
      .map((text) => ({ name: 'paste', text })),
  },
);

test('a field on ink-text-input edits as the line editor does, with any keys', async () => {
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(key, { maxLength: 25 }), async (keys) => {
      const field = mountField({ text: 'a 👍b', caret: 4 });
      try {
        for (const each of keys) await field.press(each);
        const expected = keys.reduce<EditedLine>((line, each) => editLine(line, each) ?? line, {
          text: 'a 👍b',
          caret: 4,
        });
        expect(field.line()).toEqual(expected);
        passed += field.passed();
      } finally {
        field.unmount();
      }
    }),
    { numRuns: 60 },
  );
  expect(passed).toBeGreaterThan(60);
});

test('ink-text-input takes what is typed, and the line is drawn around it', async () => {
  const field = mountField({ text: '', caret: 0 });
  onTestFinished(() => field.unmount());
  for (const each of typed('file name')) await field.press(each);
  await field.press({ name: 'backspace' });
  expect(field.passed()).toBe(10);
  for (const name of ['left', 'left', 'left']) await field.press({ name });
  for (const each of typed('new-')) await field.press(each);
  expect(field.line()).toEqual({ text: 'file new-nam', caret: 9 });
  expect(field.frame().trimEnd()).toBe('Name: file new-nam');
});

test('a line has its limit in ink-text-input too', async () => {
  const field = mountField({ text: 'x'.repeat(longestLine - 1), caret: 3 });
  onTestFinished(() => field.unmount());
  for (const each of typed('yz')) await field.press(each);
  expect(field.line()).toEqual({ text: `xxxy${'x'.repeat(longestLine - 4)}`, caret: 4 });
  await field.press({ name: 'backspace' });
  expect(field.line()).toEqual({ text: 'x'.repeat(longestLine - 1), caret: 3 });
});

test.each<[KeyEvent, boolean]>([
  [{ name: 'a', text: 'a' }, true],
  [{ name: 'space', text: ' ' }, true],
  [{ name: 'backspace' }, true],
  [{ name: 'left' }, false],
  [{ name: 'enter' }, false],
  [{ name: 'tab' }, false],
  [{ name: 'ctrl+w' }, false],
  [{ name: 'paste', text: 'a' }, false],
  [{ name: 'a', text: '\u0007' }, false],
])('%j is for ink-text-input: %s', (event, isTaken) => {
  expect(isFieldKey(opened(prompting(prompt, 'name')), event)).toBe(isTaken);
  const filter = {
    kind: 'filter',
    pane: 'files',
    before: '',
    cursor: startOfList,
    caret: 4,
  } as const;
  expect(isFieldKey(opened(filter), event)).toBe(isTaken);
  expect(isFieldKey(opened({ ...paletting(() => []), text: 'name', caret: 4 }), event)).toBe(
    isTaken,
  );
  expect(isFieldKey(opened(undefined), event)).toBe(false);
  expect(
    isFieldKey(
      opened({ ...openMenu({ title: '', items: () => [] }), narrow: 'name', caret: 4 }),
      event,
    ),
  ).toBe(false);
});
