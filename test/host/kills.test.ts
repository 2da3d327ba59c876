import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Storage } from '../../source/host/records/storage.ts';
import { deploy, fieldOf, readLines } from './support/bodies.ts';
import { HostFolder, pidsIn, serving, freePort } from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { type Caller, idle, nodeService, sdlOf } from './support/temporary-host.ts';
import { uploadOf } from './support/upload-bytes.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { waitFor } from '../support/wait-for.ts';

const program = await bundledProgram('test/host/support/dying-host.ts');

/** A service that prints its process id and ignores SIGTERM. */
const stubborn = nodeService(
  `process.on('SIGTERM', () => {}); console.log('pid', process.pid); setInterval(() => {}, 1e3)`,
);

let folder: HostFolder;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await HostFolder.make();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await folder.remove();
});

/** Starts a host that kills itself at a rename. */
function dyingAt(rename: number): ChildProcess {
  const command = JSON.stringify({ ...serving, data: folder.dataDir });
  const child = spawn(process.execPath, [program, command], {
    env: { ...process.env, DIES_AT_RENAME: String(rename) },
    stdio: 'ignore',
  });
  children.push(child);
  return child;
}

/** Returns the contents of a deployment's files, by path. */
async function filesOf(caller: Caller, id: string): Promise<Readonly<Record<string, unknown>>> {
  const place = { id, name: 'web' };
  const listed = fieldOf(await caller.call('listFiles', place), 'files');
  const entries = (listed as readonly { readonly path: string }[]).map(async (file) => {
    const answer = await caller.call('getFile', { ...place, path: file.path });
    return [file.path, (fieldOf(answer, 'file') as { readonly content: string }).content];
  });
  return Object.fromEntries(await Promise.all(entries));
}

const entriesIn = (...below: readonly string[]) =>
  readdir(path.join(folder.dataDir, 'deployments', ...below)).catch(() => []);

describe('an upload', () => {
  it.each([1, 2, 3, 4])(
    'of three files interrupted by a kill at rename %i is stored completely or not at all',
    async (rename) => {
      const storage = Storage.open(folder.dataDir);
      // The sample would rename files, too.
      storage.writeMeta('sample', 'none');
      storage.close();
      const child = dyingAt(rename);
      const before = await folder.caller();
      const { id } = await deploy(before, sdlOf({ web: idle }));
      const files = uploadOf({ 'a/one.txt': '1', 'two.txt': '2', 'b/c/three.txt': '3' });
      const request = before.call('uploadFiles', { id, name: 'web', ...files });
      request.catch(() => undefined);
      await once(child, 'exit');
      const host = await folder.start();
      const after = await folder.caller();
      const stored = await filesOf(after, id);
      const whole = { 'a/one.txt': '1', 'b/c/three.txt': '3', 'two.txt': '2' };
      expect([{}, whole]).toContainEqual(stored);
      expect(await entriesIn(id, 'arriving')).toEqual([]);
      await after.call('updateFile', { id, name: 'web', path: 'two.txt', json: { content: '4' } });
      await host.close();
      await folder.start();
      expect(await filesOf(await folder.caller(), id)).toMatchObject({ 'two.txt': '4' });
    },
  );
});

describe('a path', () => {
  it('left as an empty folder by a kill accepts a file', async () => {
    const host = await folder.start();
    const caller = await folder.caller();
    const { id } = await deploy(caller, sdlOf({ web: idle }));
    await host.close();
    const staged = path.join(folder.dataDir, 'deployments', id, 'staged', 'web');
    for (const hollow of ['a/b/c', 'd/e']) {
      await mkdir(path.join(staged, hollow), { recursive: true });
    }
    await folder.start();
    const after = await folder.caller();
    const place = { id, name: 'web' };
    expect(await filesOf(after, id)).toEqual({});
    const put = await after.call('updateFile', { ...place, path: 'a', json: { content: '1' } });
    expect(put.status).toBe(200);
    const json = { oldPath: 'a', newPath: 'd' };
    expect((await after.call('renameFile', { ...place, json })).status).toBe(200);
    expect(await filesOf(after, id)).toEqual({ d: '1' });
  });
});

describe('a host that starts after kill -9', () => {
  it('removes the run folders of a closed deployment', async () => {
    const child = folder.run(serving);
    const before = await folder.caller();
    const { id } = await deploy(before, sdlOf({ web: stubborn }));
    const [pid] = await pidsIn(before, id, 1);
    const tree = await readlink(`/proc/${pid}/cwd`);
    await before.call('closeDeployment', { id });
    expect(existsSync(tree)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await folder.start({ graceMs: 100 });
    expect(existsSync(tree)).toBe(false);
  });

  it('does not listen before orphans and leftovers are removed', async () => {
    const child = folder.run(serving);
    const before = await folder.caller();
    const { id } = await deploy(before, sdlOf({ web: stubborn }));
    const orphans = await pidsIn(before, id, 1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const port = await freePort();
    const started = folder.start({ port, graceMs: 1000 });
    const url = `http://127.0.0.1:${port}/api/v1/deployments`;
    await waitFor(() => fetch(url));
    expect(orphans.map(isRunning)).toEqual([false]);
    await started;
    const after = await folder.caller();
    await after.call('restartDeployment', { id });
    expect((await readLines(after, id)).length).toBeGreaterThan(1);
  });
});
