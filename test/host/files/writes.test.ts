import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import fs, { mkdir, readdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Files } from '../../../source/host/files/files.ts';
import { Folder } from '../../../source/host/files/folder.ts';
import { conflict } from '../../../source/host/refusal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const service = { deployment: 'd', service: 'web' };

let dataDir: string;
let files: Files;
let isOpen: boolean;

beforeEach(async () => {
  dataDir = temporaryFolder();
  isOpen = true;
  files = new Files(dataDir, () => {
    if (!isOpen) throw conflict('closed');
  });
  await files.create('d', ['web', 'worker']);
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const read = (file: string) =>
  readFileSync(path.join(dataDir, 'deployments/d/staged/web', file), 'utf8');

/** Starts writes to these paths at once. */
const writeAll = (paths: readonly string[]) =>
  Promise.allSettled(paths.map((file, index) => files.write(service, file, `${index}`)));

const statuses = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'fulfilled' ? 200 : (result.reason as { status?: number }).status,
  );

describe('writes sent at once', () => {
  it('are answered only once their folder is synced', async () => {
    const gate = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    vi.spyOn(Folder.prototype, 'sync').mockImplementation(async () => {
      began.resolve();
      await gate.promise;
    });
    let answered = 0;
    const writes = ['a', 'b', 'c'].map(async (file) => {
      await files.write(service, file, file);
      answered += 1;
    });
    await began.promise;
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(0);
    gate.resolve();
    await Promise.all(writes);
    expect(answered).toBe(3);
  });

  it('to one path leave the last content, and each gets its own size', async () => {
    const contents = ['first', 'a', 'bb', 'ccc'];
    const records = await Promise.all(contents.map((text) => files.write(service, 'x/y', text)));
    expect(records.map((record) => record?.size)).toEqual([5, 1, 2, 3]);
    expect(read('x/y')).toBe('ccc');
  });

  it('fail alone at a path that is invalid, a folder or below a file', async () => {
    await files.write(service, 'folder/inner', 'kept');
    await files.write(service, 'plain', 'kept');
    const paths = ['a', 'b', '../out', 'folder', 'plain/below', 'made/deep/c', 'plain'];
    expect(statuses(await writeAll(paths))).toEqual([200, 200, 422, 409, 409, 200, 200]);
    expect([read('b'), read('made/deep/c'), read('folder/inner')]).toEqual(['1', '5', 'kept']);
  });

  it('fail alone when one file cannot be moved', async () => {
    const { rename } = fs;
    vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
      if (String(to).endsWith('/bad')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      await rename(from, to);
    });
    syncBuiltinESMExports();
    const results = await writeAll(['a', 'b', 'bad', 'only/bad', 'c']);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(existsSync(path.join(dataDir, 'deployments/d/staged/web/only'))).toBe(false);
    expect(existsSync(path.join(dataDir, 'deployments/d/staged/web/bad'))).toBe(false);
  });

  it('fail with the others of a folder that cannot be synced, and no others', async () => {
    const broken = path.join(dataDir, 'deployments/d/staged/web/broken');
    await mkdir(broken);
    await using folder = await Folder.open(broken);
    const identity = await folder?.identity();
    vi.spyOn(Folder.prototype, 'sync').mockImplementation(async function (this: Folder) {
      if ((await this.identity()) === identity) throw new Error('input/output error');
    });
    const results = await writeAll(['a', 'b', 'broken/x', 'broken/y', 'c']);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('are refused when their deployment was closed meanwhile', async () => {
    const writes = writeAll(['a', 'b']);
    isOpen = false;
    expect(statuses(await writes)).toEqual([409, 409]);
  });

  it('do not change what snapshots between them have', async () => {
    const snapshots = Array.from({ length: 12 }, (_, index) => path.join(dataDir, `${index}`));
    const sent = snapshots.flatMap((target, index) => {
      mkdirSync(target);
      const written = files.write(service, 'a', `${index}`);
      return [written, files.snapshots.linkPart('d', 'staged', target)];
    });
    await Promise.all(sent);
    for (const [index, target] of snapshots.entries()) {
      expect(readFileSync(path.join(target, 'web/a'), 'utf8')).toBe(`${index}`);
    }
  });

  it('leave no temporary files', async () => {
    await writeAll(['a', 'b', '../out', 'a/below', 'c']);
    await files.rename(service, 'a', 'z');
    expect(await Array.fromAsync(files.list(service))).toMatchObject([
      [{ path: 'b' }, { path: 'c' }, { path: 'z' }],
    ]);
    expect(existsSync(path.join(dataDir, 'deployments/d/arriving'))).toBe(true);
    expect(await readdir(path.join(dataDir, 'deployments/d/arriving'))).toEqual([]);
  });
});

type Change =
  | { readonly kind: 'write'; readonly file: string }
  | { readonly kind: 'delete'; readonly file: string }
  | { readonly kind: 'rename'; readonly file: string; readonly to: string };

const file = fc.constantFrom('a', 'b', 'x/c', 'x/d');

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), file }) },
  fc.record({ kind: fc.constant('delete' as const), file }),
  fc.record({ kind: fc.constant('rename' as const), file, to: file }),
);

describe('changes sent without waiting for answers', () => {
  it('have the outcome of running one after the other', async () => {
    let deployments = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        deployments += 1;
        const key = { deployment: `p${deployments}`, service: 'web' };
        await files.create(key.deployment, ['web']);
        const tree = new Map<string, string>();
        const expected = changes.map((each, index) => applyTo(tree, each, String(index)));
        const results = changes.map(async (each, index) => {
          if (each.kind === 'write') return await files.write(key, each.file, String(index));
          if (each.kind === 'delete') return await files.delete(key, each.file);
          return await files.rename(key, each.file, each.to);
        });
        const settled = await Promise.allSettled(results);
        expect(settled.map(({ status }) => status === 'fulfilled')).toEqual(expected);
        const root = path.join(dataDir, 'deployments', key.deployment, 'staged/web');
        for (const name of ['a', 'b', 'x/c', 'x/d']) {
          const found = path.join(root, name);
          expect(existsSync(found) ? readFileSync(found, 'utf8') : undefined).toBe(tree.get(name));
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Applies a change to the expected tree; returns whether it must succeed. */
function applyTo(tree: Map<string, string>, each: Change, content: string): boolean {
  if (each.kind === 'write') {
    tree.set(each.file, content);
    return true;
  }
  const old = tree.get(each.file);
  if (old === undefined || (each.kind === 'rename' && tree.has(each.to))) return false;
  tree.delete(each.file);
  if (each.kind === 'rename') tree.set(each.to, old);
  return true;
}
