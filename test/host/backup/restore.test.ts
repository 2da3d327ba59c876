import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync, zstdCompressSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backUp } from '../../../source/host/backup/back-up.ts';
import { restoreBackup } from '../../../source/host/backup/restore-backup.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { deploy } from '../support/bodies.ts';
import { idle, sdlOf, temporaryHost } from '../support/temporary-host.ts';
import { engineVolumesOf } from './test-engine-volumes.ts';

type Entry = Awaited<ReturnType<typeof unpackTar>>[number];

/** The archive of a host with one deployment, and its entries. */
let archive: Buffer;
let id: string;

let folder: string;
let file: string;
let target: string;

beforeAll(async () => {
  const host = await temporaryHost();
  ({ id } = await deploy(host.as('0xa'), sdlOf({ web: idle })));
  const at = path.join(host.dataDir, 'backup.tar.zst');
  await backUp({
    dataDir: host.dataDir,
    file: at,
    version: 'test',
    machineFolder: '/nowhere',
    engineVolumesOf,
  });
  archive = readFileSync(at);
  await host.remove();
});

beforeEach(() => {
  folder = temporaryFolder();
  file = path.join(folder, 'backup.tar.zst');
  target = path.join(folder, 'restored');
  writeFileSync(file, archive);
});

/** Replaces the archive's entries. */
async function alter(change: (entries: Entry[]) => Entry[]): Promise<void> {
  const entries = change(await unpackTar(zstdDecompressSync(archive)));
  writeFileSync(file, zstdCompressSync(await packTar(entries)));
}

const added = (header: Partial<Entry['header']> & { name: string }, data = ''): Entry => ({
  header: { size: data.length, type: 'file', ...header },
  data: new Uint8Array(Buffer.from(data)),
});

const without = (name: string) => alter((all) => all.filter(({ header }) => header.name !== name));

async function expectRefusal(message: string | RegExp, into = target): Promise<void> {
  await expect(restoreBackup(file, into)).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual(['backup.tar.zst']);
}

describe('restoring', () => {
  it('creates a data folder of another host', async () => {
    await restoreBackup(file, target);
    expect(readdirSync(target).sort()).toEqual([
      '.hostdeck-data-folder',
      'deployments',
      'host.db',
      // The log that the next host takes, made while there is space for it.
      'host.db-kept',
      'logs.db',
    ]);
    const storage = Storage.open(target);
    expect(storage.prepare('select * from runs').all()).toEqual([]);
    const identity = storage.readMeta('identity');
    storage.close();
    const second = path.join(folder, 'second');
    await restoreBackup(file, second);
    const other = Storage.open(second);
    expect(other.readMeta('identity')).not.toBe(identity);
    other.close();
  });

  it('creates missing parents of the data folder', async () => {
    const deep = path.join(folder, 'a', 'b', 'data');
    await restoreBackup(file, deep);
    expect(readdirSync(path.dirname(deep))).toEqual(['data']);
  });

  it('follows a link to an empty folder', async () => {
    mkdirSync(path.join(folder, 'real'));
    symlinkSync('real', target);
    await restoreBackup(file, target);
    expect(readdirSync(path.join(folder, 'real'))).toContain('host.db');
  });

  it.each([
    ['a folder that is not empty', () => mkdirSync(path.join(target, 'x'), { recursive: true })],
    ['a file', () => writeFileSync(target, '')],
    ['a broken link', () => symlinkSync('nowhere', target)],
  ])('changes nothing in %s', async (_, make) => {
    make();
    const before = readdirSync(folder, { recursive: true });
    await expect(restoreBackup(file, target)).rejects.toThrow('--data');
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('leaves nothing in an existing folder when it fails', async () => {
    await without('host.db');
    mkdirSync(target);
    await expect(restoreBackup(file, target)).rejects.toThrow('incomplete');
    expect(readdirSync(target)).toEqual([]);
  });
});

describe('a file that is refused', () => {
  it('is missing', async () => {
    await expect(restoreBackup(path.join(folder, 'none'), target)).rejects.toThrow(
      'There is no file',
    );
    expect(existsSync(target)).toBe(false);
  });

  it('is a folder', async () => {
    await expect(restoreBackup(folder, target)).rejects.toThrow(
      "The backup can't be restored: EISDIR: illegal operation on a directory, read.",
    );
    expect(existsSync(target)).toBe(false);
  });

  it.each([0, 1, 100, 0.3, 0.6, 0.99])('is cut at %d', async (part) => {
    const length = part < 1 ? Math.floor(archive.length * part) : part;
    writeFileSync(file, archive.subarray(0, length));
    await expectRefusal('damaged, cut, or not a backup');
  });

  it('has a changed byte', async () => {
    const changed = Buffer.from(archive);
    const at = changed.length >> 1;
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    writeFileSync(file, changed);
    await expectRefusal(/damaged|isn't a backup|no host writes/);
  });

  it('is another file', async () => {
    writeFileSync(file, 'hello '.repeat(1000));
    await expectRefusal('damaged, cut, or not a backup');
  });

  it('is another archive', async () => {
    writeFileSync(file, zstdCompressSync(await packTar([added({ name: 'hello.txt' }, 'hello')])));
    await expectRefusal("isn't a backup of a host");
  });

  it('lacks the entries at its end', async () => {
    await alter((entries) => entries.slice(0, 3));
    await expectRefusal('files of');
  });

  it.each(['host.db', 'logs.db'])('lacks %s', async (name) => {
    await without(name);
    await expectRefusal(name);
  });

  it('has another database as its records', async () => {
    await alter((entries) => {
      const logs = entries.find(({ header }) => header.name === 'logs.db');
      return entries.map((entry) =>
        entry.header.name === 'host.db' && logs !== undefined
          ? { ...logs, header: { ...logs.header, name: 'host.db' } }
          : entry,
      );
    });
    await expectRefusal("isn't a backup of a host");
  });

  it('has damaged records', async () => {
    await alter((entries) =>
      entries.map((entry) => {
        if (entry.header.name !== 'host.db' || entry.data === undefined) return entry;
        const data = Uint8Array.from(entry.data);
        data.fill(0xff, 4096, 16_384);
        return { ...entry, data };
      }),
    );
    await expectRefusal('damaged: host.db');
  });

  it('was written by a newer version', async () => {
    const newer = JSON.stringify({ format: 3, createdAt: '2030-01-01T00:00:00Z', version: '9' });
    await alter(([, ...rest]) => [added({ name: 'hostdeck-backup.json' }, newer), ...rest]);
    await expectRefusal('newer version');
  });

  it.each<Partial<Entry['header']> & { name: string }>([
    { name: '../outside' },
    { name: '/tmp/hostdeck-outside' },
    { name: 'local-token' },
    { name: 'deployments/x/staged/y' },
    { name: 'host.db' },
    { name: 'hostdeck-backup.json' },
  ])('has the entry $name', async (header) => {
    await alter((entries) => [...entries, added(header, 'x')]);
    await expectRefusal(/no host writes|two entries/);
  });

  it.each(['symlink', 'link'] as const)('has a %s', async (type) => {
    const name = `deployments/${id}/staged/web/link`;
    await alter((entries) => [
      ...entries,
      { header: { name, size: 0, type, linkname: '/etc' } },
      added({ name: `${name}/passwd` }, 'x'),
    ]);
    await expectRefusal('no host writes');
  });

  it.each(['before', 'after'])(
    'has a file below a link of a volume, %s the link',
    async (order) => {
      const outside = path.join(temporaryFolder(), 'outside');
      mkdirSync(outside);
      const name = `deployments/${id}/volumes/web/1/data/link`;
      const link: Entry = { header: { name, size: 0, type: 'symlink', linkname: outside } };
      const below = added({ name: `${name}/x` }, 'x');
      await alter((entries) => [
        ...entries,
        ...(order === 'after' ? [link, below] : [below, link]),
      ]);
      await expectRefusal('two entries');
      expect(readdirSync(outside)).toEqual([]);
    },
  );

  it('has a link in place of a file of a volume', async () => {
    const name = `deployments/${id}/volumes/web/1/data/x`;
    const link: Entry = { header: { name, size: 0, type: 'symlink', linkname: '/etc' } };
    await alter((entries) => [...entries, added({ name }, 'x'), link]);
    await expectRefusal('two entries');
  });

  it('claims more than the disk can take', async () => {
    const tar = zstdDecompressSync(archive);
    const header = Buffer.from(
      (await packTar([added({ name: `deployments/${id}/staged/web/huge`, size: 0 })])).subarray(
        0,
        512,
      ),
    );
    // The size in base 256, as GNU tar writes it: 2^50 bytes.
    header.fill(0, 124, 136);
    header[124] = 0x80;
    header.writeUInt32BE(2 ** 18, 128);
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    writeFileSync(
      file,
      zstdCompressSync(
        Buffer.concat([tar.subarray(0, tar.length - 1024), header, Buffer.alloc(2 ** 24)]),
      ),
    );
    await expectRefusal('free space');
  });
});
