import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createDraftLocks } from '../../source/disk/drafts-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = 'http://here';
const place = { deploymentId: 'd', service: 'web', path: 'config/app.yaml' };
/** Marks of running consoles: in doubt a process counts as running. */
const one = Promise.resolve(`${process.pid}-unknown`);
const other = Promise.resolve('1-unknown');
/** The mark of an earlier process with the id of this one. */
const reused = Promise.resolve(`${process.pid}-0123456789ab`);

let state: string;

beforeEach(() => {
  state = temporaryFolder();
});

async function lockFiles(): Promise<readonly string[]> {
  const names = await readdir(state, { recursive: true });
  return names.filter((name) => name.endsWith('.lock'));
}

test('a document is locked by one running console until it unlocks it', async () => {
  const [first, second] = [one, other].map((mark) => createDraftLocks(state, service, mark));
  expect(await first?.lock(place)).toEqual({ ok: true });
  expect(await first?.lock(place)).toEqual({ ok: true });
  expect(await second?.lock(place)).toEqual({ ok: false, pid: process.pid });
  expect(await second?.lock({ ...place, path: 'other' })).toEqual({ ok: true });
  expect(await second?.lock({ newDeployment: '7' })).toEqual({ ok: true });
  await second?.unlock(place);
  expect(await second?.lock(place)).toEqual({ ok: false, pid: process.pid });
  await first?.unlock(place);
  expect(await second?.lock(place)).toEqual({ ok: true });
  await second?.unlockAll();
  expect(await lockFiles()).toEqual([]);
});

test('of two consoles that open at once, one has the lock', async () => {
  const locks = [one, other].map((mark) => createDraftLocks(state, service, mark));
  const results = await Promise.all(locks.map((each) => each.lock(place)));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
});

test('a lock of an exited console is ignored, also when its process id runs again', async () => {
  await createDraftLocks(state, service, reused).lock(place);
  const next = createDraftLocks(state, service, one);
  expect(await next.otherHolder(place)).toBeUndefined();
  expect(await next.lock(place)).toEqual({ ok: true });
});

test('a lock that is taken over is reported to the one that had it', async () => {
  const [first, second] = [one, other].map((mark) => createDraftLocks(state, service, mark));
  await first?.lock(place);
  expect(await first?.otherHolder(place)).toBeUndefined();
  expect(await second?.lock(place, true)).toEqual({ ok: true });
  expect(await first?.otherHolder(place)).toBe(1);
  await first?.unlock(place);
  expect(await first?.lock(place)).toEqual({ ok: false, pid: 1 });
});

test('a damaged lock is replaced, and an unwritable folder locks nothing', async () => {
  const locks = createDraftLocks(state, service, one);
  await locks.lock(place);
  const [file = ''] = await lockFiles();
  await writeFile(path.join(state, file), 'what is this');
  expect(await createDraftLocks(state, service, other).lock(place)).toEqual({ ok: true });
  const blocked = path.join(state, 'blocked');
  await mkdir(blocked);
  await writeFile(path.join(blocked, 'drafts'), 'a file');
  expect(await createDraftLocks(blocked, service, one).lock(place)).toEqual({ ok: true });
});

test('of processes that replace one stale lock at the same time, one has it', async () => {
  const gone = Promise.resolve('4194305-0123456789ab');
  const exited = createDraftLocks(state, service, gone);
  const script = path.resolve(import.meta.dirname, '../fixtures/lock-drafts.ts');
  const processes = [0, 1, 2].map(() => fork(script, [state], { stdio: 'inherit' }));
  onTestFinished(() => processes.forEach((each) => each.kill()));
  await Promise.all(processes.map((each) => once(each, 'message')));
  for (let round = 0; round < 100; round += 1) {
    await exited.lock({ ...place, path: String(round) });
    const answers = processes.map(async (each) => (await once(each, 'message'))[0]);
    for (const each of processes) each.send(round);
    expect((await Promise.all(answers)).filter((has) => has === true)).toHaveLength(1);
  }
  const left = await readdir(state, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile())).toHaveLength(100);
});
