import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeFolder, makeFolderSync } from '../../source/system/make-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (...given: Parameters<typeof makeFolder>) => makeFolderSync(...given)],
])('%s', (_, make) => {
  test('makes all that is missing, with its mode, and names the first', async () => {
    const made = path.join(folder, 'a/b/c');
    expect(await make(made, 0o700)).toBe(path.join(folder, 'a'));
    expect(statSync(path.join(folder, 'a/b')).mode & 0o777).toBe(0o700);
    expect(await make(made)).toBeUndefined();
    expect(await make(path.join(made, 'd'))).toBe(path.join(made, 'd'));
  });

  test('takes a link to a folder for one', async () => {
    mkdirSync(path.join(folder, 'there'));
    symlinkSync('there', path.join(folder, 'link'));
    expect(await make(path.join(folder, 'link'))).toBeUndefined();
    expect(await make(path.join(folder, 'link/a'))).toBe(path.join(folder, 'link/a'));
  });

  test('fails where a file or a link to nothing is in the way', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    symlinkSync('nowhere', path.join(folder, 'dangling'));
    const code = (name: string) => expect(make(path.join(folder, name))).rejects;
    await code('file').toMatchObject({ code: 'EEXIST' });
    await code('file/a/b').toMatchObject({ code: 'ENOTDIR' });
    await code('dangling').toMatchObject({ code: 'EEXIST' });
    await code('a'.repeat(300)).toMatchObject({ code: 'ENAMETOOLONG' });
  });

  test.runIf(existsSync('/proc/self'))('ends below /proc, where nothing can be made', async () => {
    await expect(make('/proc/nothing/a/b')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('several at the same time make one tree', async () => {
  const names = ['a/b/c', 'a/b/d', 'a/b/c/e', 'a/f'].map((name) => path.join(folder, name));
  await Promise.all(names.map((name) => makeFolder(name)));
  expect(names.filter((name) => !statSync(name).isDirectory())).toEqual([]);
});
