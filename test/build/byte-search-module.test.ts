import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { assembleWat, byteSearchModule } from '../../.config/assemble-wat.ts';

const folder = path.resolve(import.meta.dirname, '../../source/tail/query');

test('the program searches with the bytes that byte-search.wat assembles to', async () => {
  const text = readFileSync(path.join(folder, 'byte-search.wat'), 'utf8');
  const module = byteSearchModule(await assembleWat('byte-search.wat', text));
  expect(readFileSync(path.join(folder, 'byte-search-module.ts'), 'utf8')).toBe(module);
});

test.each([
  ['(module (func (export "find") (reslt i32)))', 'reslt'],
  ['(module (func (export "find") (result i32) (f32.const 1)))', 'type mismatch'],
])('text that is no module fails with its line: %s', async (text, reason) => {
  await expect(assembleWat('some.wat', text)).rejects.toThrow(
    new RegExp(`some\\.wat:1:\\d+: error: .*${reason}`),
  );
});
