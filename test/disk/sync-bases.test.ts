import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SyncBase, SyncBaseFile } from '../../source/disk/sync-bases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ends = { folder: '/site', deployment: 'id', service: 'web', target: 'public' };
const content = { hash: 'a'.repeat(64), size: 3 };

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('the base of a sync', () => {
  it('is read as it was written, by its owner alone', async () => {
    const state = temporaryFolder();
    const base: SyncBase = new Map([
      ['a/b', { content, isPut: true, modifiedAt: '2026-01-01T00:00:00Z' }],
      ['__proto__', { sent: content, isPut: false }],
    ]);
    const file = new SyncBaseFile(state, 'service', ends);
    expect(await file.read()).toEqual(new Map());
    expect(await file.write(base)).toEqual({ ok: true });
    expect(await new SyncBaseFile(state, 'service', ends).read()).toEqual(base);
    const [written = ''] = filesBelow(state);
    expect(statSync(written).mode & 0o777).toBe(0o600);
    for (const other of [
      new SyncBaseFile(state, 'other', ends),
      new SyncBaseFile(state, 'service', { ...ends, target: '' }),
      new SyncBaseFile(state, 'service', { ...ends, folder: '/other' }),
    ]) {
      expect(await other.read()).toEqual(new Map());
    }
  });

  it('leaves out what is malformed', async () => {
    const state = temporaryFolder();
    const file = new SyncBaseFile(state, 'service', ends);
    await file.write(new Map([['a', { content, isPut: true }]]));
    const [written = ''] = filesBelow(state);
    const files = { a: { content, isPut: 'yes' }, b: { content: { hash: 'x', size: 1 } }, c: 7 };
    writeFileSync(written, JSON.stringify({ version: 1, files }));
    expect(await file.read()).toEqual(new Map([['a', { content, isPut: false }]]));
    for (const text of ['', '[]', 'null', JSON.stringify({ version: 2, files })]) {
      writeFileSync(written, text);
      expect(await file.read()).toEqual(new Map());
    }
  });

  it('tells when it cannot be written', async () => {
    const state = temporaryFolder();
    writeFileSync(path.join(state, 'syncs'), '');
    const written = await new SyncBaseFile(state, 'service', ends).write(new Map());
    expect(written).toMatchObject({ ok: false, sentence: expect.stringContaining("Can't save") });
  });
});
