import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Storage } from '../../../source/host/records/storage.ts';

it('syncs every commit to the disk', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdeck-storage-'));
  const storage = Storage.open(dataDir);
  const pragma = (name: string) => Object.values(storage.prepare(`pragma ${name}`).get() ?? {});
  // In a write-ahead log only the second level syncs each commit (SQLite, "pragma synchronous").
  expect([pragma('journal_mode'), pragma('synchronous')]).toEqual([['wal'], [2]]);
  storage.close();
  rmSync(dataDir, { recursive: true });
});
