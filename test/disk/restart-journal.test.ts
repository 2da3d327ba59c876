import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRestartJournal } from '../../source/disk/restart-journal.ts';
import type { PendingRestart } from '../../source/store/restarts/journal.ts';
import { killAtOnce, startFixture } from '../support/killed-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = 'http://here';
const gone = Promise.resolve('4194305-0123456789ab');
const next = Promise.resolve('4194306-0123456789ab');

let state: string;

beforeEach(() => {
  state = temporaryFolder();
});

const shop: PendingRestart = {
  deploymentId: '1',
  name: 'shop',
  files: [{ service: 'web', path: 'config/app.yaml' }],
  state: 'counting',
  since: 1000,
  deadline: 6000,
};
const batch: PendingRestart = { ...shop, deploymentId: '2', name: 'batch', state: 'unapplied' };

async function folderOf(): Promise<string> {
  const [below = ''] = await readdir(path.join(state, 'restarts'));
  return path.join(state, 'restarts', below);
}

describe('what a console owed', () => {
  it('is taken by the next one when it was killed, not while it runs', async () => {
    const first = await startFixture('owe-restart.ts', state, 'killed');
    const second = await startFixture('owe-restart.ts', state, 'running');
    const journal = createRestartJournal(state, service);
    expect(await journal.read()).toEqual([]);
    await killAtOnce(first);
    expect((await journal.read()).map(({ name }) => name)).toEqual(['killed']);
    expect(await journal.read()).toEqual([]);
    await killAtOnce(second);
    expect((await journal.read()).map(({ name }) => name)).toEqual(['running']);
  });

  it('is what it wrote last, for its owner only', async () => {
    const left = createRestartJournal(state, service, gone);
    expect(
      await Promise.all([[], [shop], [batch], [shop, batch]].map((entries) => left.write(entries))),
    ).toEqual(Array.from({ length: 4 }, () => ({ ok: true })));
    const folder = await folderOf();
    const [name = ''] = await readdir(folder);
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await createRestartJournal(state, 'http://there').read()).toEqual([]);
    expect(await createRestartJournal(state, service).read()).toEqual([shop, batch]);
  });

  it('is what it was about to do to a file', async () => {
    const place = { service: 'web', path: 'new.yaml' };
    const intended: readonly PendingRestart[] = [
      { ...batch, state: 'intended', files: [{ ...place, digest: 'ab' }] },
      { ...batch, state: 'intended', files: [{ ...place, isDeleted: true }] },
      { ...batch, state: 'intended', files: [{ ...place, movedFrom: 'old.yaml' }] },
      {
        ...batch,
        state: 'intended',
        files: [
          { ...place, size: 5, digest: 'ab' },
          { ...place, size: 0 },
        ],
      },
    ];
    await createRestartJournal(state, service, gone).write(intended);
    expect(await createRestartJournal(state, service).read()).toEqual(intended);
  });

  it('is read with the words of older versions', async () => {
    await createRestartJournal(state, service, gone).write([batch]);
    const folder = await folderOf();
    const [name = ''] = await readdir(folder);
    const entries: readonly object[] = [{ ...batch, state: 'not applied' }];
    await writeFile(path.join(folder, name), JSON.stringify(entries));
    expect(await createRestartJournal(state, service).read()).toEqual([batch]);
  });

  it('goes to one of two that start at once', async () => {
    await createRestartJournal(state, service, gone).write([shop]);
    const both = [1, 2].map((pid) => Promise.resolve(`${pid}-unknown`));
    const read = both.map((mark) => createRestartJournal(state, service, mark).read());
    expect((await Promise.all(read)).flat()).toEqual([shop]);
  });

  it('is not lost when who took it dies before it wrote', async () => {
    await createRestartJournal(state, service, gone).write([shop]);
    expect(await createRestartJournal(state, service, next).read()).toEqual([shop]);
    expect(await createRestartJournal(state, service).read()).toEqual([shop]);
  });

  it('goes with the first write after it was taken, with that alone', async () => {
    await createRestartJournal(state, service, gone).write([shop]);
    const journal = createRestartJournal(state, service);
    await journal.write([batch]);
    const taken = journal.read();
    await journal.write([batch]);
    expect(await taken).toEqual([shop]);
    expect(await readdir(await folderOf())).toHaveLength(2);
    await journal.write([batch, shop]);
    expect(await readdir(await folderOf())).toHaveLength(1);
    await journal.write([]);
    expect(await readdir(await folderOf())).toEqual([]);
  });

  it('is found again when the same process comes back to the service', async () => {
    await createRestartJournal(state, service).write([shop]);
    const again = createRestartJournal(state, service);
    expect(await again.read()).toEqual([shop]);
    await again.write([shop, batch]);
    expect(await again.read()).toEqual([]);
  });

  it('is of an earlier process when its id was given to another', async () => {
    await createRestartJournal(
      state,
      service,
      Promise.resolve(`${process.pid}-0123456789ab`),
    ).write([shop]);
    expect(await createRestartJournal(state, service).read()).toEqual([shop]);
  });

  it('is found and dropped by its deployment, and the rest stays to the next console', async () => {
    await createRestartJournal(state, service, gone).write([shop, batch]);
    await createRestartJournal(state, service, next).write([shop]);
    const running = Promise.resolve('1-unknown');
    await createRestartJournal(state, service, running).write([shop]);
    const journal = createRestartJournal(state, service);
    expect(await journal.find('1')).toEqual([shop, shop]);
    expect(await journal.find('3')).toEqual([]);
    await journal.drop('3');
    await journal.drop('1');
    expect(await journal.find('1')).toEqual([]);
    expect((await readdir(await folderOf())).sort()).toEqual([
      '1-unknown.json',
      '4194305-0123456789ab.json',
    ]);
    expect(await createRestartJournal(state, service).read()).toEqual([batch]);
  });

  it('that cannot be written says why', async () => {
    await writeFile(path.join(state, 'restarts'), '');
    expect(await createRestartJournal(state, service).write([shop])).toEqual({
      ok: false,
      sentence: expect.stringMatching(
        /^Can't save the pending restarts: a file is in the place of a folder \(.*\/restarts\/\w+\)\.$/,
      ),
    });
    expect(await createRestartJournal(state, service).read()).toEqual([]);
  });
});

it.each([
  '',
  '{',
  'null',
  '{}',
  '[null]',
  '[{"deploymentId":"1"}]',
  JSON.stringify([{ ...shop, state: 'other' }]),
  JSON.stringify([{ ...shop, since: null }]),
  JSON.stringify([{ ...shop, deadline: '1' }]),
  JSON.stringify([{ ...shop, files: [{ service: 'web' }] }]),
  JSON.stringify([shop, 3]),
])('a file that is no journal is passed over and stays: %s', async (text) => {
  const journal = createRestartJournal(state, service, gone);
  await journal.write([shop]);
  await mkdir(path.join(await folderOf(), '4194306-0123456789ab.json'));
  const file = path.join(await folderOf(), '4194307-0123456789ab.json');
  await writeFile(file, text);
  expect(await createRestartJournal(state, service).read()).toEqual([shop]);
  expect((await stat(file)).size).toBe(text.length);
});
