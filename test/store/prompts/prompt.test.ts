import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  completedPrompt,
  changedPrompt,
  completed,
  failedPrompt,
  type Prompt,
  prompting,
  promptingDefault,
  recallEntered,
  turnedPrompt,
} from '../../../source/store/prompts/prompt.ts';

test('a single candidate is completed whole', () => {
  expect(completed('config/a', ['config/app.yaml', 'public/a'])).toBe('config/app.yaml');
});

test('several candidates are completed to their common prefix', () => {
  expect(completed('c', ['config/app.yaml', 'config/apple', 'x'])).toBe('config/app');
});

test('a text without a candidate stays unchanged', () => {
  expect(completed('z', ['config/app.yaml'])).toBe('z');
});

test('a completion is a prefix of every matching candidate and splits no character', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 6 });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 6 }), name, (names, typed) => {
      const longer = completed(typed, names);
      expect(longer.startsWith(typed)).toBe(true);
      for (const candidate of names.filter((each) => each.startsWith(typed))) {
        expect(candidate.startsWith(longer)).toBe(true);
      }
      expect(longer.isWellFormed()).toBe(true);
    }),
  );
});

test('Up and Down step through the entries and return to the typed text', () => {
  const entries = fc.array(fc.string({ maxLength: 4 }), { maxLength: 4 });
  const steps = fc.array(fc.constantFrom<1 | -1>(1, -1), { maxLength: 12 });
  fc.assert(
    fc.property(entries, fc.string({ maxLength: 4 }), steps, (texts, typed, moves) => {
      const prompt: Prompt = {
        label: '/',
        entered: () => texts.map((text) => ({ prompt, text })),
        submit() {},
      };
      const start = prompting(prompt, typed);
      let open = start;
      let ago = 0;
      for (const step of moves) {
        open = recallEntered(open, step);
        ago = Math.max(0, Math.min(ago + step, texts.length));
        expect(open.text).toBe(ago === 0 ? typed : texts.at(-ago));
        expect(open.caret).toBe(open.text.length);
      }
      while (open.recalled > 0) open = recallEntered(open, -1);
      expect(open.text).toBe(typed);
    }),
  );
});

test('an entry is recalled together with its prompt', () => {
  const other: Prompt = { label: '/re:', submit() {} };
  const prompt: Prompt = {
    label: '/',
    entered: () => [{ prompt: other, text: 'a+' }],
    turned: () => other,
    submit() {},
  };
  const open = prompting(prompt, 'x');
  expect(recallEntered(open, 1)).toMatchObject({ prompt: other, text: 'a+' });
  expect(turnedPrompt(open)).toMatchObject({ prompt: other, text: 'x' });
  expect(turnedPrompt(prompting(other, 'x')).prompt).toBe(other);
});

test('Tab that can decide nothing names what follows the last folder', () => {
  const prompt = { label: '', submit() {} };
  const paths = ['/tmp/a b/cache/', '/tmp/a b/crash.yaml'];
  const extended = completedPrompt(prompting(prompt, '/tmp/a b/'), paths);
  expect(extended.text).toBe('/tmp/a b/c');
  const { text, choices } = completedPrompt(extended, paths);
  expect(text).toBe('/tmp/a b/c');
  expect(choices).toEqual(['cache/', 'crash.yaml']);
  expect(completedPrompt(prompting(prompt, '/tmp/a b/cr'), paths).choices).toBeUndefined();
});

test('a default is selected until a key changes the prompt', () => {
  const prompt: Prompt = { label: 'Save as: ', submit() {} };
  const open = promptingDefault(prompt, './a.log');
  expect(open).toMatchObject({ text: './a.log', isSelected: true });
  expect(changedPrompt(open, { ...open, caret: 3 }).isSelected).toBe(false);
  expect(promptingDefault(prompt, '').isSelected).toBe(false);
});

test('a problem with a text is shown until the text changes', () => {
  const problem = { sentence: 'This is a folder.', next: '' };
  const open = failedPrompt({ label: 'Save as: ', submit() {} }, 'tmp', problem);
  expect(open).toMatchObject({ text: 'tmp', problem });
  expect(changedPrompt(open, { ...open, caret: 0 }).problem).toBe(problem);
  expect(changedPrompt(open, { ...open, text: 'tm' }).problem).toBeUndefined();
});
