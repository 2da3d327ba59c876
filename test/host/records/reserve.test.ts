import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Storage } from '../../../source/host/records/storage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isMountable, SmallDisk, smallDiskKinds } from '../support/small-disk.ts';

const logBytes = 4 * 2 ** 20;

const pragma = (storage: Storage, name: string) =>
  Object.values(storage.prepare(`pragma ${name}`).get() ?? {})[0];

const allocatedBytes = (file: string) => statSync(file).blocks * 512;

function insertRow(storage: Storage, at: number, content = 'a'.repeat(100)): void {
  storage.transaction(() => {
    storage.writeMeta(`row ${at}`, content);
  });
}

function updateRow(storage: Storage, at: number): void {
  storage.transaction(() => {
    storage
      .prepare('update meta set value = ? where key = ?')
      .run(`${at} of ${'b'.repeat(90)}`, `row ${at % 100}`);
  });
}

for (const kind of smallDiskKinds) {
  describe.skipIf(!isMountable(kind))(`the records on a full disk of ${kind}`, () => {
    it('are written as often as needed, also by the next host and the one after it', () => {
      const disk = SmallDisk.ofTest(kind);
      const dataDir = path.join(disk.path, 'data');
      let storage = Storage.open(dataDir);
      for (let at = 0; at < 100; at += 1) insertRow(storage, at);
      for (let host = 0; host < 3; host += 1) {
        disk.fill();
        // More than the log holds, so that it begins again many times.
        for (let at = 0; at < 1000; at += 1) updateRow(storage, at);
        insertRow(storage, 1000 + host);
        expect(disk.isFull()).toBe(true);
        storage.close();
        disk.fill();
        storage = Storage.open(dataDir);
        expect(storage.readMeta('row 99')).toContain('999 of');
        expect(storage.readMeta(`row ${1000 + host}`)).toBeDefined();
      }
      expect(pragma(storage, 'integrity_check')).toBe('ok');
      storage.close();
    });

    it('refuse what does not fit and accept the next small write', () => {
      const disk = SmallDisk.ofTest(kind);
      const storage = Storage.open(path.join(disk.path, 'data'));
      for (let at = 0; at < 100; at += 1) insertRow(storage, at);
      disk.fill();
      const large = 'x'.repeat(3 * 2 ** 20);
      expect(() => insertRow(storage, 100, large)).toThrow('full');
      for (let at = 0; at < 800; at += 1) updateRow(storage, at);
      disk.empty();
      insertRow(storage, 101, 'y');
      insertRow(storage, 102, large);
      expect(storage.readMeta('row 102')).toHaveLength(large.length);
      expect(pragma(storage, 'integrity_check')).toBe('ok');
      storage.close();
    });

    it('lend a part of their space until the disk has some again', () => {
      const disk = SmallDisk.ofTest(kind);
      const dataDir = path.join(disk.path, 'data');
      const storage = Storage.open(dataDir);
      for (let at = 0; at < 100; at += 1) insertRow(storage, at);
      storage.lendReserve();
      const log = path.join(dataDir, 'host.db-wal');
      expect(allocatedBytes(log)).toBeGreaterThanOrEqual(logBytes);
      disk.fill();
      storage.lendReserve();
      expect(disk.freeBytes).toBeGreaterThan(2 ** 19);
      disk.fill();
      for (let at = 0; at < 800; at += 1) updateRow(storage, at);
      expect(storage.readMeta('row 99')).toContain('799 of');
      disk.empty();
      updateRow(storage, 0);
      expect(allocatedBytes(log)).toBeGreaterThanOrEqual(logBytes);
      expect(pragma(storage, 'integrity_check')).toBe('ok');
      storage.close();
    });

    it('are opened by the next host while a part of their space is lent', () => {
      const disk = SmallDisk.ofTest(kind);
      const dataDir = path.join(disk.path, 'data');
      let storage = Storage.open(dataDir);
      for (let at = 0; at < 100; at += 1) insertRow(storage, at);
      disk.fill();
      storage.lendReserve();
      disk.fill();
      storage.close();
      disk.fill();
      storage = Storage.open(dataDir);
      for (let at = 0; at < 800; at += 1) updateRow(storage, at);
      expect(storage.readMeta('row 99')).toContain('799 of');
      disk.empty();
      updateRow(storage, 0);
      expect(allocatedBytes(path.join(dataDir, 'host.db-wal'))).toBeGreaterThanOrEqual(logBytes);
      expect(pragma(storage, 'integrity_check')).toBe('ok');
      storage.close();
    });

    it('keep their pages when the disk gets full after a large write', () => {
      const disk = SmallDisk.ofTest(kind);
      const storage = Storage.open(path.join(disk.path, 'data'));
      for (let at = 0; at < 100; at += 1) insertRow(storage, at);
      const large = 'x'.repeat(2 ** 20);
      insertRow(storage, 101, large);
      disk.fill();
      for (let at = 0; at < 800; at += 1) updateRow(storage, at);
      expect(Number(pragma(storage, 'freelist_count'))).toBeGreaterThanOrEqual(256);
      storage.close();
    });
  });
}

describe('the reserve of the records', () => {
  it('is filled again while the records grow, and given to the file by the system', () => {
    const dataDir = temporaryFolder();
    const file = path.join(dataDir, 'host.db');
    const storage = Storage.open(dataDir);
    for (let at = 0; at < 900; at += 1) insertRow(storage, at, 'c'.repeat(3000));
    expect(Number(pragma(storage, 'freelist_count'))).toBeGreaterThanOrEqual(256);
    const pages = Number(pragma(storage, 'page_count'));
    expect(statSync(file).size).toBeGreaterThanOrEqual(pages * 4096);
    expect(allocatedBytes(file)).toBeGreaterThanOrEqual(pages * 4096);
    expect(allocatedBytes(`${file}-wal`)).toBeGreaterThanOrEqual(logBytes);
    expect(pragma(storage, 'integrity_check')).toBe('ok');
    storage.close();
    expect(allocatedBytes(`${file}-kept`)).toBeGreaterThanOrEqual(logBytes);
  });

  it('survives hosts that were killed at any step of the end', () => {
    const dataDir = temporaryFolder();
    const file = path.join(dataDir, 'host.db');
    const storage = Storage.open(dataDir);
    insertRow(storage, 1);
    storage.close();
    const steps = [
      () => renameSync(`${file}-kept`, `${file}-wal`),
      () => rmSync(`${file}-kept`),
      () => copyFileSync(`${file}-kept`, `${file}-wal`),
    ];
    for (const killed of steps) {
      killed();
      const next = Storage.open(dataDir);
      expect(next.readMeta('row 1')).toBeDefined();
      expect(existsSync(`${file}-kept`)).toBe(false);
      expect(allocatedBytes(`${file}-wal`)).toBeGreaterThanOrEqual(logBytes);
      next.close();
    }
  });
});
