import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { removeForGood, whyNot, writeAtomically } from '../../source/disk/atomic-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

test.each([
  ['ENOSPC', 'no space left on this machine'],
  ['EDQUOT', 'your disk quota on this machine is used up'],
  ['EROFS', 'the disk of this machine is read-only'],
  ['EACCES', 'permission denied'],
  ['EIO', 'the disk of this machine failed'],
  ['EBUSY', 'error EBUSY'],
])('%s has words', (code, words) => {
  expect(whyNot(Object.assign(new Error('no'), { code }))).toBe(words);
});

test('the folder is named where the place is the reason', () => {
  const failure = (code: string) => Object.assign(new Error('no'), { code });
  expect(whyNot(failure('ENOENT'), '/a')).toBe('the folder does not exist (/a)');
  expect(whyNot(failure('ENOSPC'), '/a')).toBe('no space left on this machine');
});

test('a write that fails leaves what was there and nothing else', async () => {
  const file = path.join(folder, 'a');
  await writeAtomically(file, 'whole');
  const broken = [Buffer.from('x'), 3 as unknown as Uint8Array];
  await expect(writeAtomically(file, broken)).rejects.toThrow();
  await mkdir(path.join(folder, 'b'));
  await expect(writeAtomically(path.join(folder, 'b'), 'x')).rejects.toThrow();
  expect(await readFile(file, 'utf8')).toBe('whole');
  expect(await readdir(folder)).toEqual(['a', 'b']);
});

test('many writes of one file at once leave one of them whole', async () => {
  const file = path.join(folder, 'new', 'a');
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(10_000));
  await Promise.all(texts.map((text) => writeAtomically(file, text)));
  expect(texts).toContain(await readFile(file, 'utf8'));
  expect(await readdir(path.dirname(file))).toEqual(['a']);
});

test('what is gone already can be removed', async () => {
  await removeForGood(path.join(folder, 'none', 'a'));
  await writeAtomically(path.join(folder, 'file'), '');
  await removeForGood(path.join(folder, 'file', 'a'));
  await removeForGood(path.join(folder, 'file'));
  expect(await readdir(folder)).toEqual([]);
});
