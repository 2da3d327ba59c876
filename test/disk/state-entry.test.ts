import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createStateEntry } from '../../source/disk/state-entry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

test('an entry is read as it was written last, beside those of others, by its owner only', async () => {
  const state = path.join(folder, 'new');
  const mine = createStateEntry(state, 'lists.json', 'mine');
  const other = createStateEntry(state, 'lists.json', '__proto__');
  await other.write({ a: 1 });
  await Promise.all([mine.write(1), mine.write(2), mine.write({ orders: {} })]);
  expect(mine.read()).toEqual({ orders: {} });
  expect(other.read()).toEqual({ a: 1 });
  expect(createStateEntry(state, 'lists.json', 'nobody').read()).toBeUndefined();
  expect((await stat(path.join(state, 'lists.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(state)).toEqual(['lists.json']);
});

test.each(['', 'null', '3', '[1', '{"mine": '])('a file of %j counts as empty', async (content) => {
  await writeFile(path.join(folder, 'lists.json'), content);
  const entry = createStateEntry(folder, 'lists.json', 'mine');
  expect(entry.read()).toBeUndefined();
  await entry.write('a');
  expect(JSON.parse(await readFile(path.join(folder, 'lists.json'), 'utf8'))).toEqual({
    mine: 'a',
  });
});

test('what comes while the file is written is written after it', async () => {
  const entry = createStateEntry(folder, 'lists.json', 'mine');
  const first = entry.write(1);
  expect(entry.read()).toBe(1);
  await new Promise(setImmediate);
  await Promise.all([first, entry.write(2)]);
  expect(entry.read()).toBe(2);
  await entry.write(3);
  expect(entry.read()).toBe(3);
});
