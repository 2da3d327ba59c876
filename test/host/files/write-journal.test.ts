import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fs, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Files } from '../../../source/host/files/files.ts';
import { Folder } from '../../../source/host/files/folder.ts';
import { conflict } from '../../../source/host/refusal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const key = { deployment: 'd', service: 'web' };

let dataDir: string;
let files: Files;
let isOpen: boolean;

beforeEach(async () => {
  dataDir = temporaryFolder();
  isOpen = true;
  files = new Files(dataDir, () => {
    if (!isOpen) throw conflict('closed');
  });
  await files.create('d', ['web']);
});

afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await files.end();
});

const staged = (folder: string, file: string) =>
  path.join(folder, 'deployments/d/staged/web', file);

const recordsIn = (folder: string) =>
  readdirSync(path.join(folder, 'deployments/d'), { recursive: true, encoding: 'utf8' })
    .map((entry) => path.basename(entry))
    .filter((name) => name.startsWith('writes-'));

const writeAll = (contents: Readonly<Record<string, string>>) =>
  Promise.allSettled(
    Object.entries(contents).map(([file, content]) => files.write(key, file, content)),
  );

/** Contents of so many files by path. */
const contentsOf = (count: number, text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`folder${index % 3}/file${index}`, text + index]),
  );

/** The data folder as a power failure may leave it: files that were not synced are empty. */
function afterPowerFailure(): string {
  const folder = temporaryFolder();
  cpSync(dataDir, folder, { recursive: true });
  for (const record of recordsIn(folder)) {
    const [, text = ''] = readFileSync(
      path.join(folder, 'deployments/d/arriving', record),
      'utf8',
    ).split('\n');
    for (const [, file] of JSON.parse(text) as [string, string, string][]) {
      if (existsSync(staged(folder, file))) truncateSync(staged(folder, file));
    }
  }
  return folder;
}

async function recovered(folder = afterPowerFailure()): Promise<string> {
  await new Files(folder).recover('d', 1);
  expect(readdirSync(path.join(folder, 'deployments/d'))).not.toContain('arriving');
  return folder;
}

function expectContents(folder: string, contents: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(contents)) {
    expect(readFileSync(staged(folder, file), 'utf8')).toBe(content);
  }
}

describe('the journal of writes', () => {
  it('makes many files durable with few syncs before their answers', async () => {
    await using anyFile = await open(path.join(dataDir, 'any'), 'w');
    const sync = vi.spyOn(Object.getPrototypeOf(anyFile) as typeof anyFile, 'sync');
    const contents = Object.fromEntries(
      Array.from({ length: 101 }, (_, index) => [`file${index}`, `${index}`]),
    );
    await writeAll(contents);
    // The new folder of the journal, the record of the writes, and its entry.
    expect(sync.mock.calls.length).toBe(3);
    expectContents(dataDir, contents);
    expectContents(await recovered(), contents);
  });

  it('restores the last contents of files that a power failure damaged', async () => {
    await writeAll(contentsOf(30, 'first'));
    await writeAll(contentsOf(20, 'second'));
    expect(recordsIn(dataDir).length).toBeGreaterThan(1);
    expectContents(await recovered(), { ...contentsOf(30, 'first'), ...contentsOf(20, 'second') });
  });

  it('leaves the times of files that are whole', async () => {
    await writeAll(contentsOf(30, 'text'));
    const before = await Array.fromAsync(files.list(key));
    const folder = temporaryFolder();
    cpSync(dataDir, folder, { recursive: true, preserveTimestamps: true });
    await recovered(folder);
    expect(await Array.fromAsync(new Files(folder).list(key))).toEqual(before);
  });

  it('ignores a record that was not complete when the host ended', async () => {
    await writeAll({ kept: 'kept' });
    await writeAll(contentsOf(30, 'text'));
    const folder = afterPowerFailure();
    const last = recordsIn(folder).at(-1) ?? '';
    const record = path.join(folder, 'deployments/d/arriving', last);
    truncateSync(record, readFileSync(record).length - 3);
    writeFileSync(path.join(folder, 'deployments/d/arriving/writes-999999999999'), '');
    await recovered(folder);
    expectContents(folder, { kept: 'kept' });
  });

  it('is empty before other changes, which a replay would undo', async () => {
    const contents = contentsOf(30, 'text');
    await writeAll(contents);
    expect(recordsIn(dataDir)).not.toEqual([]);
    await files.delete(key, 'folder0/file0');
    await files.rename(key, 'folder1/file1', 'moved');
    expect(recordsIn(dataDir)).toEqual([]);
    const { 'folder0/file0': _removed, 'folder1/file1': moved = '', ...others } = contents;
    const folder = await recovered();
    expectContents(folder, { ...others, moved });
    expect(existsSync(staged(folder, 'folder0/file0'))).toBe(false);
    expect(existsSync(staged(folder, 'folder1/file1'))).toBe(false);
  });

  it('is empty soon after the last write, and at the end of the host', async () => {
    await writeAll(contentsOf(30, 'text'));
    await vi.waitFor(() => expect(recordsIn(dataDir)).toEqual([]), 10_000);
    await writeAll(contentsOf(30, 'again'));
    await files.end();
    expect(recordsIn(dataDir)).toEqual([]);
    expectContents(dataDir, contentsOf(30, 'again'));
  });

  it('has no writes that were refused', async () => {
    await files.write(key, 'occupied/inner', 'kept');
    const results = await writeAll({ ...contentsOf(30, 'text'), occupied: 'refused' });
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    const folder = afterPowerFailure();
    await new Files(folder).delete(key, 'occupied/inner');
    await recovered(folder);
    expect(existsSync(staged(folder, 'occupied'))).toBe(false);
    expectContents(folder, contentsOf(30, 'text'));
  });

  it('has no writes to a deployment that was closed meanwhile', async () => {
    const first = files.write(key, 'first', 'x');
    const others = writeAll(contentsOf(30, 'text'));
    isOpen = false;
    await expect(first).rejects.toMatchObject({ status: 409 });
    expect(new Set((await others).map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(recordsIn(dataDir)).toEqual([]);
  });

  it('is done without when it cannot be written', async () => {
    const original = fs.open;
    vi.spyOn(fs, 'open').mockImplementation(async (file, ...rest) => {
      if (String(file).includes('/writes-')) {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      }
      return await original(file, ...rest);
    });
    syncBuiltinESMExports();
    const results = await writeAll(contentsOf(30, 'text'));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
    expectContents(await recovered(), contentsOf(30, 'text'));
  });

  it('keeps writes whose files cannot be synced', async () => {
    vi.spyOn(Folder.prototype, 'sync').mockRejectedValue(new Error('input/output error'));
    await writeAll(
      Object.fromEntries(
        Object.entries(contentsOf(30, '')).map(([file, text]) => [file.replace('/', '-'), text]),
      ),
    );
    await files.end();
    expect(recordsIn(dataDir)).not.toEqual([]);
    await expect(files.delete(key, 'folder0-file3')).rejects.toThrow('input/output error');
    vi.restoreAllMocks();
    expectContents(await recovered(), { 'folder0-file3': '3' });
    await files.delete(key, 'folder0-file3');
    expect(recordsIn(dataDir)).toEqual([]);
  });
});

type Change =
  | { readonly kind: 'write'; readonly from: number; readonly count: number }
  | { readonly kind: 'delete'; readonly file: number }
  | { readonly kind: 'await' };

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      from: fc.nat(10),
      count: fc.integer({ min: 1, max: 20 }),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), file: fc.nat(30) }),
  fc.constant<Change>({ kind: 'await' }),
);

it('answered changes survive a power failure at any moment', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      dataDir = temporaryFolder();
      files = new Files(dataDir);
      await files.create('d', ['web']);
      const expected = new Map<string, string>();
      let running: Promise<unknown>[] = [];
      for (const [index, each] of changes.entries()) {
        if (each.kind === 'await') {
          await Promise.all(running);
          running = [];
        } else if (each.kind === 'delete') {
          const file = `file${each.file}`;
          if (expected.delete(file)) running.push(files.delete(key, file));
        } else {
          for (let at = each.from; at < each.from + each.count; at += 1) {
            expected.set(`file${at}`, `${index}`);
            running.push(files.write(key, `file${at}`, `${index}`));
          }
        }
      }
      await Promise.all(running);
      const folder = await recovered();
      const listed = await Array.fromAsync(new Files(folder).list(key));
      expect(new Set(listed.flat().map((record) => record.path))).toEqual(new Set(expected.keys()));
      expectContents(folder, Object.fromEntries(expected));
      await files.end();
    }),
    { numRuns: 30 },
  );
});
