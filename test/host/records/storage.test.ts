import { mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Storage } from '../../../source/host/records/storage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fastFolder } from '../../support/fast-folder.ts';

it('returns free space to the file system at a start when most of the file is free', () => {
  const dataDir = temporaryFolder();
  const sizeOf = () => statSync(path.join(dataDir, 'host.db')).size;
  const fill = (mebibytes: number) => {
    const storage = Storage.open(dataDir);
    for (let index = 0; index < mebibytes; index += 1) {
      storage.writeMeta(`large ${index}`, 'x'.repeat(1024 * 1024));
    }
    storage.prepare(`delete from meta where key like 'large %'`).run();
    storage.close();
    return sizeOf();
  };
  const kept = fill(40);
  Storage.open(dataDir).close();
  expect(sizeOf()).toBe(kept);
  expect(fill(80)).toBeGreaterThan(80_000_000);
  const storage = Storage.open(dataDir);
  storage.writeMeta('kept', 'yes');
  storage.close();
  expect(sizeOf()).toBeLessThan(2_000_000);
  const again = Storage.open(dataDir);
  expect(again.readMeta('kept')).toBe('yes');
  again.close();
});

it('syncs every commit to the disk', () => {
  const dataDir = mkdtempSync(path.join(fastFolder, 'hostdeck-storage-'));
  const storage = Storage.open(dataDir);
  const pragma = (name: string) => Object.values(storage.prepare(`pragma ${name}`).get() ?? {});
  // In a write-ahead log only the second level syncs each commit (SQLite, "pragma synchronous").
  expect([pragma('journal_mode'), pragma('synchronous')]).toEqual([['wal'], [2]]);
  storage.close();
  rmSync(dataDir, { recursive: true });
});
