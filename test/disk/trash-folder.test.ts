import { readdir, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TrashedFile } from '../../source/store/drafts/trash.ts';
import { createTrashFolder } from '../../source/disk/trash-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { lastBatch } from '../support/last-batch.ts';
import { codePoint } from '../support/code-point.ts';

const service = 'http://here';
let state: string;

beforeEach(() => {
  state = temporaryFolder();
});

function file(more: Partial<TrashedFile> = {}): TrashedFile {
  const bytes = Buffer.from('a: 1\n');
  return {
    deploymentId: 'd',
    service: 'web',
    path: 'a/b',
    reason: 'deleted',
    bytes,
    at: 1,
    ...more,
  };
}

async function paths(): Promise<readonly string[]> {
  const entries = await readdir(state, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Takes everything out, the newest first. */
async function takeAll(trash: ReturnType<typeof createTrashFolder>): Promise<readonly string[]> {
  const taken: string[] = [];
  for (let batch = await lastBatch(trash, 'd', 'web'); batch.length > 0; ) {
    for (const { id, path: name } of batch) {
      taken.push(name);
      await trash.remove(id);
    }
    batch = await lastBatch(trash, 'd', 'web');
  }
  return taken;
}

describe('the trash', () => {
  it('gives back every byte, after the next start too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 50 }),
        fc.string({ unit: codePoint, maxLength: 20 }),
        async (bytes, name) => {
          const one = file({ bytes, path: name, reason: 'replaced' });
          const put = await createTrashFolder(state, service).put(one);
          const trash = createTrashFolder(state, service);
          const entry = (await lastBatch(trash, 'd', 'web'))[0];
          expect(entry).toMatchObject({
            path: name,
            reason: 'replaced',
            size: bytes.length,
            at: 1,
          });
          expect(put).toEqual({ ok: true, id: entry?.id });
          const taken = await trash.take(entry?.id ?? '');
          expect(taken && { ...taken, bytes: [...taken.bytes] }).toEqual({
            ...one,
            bytes: [...bytes],
          });
          await trash.remove(entry?.id ?? '');
        },
      ),
      { numRuns: 15 },
    );
  });

  it('has what came last of a service on top, for its owner only', async () => {
    const trash = createTrashFolder(state, service);
    await trash.put(file({ path: '1', at: 5 }));
    await trash.put(file({ path: '2', at: 5 }));
    await createTrashFolder(state, service).put(file({ path: '3', at: 10 }));
    await trash.put(file({ path: 'other', service: 'api', at: 20 }));
    await createTrashFolder(state, 'http://there').put(file({ path: 'there', at: 30 }));
    const [one = ''] = await paths();
    expect((await stat(one)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(one))).mode & 0o777).toBe(0o700);
    expect(await takeAll(trash)).toEqual(['3', '2', '1']);
    expect((await lastBatch(trash, 'd', 'api'))[0]).toMatchObject({ path: 'other' });
  });

  it('joins the files of one command of this console, newest batch first', async () => {
    const trash = createTrashFolder(state, service);
    await trash.put(file({ path: 'old', at: 1 }));
    for (const name of ['a', 'b']) await trash.put(file({ path: name, batch: '1', at: 2 }));
    await trash.put(file({ path: 'elsewhere', service: 'api', batch: '1', at: 3 }));
    for (const name of ['c', 'd', 'e']) await trash.put(file({ path: name, batch: '2', at: 4 }));
    const last = async () => {
      const batch = await lastBatch(trash, 'd', 'web');
      for (const { id } of batch) await trash.remove(id);
      return batch.map((entry) => entry.path);
    };
    expect(await last()).toEqual(['e', 'd', 'c']);
    expect(await last()).toEqual(['b', 'a']);
    expect(await last()).toEqual(['old']);
    expect(await last()).toEqual([]);
  });

  it('gives a discarded draft back with the text that it is based on', async () => {
    const trash = createTrashFolder(state, service);
    const texts = { bytes: Buffer.from('mine'), base: Buffer.from('theirs') };
    await trash.put(file({ reason: 'discarded', ...texts }));
    await trash.put(file({ reason: 'discarded', bytes: Buffer.from('new'), at: 2 }));
    const take = async () => {
      const { id = '' } = (await lastBatch(trash, 'd', 'web'))[0] ?? {};
      const taken = await trash.take(id);
      await trash.remove(id);
      return [String(taken?.bytes), taken?.base && String(taken.base)];
    };
    expect(await take()).toEqual(['new', undefined]);
    expect(await take()).toEqual(['mine', 'theirs']);
  });

  it('keeps a file that was taken until it is removed', async () => {
    const trash = createTrashFolder(state, service);
    await trash.put(file());
    const { id = '' } = (await lastBatch(trash, 'd', 'web'))[0] ?? {};
    await trash.take(id);
    expect(await trash.take(id)).toMatchObject({ path: 'a/b' });
    expect(await trash.remove(id)).toEqual({ ok: true });
    expect(await trash.remove(id)).toEqual({ ok: true });
    expect(await trash.take(id)).toBeUndefined();
  });

  it('takes no id that leads elsewhere', async () => {
    const secret = path.join(state, 'secret');
    await writeFile(secret, '{}\nsecret');
    const trash = createTrashFolder(state, service);
    expect(await trash.take('../../secret')).toBeUndefined();
    await trash.remove('../../secret');
    expect(await paths()).toEqual([secret]);
  });
});

describe('the bounds', () => {
  const bytes = Buffer.alloc(1000);

  it('let the oldest go when there is too much, of other services too', async () => {
    const bounds = { totalBytes: 3600, age: 1000 };
    await createTrashFolder(state, 'http://there', bounds).put(file({ bytes, at: 1 }));
    const trash = createTrashFolder(state, service, bounds);
    for (const at of [2, 3, 4, 5]) await trash.put(file({ path: String(at), bytes, at }));
    expect(
      (await lastBatch(createTrashFolder(state, 'http://there'), 'd', 'web'))[0],
    ).toBeUndefined();
    expect(await takeAll(trash)).toEqual(['5', '4', '3']);
  });

  it('let go what is too old', async () => {
    const bounds = { totalBytes: 1e6, age: 10 };
    await createTrashFolder(state, service, bounds).put(file({ path: 'old', at: 1 }));
    const trash = createTrashFolder(state, service, bounds);
    await trash.put(file({ path: 'new', at: 12 }));
    expect(await takeAll(trash)).toEqual(['new']);
  });

  it('never take what was put there just now, whatever the clock says', async () => {
    const trash = createTrashFolder(state, service, { totalBytes: 1500, age: 10 });
    await trash.put(file({ path: 'later', bytes, at: 1000 }));
    await trash.put(file({ path: 'now', bytes, at: 5 }));
    expect(await takeAll(trash)).toEqual(['now']);
  });

  it('refuse a file that is larger than all of it, and let nothing go for it', async () => {
    const trash = createTrashFolder(state, service, { totalBytes: 1500, age: 10 });
    await trash.put(file());
    expect(await trash.put(file({ bytes: Buffer.alloc(2000) }))).toEqual({
      ok: false,
      sentence: "Can't move b to the trash: the file is too large.",
    });
    expect(await takeAll(trash)).toEqual(['a/b']);
  });

  it('lets one running console undo a change at a time', async () => {
    const [own, other, exited] = [
      '1-unknown',
      `${process.pid}-unknown`,
      '4194305-0123456789ab',
    ].map((mark) => createTrashFolder(state, service, undefined, Promise.resolve(mark)));
    const ids: string[] = [];
    for (const name of ['a', 'b']) {
      const put = await own?.put(file({ path: name }));
      if (put?.ok === true) ids.push(put.id);
    }
    expect(await exited?.claim(ids)).toBe(true);
    expect(await own?.claim(ids.slice(1))).toBe(true);
    expect(await other?.claim(ids)).toBe(false);
    await own?.release(ids.slice(1));
    expect(await other?.claim(ids)).toBe(true);
    await other?.release(ids);
    expect(await paths()).toHaveLength(ids.length);
  });

  it('removes the claim of an exited console with the change', async () => {
    const exited = Promise.resolve('4194305-0123456789ab');
    const trash = createTrashFolder(state, service, { totalBytes: 1500, age: 10 }, exited);
    const put = await trash.put(file({ at: 1 }));
    await trash.claim(put.ok ? [put.id] : []);
    await trash.put(file({ at: 1000, bytes: Buffer.alloc(1400) }));
    expect(await paths()).toHaveLength(1);
  });
});

describe('what is damaged', () => {
  it.each(['', '{', 'no head', '{}\nrest', 'null\n', '{"deploymentId":"d"}\nx'])(
    'is passed over and stays: %j',
    async (content) => {
      const trash = createTrashFolder(state, service);
      await trash.put(file({ path: 'good', at: 1 }));
      await trash.put(file({ path: 'bad', at: 2 }));
      const [, bad = ''] = await paths();
      await writeFile(bad, content);
      expect((await lastBatch(trash, 'd', 'web'))[0]).toMatchObject({ path: 'good' });
      expect(await trash.take(path.basename(bad))).toBeUndefined();
      expect(await paths()).toHaveLength(2);
    },
  );

  it('by a cut is not given back as if it were whole', async () => {
    const trash = createTrashFolder(state, service);
    await trash.put(file());
    const [one = ''] = await paths();
    await truncate(one, (await stat(one)).size - 1);
    const { id = '' } = (await lastBatch(trash, 'd', 'web'))[0] ?? {};
    expect(await trash.take(id)).toBeUndefined();
  });

  it('as a folder says why nothing can be put there', async () => {
    await writeFile(path.join(state, 'trash'), '');
    const trash = createTrashFolder(state, service);
    expect(await trash.put(file())).toEqual({
      ok: false,
      sentence: expect.stringMatching(
        /^Can't move b to the trash: a file is in the place of a folder \(.*\/trash\/\w+\)\.$/,
      ),
    });
    expect((await lastBatch(trash, 'd', 'web'))[0]).toBeUndefined();
  });
});
