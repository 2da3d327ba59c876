import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkIsolation } from '../../source/commands/doctor/doctor.ts';
import { environmentOfMac } from '../support/faked-mac.ts';
import { waitFor } from '../support/wait-for.ts';
import { deploy, fieldOf, readLines } from './support/bodies.ts';
import { HostFolder, outcome, pidsIn, serving } from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { formOf, nodeService, sdlOf } from './support/temporary-host.ts';

let folder: HostFolder;

beforeEach(async () => {
  folder = await HostFolder.make();
});

afterEach(() => folder.remove());

/** Starts a host on the pretended system. */
function start() {
  return folder.run(serving, { env: environmentOfMac() });
}

/** A service that prints its process id and its file; its child leaves its process group. */
const reader = nodeService(`
  const { readFileSync } = require('node:fs');
  const read = () => { try { return readFileSync('config/app', 'utf8') } catch { return 'nothing' } };
  console.log('read', read());
  console.log('pid', process.pid);
  const code = "console.log('pid', process.pid); setInterval(() => {}, 1e3)";
  require('node:child_process').spawn(process.execPath, ['-e', code], { detached: true, stdio: 'inherit' });
  setInterval(() => {}, 1e3);
`);

it('writes files, restarts with them and ends every process of a deployment', async () => {
  start();
  const caller = await folder.caller();
  const { id } = await deploy(caller, sdlOf({ web: reader }));
  const first = await pidsIn(caller, id, 2);
  const place = { id, name: 'web' };
  const form = formOf({ 'config/app': 'one', 'a/b/c.txt': 'c' });
  expect((await caller.call('uploadFiles', { ...place, form })).status).toBe(200);
  const json = { oldPath: 'a/b/c.txt', newPath: 'd.txt' };
  expect((await caller.call('renameFile', { ...place, json })).status).toBe(200);
  const file = fieldOf(await caller.call('getFile', { ...place, path: 'd.txt' }), 'file');
  expect(file).toMatchObject({ content: 'c' });
  await caller.call('restartDeployment', { id });
  await waitFor(async () => expect(await readLines(caller, id)).toContain('read one'));
  const all = await pidsIn(caller, id, 4);
  expect(first.filter(isRunning)).toEqual([]);
  await caller.call('closeDeployment', { id });
  await waitFor(() => expect(all.filter(isRunning)).toEqual([]));
});

it('ends what a killed host left, before it listens', async () => {
  const child = start();
  const before = await folder.caller();
  const { id } = await deploy(before, sdlOf({ web: reader }));
  const orphans = await pidsIn(before, id, 2);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(orphans.map(isRunning)).toEqual([true, true]);
  start();
  const after = await folder.caller();
  expect(orphans.map(isRunning)).toEqual([false, false]);
  await pidsIn(after, id, 4);
});

it('stops in order', async () => {
  const child = start();
  const caller = await folder.caller();
  const { id } = await deploy(caller, sdlOf({ web: reader }));
  const pids = await pidsIn(caller, id, 2);
  child.kill('SIGTERM');
  expect(await outcome(child)).toMatchObject({
    code: 0,
    notes: expect.not.stringContaining('ps:'),
  });
  expect(pids.filter(isRunning)).toEqual([]);
});

it('may have every port, and has no sandboxes', () => {
  const module = (file: string) => new URL(`../../source/${file}`, import.meta.url).href;
  const code = `
    import { readFirstUserPort } from '${module('host/runtime/ports.ts')}';
    import { ${checkIsolation.name} as check } from '${module('commands/doctor/doctor.ts')}';
    const { state, finding } = await check(process.env, process.platform);
    console.log(JSON.stringify([readFirstUserPort(), state, finding]));
  `;
  const options = { env: environmentOfMac(), encoding: 'utf8' } as const;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', code], options);
  expect(JSON.parse(out)).toEqual([1, 'warn', 'needs Linux.']);
});
