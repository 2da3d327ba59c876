import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unpackTar } from 'modern-tar';
import { beforeEach, describe, expect, it } from 'vitest';
import { Files } from '../../../source/host/files/files.ts';
import { Folder } from '../../../source/host/files/folder.ts';
import { packArchive } from '../../../source/host/files/tree-archive.ts';
import { packFolder } from '../../../source/host/files/tree-packing.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const service = { deployment: 'd', service: 'web' };

let dataDir: string;
let files: Files;

beforeEach(async () => {
  dataDir = temporaryFolder();
  files = new Files(dataDir);
  await files.create('d', ['web']);
});

const generation = (number: number) => path.join(dataDir, 'deployments/d/runs', String(number));

describe('a snapshot of staged files', () => {
  it('keeps their content and their names', async () => {
    await files.write(service, 'a', 'old');
    await files.write(service, 'deep/b', 'old');
    const target = path.join(dataDir, 'snapshot');
    mkdirSync(target);
    expect(await files.snapshots.linkPart('d', 'staged', target)).toBe(true);
    await files.write(service, 'a', 'new');
    await files.rename(service, 'deep/b', 'c');
    expect(readFileSync(path.join(target, 'web/a'), 'utf8')).toBe('old');
    expect(readFileSync(path.join(target, 'web/deep/b'), 'utf8')).toBe('old');
    expect(existsSync(path.join(target, 'web/c'))).toBe(false);
  });

  it('has no links of services', async () => {
    const secret = path.join(temporaryFolder(), 'secret');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, path.join(dataDir, 'deployments/d/staged/web/link'));
    const target = path.join(dataDir, 'snapshot');
    mkdirSync(target);
    await files.snapshots.linkPart('d', 'staged', target);
    expect(existsSync(path.join(target, 'web/link'))).toBe(false);
  });

  it('does not exist without staged files', async () => {
    expect(await files.snapshots.linkPart('unknown', 'staged', dataDir)).toBe(false);
  });
});

describe('a hold', () => {
  it('keeps old generations until its end', async () => {
    await files.promote('d', 2);
    const hold = files.snapshots.hold();
    const removed = files.removeGenerationsBefore('d', 2);
    await files.promote('d', 3);
    expect(files.snapshots.generationFolder('d', 1)).toBe(generation(1));
    hold[Symbol.dispose]();
    await removed;
    expect(files.snapshots.generationFolder('d', 1)).toBeUndefined();
    expect(existsSync(generation(2))).toBe(true);
  });

  it('excludes another one', () => {
    using _hold = files.snapshots.hold();
    expect(() => files.snapshots.hold()).toThrow('Another backup of this host is running.');
  });
});

describe('a live tree in an archive', () => {
  it('lacks links and names that are not UTF-8, and counts the names', async () => {
    const root = path.join(temporaryFolder(), 'tree');
    mkdirSync(path.join(root, 'folder'), { recursive: true });
    writeFileSync(path.join(root, 'folder', 'plain'), 'content');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), 'odd');
    symlinkSync('/etc/passwd', path.join(root, 'link'));
    let skipped = 0;
    const chunks = await Array.fromAsync(
      packArchive(async (packer) => {
        await using folder = await Folder.open(root);
        if (!(folder instanceof Folder)) throw new Error('no folder');
        await packFolder(packer, folder, 'tree', { kind: 'live', onSkipped: () => (skipped += 1) });
      }),
    );
    const entries = await unpackTar(Buffer.concat(chunks));
    expect(entries.map(({ header }) => header.name)).toEqual([
      'tree',
      'tree/folder',
      'tree/folder/plain',
    ]);
    expect(skipped).toBe(1);
  });
});
