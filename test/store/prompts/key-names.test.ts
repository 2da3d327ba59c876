import { afterEach, expect, test } from 'vitest';
import { keyName, setKeyNames } from '../../../source/store/prompts/key-names.ts';
import { bindKeys, keyNamesOf } from '../../../source/view/command/key-bindings.ts';
import { registeredCommands } from '../../../source/view/shell/commands.ts';
import { sources, textOf } from '../../architecture/sources.ts';

afterEach(() => setKeyNames(new Map()));

function bind(bindings: Readonly<Record<string, readonly string[]>>): void {
  const bound = bindKeys(registeredCommands, new Map(Object.entries(bindings)));
  expect(bound.mistakes).toEqual([]);
  setKeyNames(keyNamesOf(bound.commands));
}

test('a key has its usual name until another one is bound', () => {
  expect(keyName('trash.undo', 'u')).toBe('u');
  bind({});
  expect(keyName('trash.undo', 'u')).toBe('u');
  bind({ 'trash.undo': ['f9', 'K'] });
  expect(keyName('trash.undo', 'u')).toBe('K');
  bind({ 'trash.undo': ['f9'] });
  expect(keyName('trash.undo', 'u')).toBe('F9');
});

test('a key that is still bound keeps its name, and the editor gets none that types', () => {
  bind({ 'restarts.restart': ['z', 'ctrl+r', 'f9'] });
  expect(keyName('restarts.restart', '^R')).toBe('^R');
  bind({ 'restarts.restart': ['z', 'f9'] });
  expect(keyName('restarts.restart', '^R')).toBe('F9');
  expect(keyName('restarts.restart', 'r')).toBe('z');
});

test('a command without a key is named as the palette names it', () => {
  bind({ 'trash.undo': [] });
  expect(keyName('trash.undo', 'u')).toBe(':undo');
});

test('the usual names in texts are those of the commands', () => {
  const named = sources.flatMap((file) =>
    [...textOf(file).matchAll(/keyName\(\s*'([\w.-]+)',\s*'([^']+)',?\s*\)/g)].map(
      ([, id = '', usual = '']) => ({ file, id, usual }),
    ),
  );
  const names = keyNamesOf(registeredCommands);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ id, usual }) => names.get(id)?.includes(usual) !== true)).toEqual([]);
});

/** A control or function key with its effect; `r: restart again`; `d shows the answer`. */
const keysInTexts = [
  /['`][^'`]*(?:\^[ABD-Z]|\bF\d+):? [a-z]/,
  /['`](?:[^'`]*[^\w'`])?[a-zA-Z?!&*]: [a-z]/,
  /(?<!\w)['`](?:[^'`]*[.;,] )?[B-HJ-Zb-z] [a-z]{2,}s\b/,
];

test('a text with a key in it is recognised', () => {
  for (const text of ['^S retries.', 'Check its log; r: restart again.', 'd shows the answer.']) {
    expect(keysInTexts.some((pattern) => pattern.test(`'${text}'`))).toBe(true);
  }
  for (const text of ['a file has changed', 'Cost: 1 h a day', 'Line 4: wrong', '1 of 2 files']) {
    expect(keysInTexts.some((pattern) => pattern.test(`'${text}'`))).toBe(false);
  }
});

test('no text names a key that another one may be bound for', () => {
  const files = sources.filter((file) =>
    /source\/(?:client|contract|disk|editor|store|tail|view)\//.test(file),
  );
  const literals = files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
      // No key, but a group of a regular expression.
      .map((line) => line.replaceAll('(?:', '('))
      .map((line) => line.replaceAll(/\$\{keyName\([^)]*\)\}/g, ''))
      // `^C` can't be bound to another command.
      .filter((line) => keysInTexts.some((pattern) => pattern.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(literals).toEqual([]);
});
