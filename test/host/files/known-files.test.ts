import { lstatSync } from 'node:fs';
import { rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileTextCache } from '../../../source/host/files/files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let file: string;
let files: FileTextCache;

beforeEach(async () => {
  folder = temporaryFolder();
  file = path.join(folder, 'file');
  await writeFile(file, 'text');
  files = new FileTextCache();
});

afterEach(async () => {
  vi.useRealTimers();
});

const stats = () => lstatSync(file, { bigint: true });

/** Advances the clock, so that the file's last change is long ago. */
function advanceClock(): void {
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
}

describe('the cached text of a file', () => {
  it('is returned while the file stays the same', () => {
    advanceClock();
    files.set(file, stats(), 'made');
    expect(files.get(file)).toBe('made');
    expect(files.get(file)).toBe('made');
  });

  it('is not stored when the file has just changed', () => {
    files.set(file, stats(), 'made');
    expect(files.get(file)).toBeUndefined();
  });

  it.each([
    ['written to', () => writeFile(file, 'next')],
    ['touched', () => utimes(file, 1, 1)],
    ['removed', () => rm(file)],
    [
      'replaced',
      async () => {
        await writeFile(`${file}.new`, 'text');
        await rename(`${file}.new`, file);
      },
    ],
    [
      'replaced by a link',
      async () => {
        await rename(file, `${file}.old`);
        await symlink(`${file}.old`, file);
      },
    ],
  ])('is not given for a file that was %s since', async (_, change) => {
    advanceClock();
    files.set(file, stats(), 'made');
    await change();
    expect(files.get(file)).toBeUndefined();
  });

  it('is evicted when the cache is full, the oldest first', async () => {
    advanceClock();
    const other = `${file}-2`;
    await writeFile(other, 'x');
    files.set(file, stats(), 'a'.repeat(5_000_000));
    files.set(other, lstatSync(other, { bigint: true }), 'b'.repeat(5_000_000));
    expect(files.get(file)).toBeUndefined();
    expect(files.get(other)).toHaveLength(5_000_000);
  });
});
