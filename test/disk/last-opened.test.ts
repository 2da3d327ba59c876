import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createLastOpened } from '../../source/disk/state-entry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

test('what was opened last is remembered by service, for its owner only', async () => {
  const state = path.join(folder, 'new');
  const here = createLastOpened(state, 'http://here');
  const there = createLastOpened(state, 'http://there');
  await Promise.all([here.write('a'), here.write('b')]);
  await there.write('c');
  expect(here.read()).toBe('b');
  expect(there.read()).toBe('c');
  expect((await stat(path.join(state, 'opened.json'))).mode & 0o777).toBe(0o600);
});

test('a file that is damaged counts as empty and is written anew', async () => {
  await writeFile(path.join(folder, 'opened.json'), '{"http://here": 3,');
  const here = createLastOpened(folder, 'http://here');
  expect(here.read()).toBeUndefined();
  await here.write('a');
  expect(JSON.parse(await readFile(path.join(folder, 'opened.json'), 'utf8'))).toEqual({
    'http://here': 'a',
  });
});

test('a folder that cannot be written disturbs nobody', async () => {
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  const blocked = createLastOpened(path.join(file, 'below'), 'http://here');
  await blocked.write('a');
  expect(blocked.read()).toBeUndefined();
});
