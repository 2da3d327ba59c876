import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLocalFiles } from '../../source/disk/local-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const local = createLocalFiles('linux');

let folder = '';

beforeEach(() => {
  folder = temporaryFolder();
});

async function make(name: string, content = name): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

describe('a text', () => {
  it('is read as it is, also with a byte order mark', async () => {
    const file = await make('a.yaml', '\u{feff}a: 1\r\n');
    expect(await local.read(file, 100)).toEqual({ ok: true, text: '\u{feff}a: 1\r\n' });
  });

  it('is refused with a reason where it is not text, too large, or missing', async () => {
    const binary = path.join(folder, 'binary');
    await writeFile(binary, new Uint8Array([0xff, 0xfe]));
    const reasonOf = async (file: string) => {
      const read = await local.read(file, 4);
      return read.ok ? undefined : read.reason;
    };
    expect(await reasonOf(binary)).toBe('it is not UTF-8 text');
    expect(await reasonOf(await make('long', '12345'))).toBe('it is larger than 4 bytes');
    expect(await reasonOf(folder)).toBe('it is not a regular file');
    expect(await reasonOf(path.join(folder, 'none'))).toBe('no such file');
  });
});

describe('a walk', () => {
  it('says why a file whose name is not UTF-8 is left out', async () => {
    const latin = Buffer.concat([Buffer.from(`${folder}/latin`), Buffer.from([0xe9])]);
    await writeFile(latin, 'x');
    expect(await local.walk([folder], { most: 10 })).toEqual({
      files: [],
      leftOut: [
        {
          path: path.join(folder, 'latin\u{fffd}'),
          reason: 'no such file, or its name is not UTF-8',
        },
      ],
    });
  });

  it('gives files and folders with all below them, in order, with their sizes', async () => {
    const single = await make('single.txt', '123');
    const inner = await make('site/css/a b.css', '');
    const index = await make('site/index.html', '12');
    const walked = await local.walk([single, path.join(folder, 'site')], { most: 10 });
    expect(walked).toEqual({
      files: [
        { file: single, path: 'single.txt', size: 3 },
        { file: inner, path: 'site/css/a b.css', size: 0 },
        { file: index, path: 'site/index.html', size: 2 },
      ],
      leftOut: [],
    });
  });

  it('follows links to files inside only, and says what else is left out', async () => {
    const outside = await make('outside/secret');
    const inside = await make('site/real');
    const site = path.join(folder, 'site');
    await symlink(inside, path.join(site, 'to-file'));
    await symlink(outside, path.join(site, 'to-outside'));
    await symlink(path.join(folder, 'site2'), path.join(site, 'to-nowhere'));
    await symlink(site, path.join(site, 'to-folder'));
    await symlink(path.join(folder, 'site-beside'), path.join(site, 'to-beside'));
    await make('site-beside');
    const { files, leftOut } = await local.walk([site], { most: 10 });
    expect(files.map((file) => file.path)).toEqual(['site/real', 'site/to-file']);
    expect(leftOut).toEqual([
      { path: path.join(site, 'to-beside'), reason: 'a link that leads out of the folder' },
      { path: path.join(site, 'to-folder'), reason: 'a link to a folder' },
      { path: path.join(site, 'to-nowhere'), reason: 'no such file' },
      { path: path.join(site, 'to-outside'), reason: 'a link that leads out of the folder' },
    ]);
  });

  it('follows a link that was named itself', async () => {
    await make('site/index.html');
    await symlink(path.join(folder, 'site'), path.join(folder, 'link'));
    const { files } = await local.walk([path.join(folder, 'link')], { most: 10 });
    expect(files.map((file) => file.path)).toEqual(['link/index.html']);
  });

  it('says what is not there, and where it stopped', async () => {
    for (const name of ['a', 'b', 'c']) await make(`many/${name}`);
    const missing = path.join(folder, 'missing');
    const many = path.join(folder, 'many');
    const { files, leftOut } = await local.walk([missing, many], { most: 2 });
    expect(files).toHaveLength(2);
    expect(leftOut).toEqual([
      { path: missing, reason: 'no such file' },
      { path: many, reason: 'more than 2 files; the rest is left out' },
    ]);
  });
});

describe('the way to a file', () => {
  it('is made', async () => {
    const way = await local.createFolders(path.join(folder, 'new'), ['a', 'b', 'c.txt']);
    expect(way).toEqual({ ok: true, file: path.join(folder, 'new/a/b/c.txt') });
    expect(await local.statusAt(folder, ['new', 'a', 'b'])).toBe('folder');
    expect(await local.statusAt(folder, ['new', 'a', 'b', 'c.txt'])).toBe('nothing');
  });

  it('follows no link out of the folder, but one inside', async () => {
    await make('outside/x');
    await make('chosen/inner/x');
    const chosen = path.join(folder, 'chosen');
    await symlink(path.join(folder, 'outside'), path.join(chosen, 'out'));
    await symlink('inner', path.join(chosen, 'in'));
    expect(await local.createFolders(chosen, ['out', 'x'])).toEqual({
      ok: false,
      reason: 'a link leads out of the folder',
    });
    expect(await local.createFolders(chosen, ['out', 'deep', 'x'])).toMatchObject({ ok: false });
    expect(await local.statusAt(folder, ['outside', 'deep'])).toBe('nothing');
    expect(await local.createFolders(chosen, ['in', 'x'])).toEqual({
      ok: true,
      file: path.join(chosen, 'inner/x'),
    });
  });

  it('is not there where files are in it, or a folder is at its end', async () => {
    await make('file');
    await make('folder/x');
    expect(await local.createFolders(folder, ['file', 'x'])).toMatchObject({
      reason: 'a file has the name of its folder',
    });
    expect(await local.createFolders(folder, ['folder'])).toMatchObject({
      reason: 'a folder has the same name',
    });
  });

  it('stays in the folder, whatever the names', async () => {
    const name = fc.oneof(
      fc.constantFrom('..', '.', '', '/', '../..', '/etc', 'a/../..', '\0', 'a', 'b'),
      fc.string({ maxLength: 4 }),
    );
    const chosen = path.join(folder, 'chosen');
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 3 }), async (segments) => {
        const way = await local.createFolders(chosen, segments);
        if (way.ok) expect(path.relative(chosen, way.file)).toBe(segments.join('/'));
        expect(await local.list(folder)).toEqual(
          (await local.statusAt(folder, ['chosen'])) === 'folder' ? ['chosen/'] : [],
        );
      }),
      { numRuns: 200 },
    );
  });
});

it('lists names with folders told apart, links to them too', async () => {
  await make('b.txt');
  await make('a/x');
  await symlink('a', path.join(folder, 'c'));
  await symlink('nowhere', path.join(folder, 'd'));
  expect(await local.list(folder)).toEqual(['a/', 'b.txt', 'c/', 'd']);
  expect(await local.list(path.join(folder, 'nowhere'))).toEqual([]);
});
