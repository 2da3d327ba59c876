import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Files } from '../../../source/host/files/files.ts';
import { Folder } from '../../../source/host/files/folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dataDir: string;
let files: Files;

beforeEach(async () => {
  dataDir = temporaryFolder();
  files = new Files(dataDir);
  await files.create(
    'd',
    ['web', 'image'],
    [
      { service: 'web', path: 'a', content: 'old' },
      { service: 'image', path: 'a', content: 'old' },
    ],
  );
  await files.write({ deployment: 'd', service: 'web' }, 'a', 'new');
});

const inDeployment = (...segments: readonly string[]) =>
  path.join(dataDir, 'deployments/d', ...segments);
const runs = () => readdirSync(inDeployment('runs'));
const isLinked = (generation: number, service: string) =>
  statSync(inDeployment('runs', String(generation), service, 'a')).ino ===
  statSync(inDeployment('staged', service, 'a')).ino;

/** Fails all copies as on a full disk until the returned function is called. */
function fillDisk(): () => void {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const copy = vi.spyOn(Folder.prototype, 'copy').mockRejectedValue(full);
  onTestFinished(() => copy.mockRestore());
  return () => copy.mockRestore();
}

describe('a new generation', () => {
  it('links the files of services that do not change them, and copies the others', async () => {
    await files.promote('d', 2, { linked: ['image'] });
    expect([isLinked(2, 'web'), isLinked(2, 'image')]).toEqual([false, true]);
  });

  it('is copied on a full disk once the generation before was removed', async () => {
    const empty = fillDisk();
    const makeRoom = async () => {
      expect(runs()).toContain('1');
      empty();
    };
    expect(await files.promote('d', 2, { makeRoom })).toBe('copied');
    expect(runs()).toEqual(['2']);
    expect(isLinked(2, 'web')).toBe(false);
  });

  it('is made of links that refuse writes where there is no room for copies', async () => {
    fillDisk();
    expect(await files.promote('d', 2, { makeRoom: async () => undefined })).toBe('read-only');
    expect(isLinked(2, 'web')).toBe(true);
    expect(statSync(inDeployment('runs/2/web/a')).mode & 0o222).toBe(0);
  });

  it('may be written to again at the next one', async () => {
    const empty = fillDisk();
    await files.promote('d', 2, { makeRoom: async () => undefined });
    empty();
    expect(await files.promote('d', 3)).toBe('copied');
    expect(statSync(inDeployment('runs/3/web/a')).mode & 0o200).toBe(0o200);
  });

  it('leaves the one before to a backup', async () => {
    fillDisk();
    using _hold = files.snapshots.hold();
    await files.promote('d', 2, { makeRoom: async () => undefined });
    expect(runs()).toEqual(['1', '2']);
  });

  it('is refused on a full disk where nothing may be ended for it', async () => {
    fillDisk();
    await expect(files.promote('d', 2)).rejects.toMatchObject({ code: 'ENOSPC' });
    await files.removeGeneration('d', 2);
    expect(runs()).toEqual(['1']);
  });
});

describe('the next host', () => {
  it('makes a generation that a killed one has recorded and not completed', async () => {
    mkdirSync(inDeployment('runs/2.new/web'), { recursive: true });
    writeFileSync(inDeployment('runs/2.new/web/half'), 'x');
    await new Files(dataDir).recover('d', 2);
    expect(runs()).toEqual(['2']);
    expect(readFileSync(inDeployment('runs/2/web/a'), 'utf8')).toBe('new');
    expect(existsSync(inDeployment('runs/2/web/half'))).toBe(false);
  });

  it('leaves one alone that is there', async () => {
    await new Files(dataDir).recover('d', 1);
    expect(readFileSync(inDeployment('runs/1/web/a'), 'utf8')).toBe('old');
  });
});
