import { expect, test } from 'vitest';
import {
  createPipedCommands,
  readPipedCommands,
} from '../../../source/store/log/piped-commands.ts';

test('the newest command is last, each is there once, and those of another console stay', () => {
  let stored: readonly string[] | undefined = ['wc', 'sort'];
  const commands = createPipedCommands(
    () => stored,
    (next) => {
      stored = next;
    },
  );
  stored = ['wc', 'sort', 'jq .'];
  commands.add('wc');
  expect(commands.state.getState()).toEqual(['sort', 'jq .', 'wc']);
  commands.add('x'.repeat(2000));
  for (let number = 0; number < 60; number += 1) commands.add(`command ${number}`);
  expect(stored).toHaveLength(50);
  expect(stored.at(-1)).toBe('command 59');
});

test('commands are read from what is stored, without what is none', () => {
  expect(readPipedCommands(['wc', 7, null, 'x'.repeat(2000)])).toEqual(['wc']);
  expect(readPipedCommands(undefined)).toBeUndefined();
  expect(readPipedCommands({ 0: 'wc' })).toBeUndefined();
});
