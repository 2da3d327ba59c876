import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readArguments } from '../../source/config/arguments.ts';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { keyList } from '../support/key-list.ts';

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');

test('the README lists the keys as they are bound', () => {
  const [, listed = ''] = readme.split(/<!-- \/?keys.*-->\n/);
  expect(listed.trim()).toBe(keyList());
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
