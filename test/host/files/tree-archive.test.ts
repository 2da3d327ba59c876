import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { unpackTar } from 'modern-tar';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { archiveTree } from '../../../source/host/files/tree-archive.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'hostdeck-archive-'));
});

afterEach(() => rm(root, { recursive: true }));

async function put(file: string, content: string | Uint8Array = ''): Promise<string> {
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
  return target;
}

async function createArchive(): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(archiveTree(root, 'app')));
}

/** Resolves with the entries of the tree's archive by name. */
async function entries() {
  const all = await unpackTar(await createArchive(), { strict: true });
  return new Map(all.map(({ header, data }) => [header.name, { ...header, data }]));
}

describe('the archive of a tree', () => {
  it('is the same at any time', async () => {
    await put('deep/file');
    const first = await createArchive();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await createArchive()).equals(first)).toBe(true);
  });

  it('has folders and files with their content, owned by root', async () => {
    await put('index.html', '<p>hi</p>');
    await put('deep/er/empty');
    await chmod(await put('run.sh', 'exit'), 0o4775);
    await utimes(await put('old'), 1_000_000_000, 1_000_000_000);
    const found = await entries();
    const listed = [...found.values()].map(({ name, type, mode }) => [
      name,
      type,
      mode?.toString(8),
    ]);
    expect(listed.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ['app', 'directory', '755'],
      ['app/deep', 'directory', '755'],
      ['app/deep/er', 'directory', '755'],
      ['app/deep/er/empty', 'file', '644'],
      ['app/index.html', 'file', '644'],
      ['app/old', 'file', '644'],
      ['app/run.sh', 'file', '755'],
    ]);
    expect(Buffer.from(found.get('app/index.html')?.data ?? []).toString()).toBe('<p>hi</p>');
    expect(found.get('app/old')?.mtime).toEqual(new Date(1e12));
    for (const { uid, gid } of found.values()) expect([uid, gid]).toEqual([0, 0]);
  });

  it('supports all file names', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => !/[/\0]/.test(text) && !['.', '..'].includes(text) && text.isWellFormed())
      .filter((text) => Buffer.byteLength(text) <= 255);
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 6 }), async (names) => {
        const file = names.join('/');
        await put(file, file);
        const entry = (await entries()).get(`app/${file}`);
        expect(Buffer.from(entry?.data ?? []).toString()).toBe(file);
        await rm(path.join(root, names[0] ?? ''), { recursive: true });
      }),
      { numRuns: 50 },
    );
  });

  it('can be unpacked by tar, with long names beyond ASCII and large files', async () => {
    const long = `${'ordner-ü/'.repeat(20)}${'ä'.repeat(120)}.txt`;
    const bytes = Buffer.from(Uint32Array.from({ length: 2_500_000 }, (_, at) => at).buffer);
    await put(long, 'long');
    await put('big', bytes);
    const into = path.join(root, 'unpacked');
    const archive = await createArchive();
    await mkdir(into);
    execFileSync('tar', ['-x', '-C', into], { input: archive });
    const content = async (file: string) => {
      await using handle = await open(path.join(into, 'app', file));
      return await handle.readFile();
    };
    expect((await content('big')).equals(bytes)).toBe(true);
    expect(String(await content(long))).toBe('long');
  });

  it('has no target of a link, and no special file', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'hostdeck-elsewhere-'));
    await writeFile(path.join(elsewhere, 'secret'), 'secret');
    await put('own');
    await symlink(elsewhere, path.join(root, 'folder'));
    await symlink(path.join(elsewhere, 'secret'), path.join(root, 'file'));
    execFileSync('mkfifo', [path.join(root, 'fifo')]);
    expect([...(await entries()).keys()].sort()).toEqual(['app', 'app/own']);
    expect(String(await createArchive())).not.toContain('secret');
    await rm(elsewhere, { recursive: true });
  });

  it('fails when a file becomes shorter', async () => {
    const file = await put('big', Buffer.alloc(40_000_000));
    const read = async () => {
      let bytes = 0;
      for await (const piece of archiveTree(root, 'app')) {
        if (bytes === 0) await truncate(file, 10);
        bytes += piece.length;
      }
    };
    await expect(read()).rejects.toThrow('app/big became shorter while it was copied');
  });

  it('fails for a missing tree, and for a link', async () => {
    const all = async (folder: string) => await Array.fromAsync(archiveTree(folder, 'app'));
    await expect(all(path.join(root, 'gone'))).rejects.toThrow('its folder is missing');
    await symlink(tmpdir(), path.join(root, 'link'));
    await expect(all(path.join(root, 'link'))).rejects.toThrow('its folder is missing');
  });

  it('closes its files when the reader stops', async () => {
    await put('deep/big', Buffer.alloc(40_000_000));
    for await (const piece of archiveTree(root, 'app')) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    const open = readdirSync('/proc/self/fd').map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return '';
      }
    });
    expect(open.filter((file) => file.startsWith(root))).toEqual([]);
  });
});
