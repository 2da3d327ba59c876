import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { beginFile } from '../../source/disk/begin-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder = '';

beforeEach(() => {
  folder = temporaryFolder();
});

async function begun(file: string, replaces = false) {
  const result = await beginFile(path.join(folder, file), replaces);
  if (!result.ok) throw new Error(result.reason);
  return result.writing;
}

describe('a file that is begun', () => {
  it('is there once it is finished, for its owner only', async () => {
    const writing = await begun('a.log');
    expect(await writing.write('größe\n')).toEqual({ ok: true, bytes: 8 });
    await writing.write('\r\0\n');
    expect(readdirSync(folder)).not.toContain('a.log');
    expect(await writing.finish()).toEqual({ ok: true });
    expect(readdirSync(folder)).toEqual(['a.log']);
    expect(readFileSync(path.join(folder, 'a.log'), 'utf8')).toBe('größe\n\r\0\n');
    expect(statSync(path.join(folder, 'a.log')).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing when it is dropped', async () => {
    const writing = await begun('a.log');
    await writing.write('half');
    await writing.discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps a file that appears at the target meanwhile, unless it may replace', async () => {
    const writing = await begun('a.log');
    writeFileSync(path.join(folder, 'a.log'), 'theirs');
    expect(await writing.finish()).toEqual({
      ok: false,
      reason: 'a file was created there meanwhile',
    });
    expect(readdirSync(folder)).toEqual(['a.log']);
    const replacing = await begun('a.log', true);
    await replacing.write('mine');
    expect(await replacing.finish()).toEqual({ ok: true });
    expect(readFileSync(path.join(folder, 'a.log'), 'utf8')).toBe('mine');
  });

  it('replaces the file that a link leads to, not the link', async () => {
    mkdirSync(path.join(folder, 'real'));
    writeFileSync(path.join(folder, 'real/a.log'), 'old');
    symlinkSync('real/a.log', path.join(folder, 'link'));
    const writing = await begun('link', true);
    await writing.write('new');
    await writing.finish();
    expect(readFileSync(path.join(folder, 'real/a.log'), 'utf8')).toBe('new');
    expect(readdirSync(path.join(folder, 'real'))).toEqual(['a.log']);
  });

  it('says why it cannot be', async () => {
    expect(await beginFile(path.join(folder, 'no/such/a.log'), false)).toEqual({
      ok: false,
      reason: 'the folder does not exist',
    });
    mkdirSync(path.join(folder, 'sub'));
    expect(await beginFile(path.join(folder, 'sub'), true)).toMatchObject({
      reason: 'it is not a regular file',
    });
    expect(await beginFile('/dev/null', true)).toMatchObject({
      reason: 'it is not a regular file',
    });
  });
});
