import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readArguments } from '../../source/config/arguments.ts';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { firstFooterModule, keysPage, readmeKeys } from '../../.config/key-docs.ts';
import { registeredCommands } from '../../source/view/shell/commands.ts';

const read = (file: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');

const readme = read('README.md');

// `npm run docs` writes all three.
test('the README, docs/keys.md and the first footer have the keys of the registered commands', () => {
  const [, listed = ''] = readme.split(/<!-- \/?keys.*-->\n/);
  expect(listed.trim()).toBe(readmeKeys(registeredCommands));
  expect(read('docs/keys.md')).toBe(keysPage(registeredCommands));
  expect(read('source/start/first-footer.ts')).toBe(firstFooterModule(registeredCommands));
});

test('every command line that the README shows is one that hostdeck takes', () => {
  const shown = [...readme.matchAll(/(?:^|\] )(?:HOSTDECK_\S+ )*hostdeck((?: [^|\n]*)?)/gm)]
    .map(([, line = '']) => line.split(/ {3,}/)[0]?.trim() ?? '')
    .filter((line) => !/[A-Z]{2,}/.test(line));
  expect(shown.length).toBeGreaterThan(3);
  for (const line of shown) {
    expect(readArguments(line.split(' ').filter((word) => word !== '')).kind).not.toBe('usage');
  }
});

test('the definition that the README shows is one that the host takes', () => {
  const [, sdl = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
  expect(parseSdl(sdl)).toMatchObject({ ok: true, definition: { name: 'shop' } });
});
