import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Folder } from '../../../source/host/files/folder.ts';
import { smallFileBytes } from '../../../source/host/files/opened-file.ts';
import { type WrittenFile, WrittenFiles } from '../../../source/host/files/written-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let beside: string;
let tree: string;
let folder: Folder;
let held: { count: number; max: number };
let files: WrittenFiles;

beforeEach(async () => {
  const root = temporaryFolder();
  [beside, tree] = [path.join(root, 'beside'), path.join(root, 'tree')];
  mkdirSync(beside);
  mkdirSync(tree);
  const opened = await Folder.open(tree);
  if (!(opened instanceof Folder)) throw new Error('no folder');
  folder = opened;
  held = { count: 0, max: 8 };
  files = new WrittenFiles(beside, held);
  onTestFinished(async () => {
    await files.close();
    await folder.close();
    expect(held.count).toBe(0);
  });
});

const place = (file: WrittenFile, name: string) =>
  files.place(file, { folder, name, service: 'web', path: name });

const inode = (file: string) => statSync(file).ino;
const inTree = (name: string) => path.join(tree, name);
const read = (name: string) => readFileSync(inTree(name), 'utf8');

/** Writes to a path of the tree, and lets later writes overwrite what was there. */
async function write(name: string, content: string) {
  const replaced = await place(await files.write(content), name);
  if (replaced !== undefined) files.free([replaced]);
  return replaced;
}

describe('a replaced file', () => {
  it('is overwritten by a later write of any size', async () => {
    const inodes = new Set<number>();
    const contents = ['first', 'longer than the first', '3', '', 'x'.repeat(smallFileBytes), '6'];
    for (const content of contents) {
      await write('a', content);
      expect(read('a')).toBe(content);
      inodes.add(inode(inTree('a')));
    }
    expect(inodes.size).toBe(2);
    await write('b', 'another path');
    expect(inodes).toContain(inode(inTree('b')));
    expect(readdirSync(beside)).toEqual([]);
  });

  it('is on the disk before the write to it is done', async () => {
    await write('a', 'first');
    const replaced = await write('a', 'second');
    if (replaced === undefined) throw new Error('not held');
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(replaced.handle, 'datasync').mockImplementation(() => {
      begun.resolve();
      return end.promise;
    });
    let isDone = false;
    const writing = files.write('third').then((file) => {
      isDone = true;
      return file;
    });
    await begun.promise;
    expect(readFileSync(replaced.path, 'utf8')).toBe('third');
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    end.resolve();
    expect(await writing).toBe(replaced);
    await files.drop(replaced);
  });

  it('keeps its content until it is free', async () => {
    await write('a', 'first');
    const first = inode(inTree('a'));
    const replaced = await place(await files.write('second'), 'a');
    if (replaced === undefined) throw new Error('not held');
    await write('a', 'third');
    expect(inode(replaced.path)).toBe(first);
    expect(readFileSync(replaced.path, 'utf8')).toBe('first');
    await files.drop(replaced);
  });

  it('keeps its content when it has another name', async () => {
    await write('a', 'first');
    const link = path.join(path.dirname(tree), 'link');
    linkSync(inTree('a'), link);
    expect(await write('a', 'second')).toBeUndefined();
    await write('a', 'third');
    await write('a', 'fourth');
    expect([readFileSync(link, 'utf8'), read('a')]).toEqual(['first', 'fourth']);
  });

  it('keeps its content when it is large, or too many are held', async () => {
    await write('large', 'x'.repeat(smallFileBytes + 1));
    expect(await write('large', 'small')).toBeUndefined();
    for (let index = 0; index < held.max; index += 1) await write(`${index}`, 'held');
    expect(held.count).toBe(held.max);
    await write('one more', 'not held');
    expect(await write('one more', '')).toBeUndefined();
  });

  it('is another one when the path was moved meanwhile', async () => {
    await write('a', 'first');
    renameSync(inTree('a'), inTree('b'));
    expect(await write('a', 'second')).toBeUndefined();
    await write('c', 'another');
    renameSync(inTree('c'), inTree('a'));
    expect(await write('a', 'third')).toBeUndefined();
    await write('a', 'fourth');
    await write('a', 'fifth');
    expect([read('a'), read('b')]).toEqual(['fifth', 'first']);
  });
});

it('a file stays in the tree when the one that was to replace it cannot be moved', async () => {
  await write('a', 'first');
  const file = await files.write('second');
  await files.drop(file);
  await expect(place(file, 'a')).rejects.toMatchObject({ code: 'ENOENT' });
  await write('a', 'third');
  await write('a', 'fourth');
  expect(read('a')).toBe('fourth');
  expect(readdirSync(beside)).toHaveLength(1);
});

it('a write to a file that cannot be overwritten creates another', async () => {
  await write('a', 'first');
  const replaced = await write('a', 'second');
  await replaced?.handle.close();
  await write('a', 'third');
  expect(read('a')).toBe('third');
});

it('writes go on when another program removes the folder beside the trees', async () => {
  for (const content of ['first', 'second', 'third', 'fourth']) {
    await write('a', content);
    rmSync(beside, { recursive: true, force: true });
    expect(read('a')).toBe(content);
  }
});
