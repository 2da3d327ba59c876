import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Storage } from '../../../source/host/records/storage.ts';

it('has on the disk what it was given when it says so, not later', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdeck-storage-'));
  const storage = Storage.open(dataDir);
  const pragma = (name: string) => Object.values(storage.prepare(`pragma ${name}`).get() ?? {});
  // In a write-ahead log only the second level syncs each commit (SQLite, "pragma synchronous").
  expect([pragma('journal_mode'), pragma('synchronous')]).toEqual([['wal'], [2]]);
  storage.close();
  rmSync(dataDir, { recursive: true });
});
