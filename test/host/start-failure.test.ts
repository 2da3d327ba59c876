import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unusableDataFolder } from '../../source/host/start-failure.ts';

/** The error of SQLite for a file that it can't open, whatever the system said. */
const cannotOpen = Object.assign(new Error('unable to open database file'), { errcode: 14 });

const failureWith = (freeBlocks: number) => {
  const stats = { bavail: freeBlocks, bsize: 4096 };
  vi.spyOn(fs, 'statfsSync').mockReturnValue(stats as ReturnType<typeof fs.statfsSync>);
  syncBuiltinESMExports();
  return unusableDataFolder('/data', cannotOpen);
};

describe('records that can not be opened', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('are said to lack space on a full disk', () => {
    const { code, sentence } = failureWith(2);
    expect([code, sentence]).toEqual([
      'full-disk',
      'The disk of /data is full: 8 KiB are free, and the host needs 8 MiB for its records and logs.',
    ]);
  });

  it('are said to be unusable on one with space', () => {
    expect(failureWith(100_000).code).toBe('unusable-data');
  });
});
