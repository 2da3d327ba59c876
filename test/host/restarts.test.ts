import { readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deploy, readDeployment, readLines } from './support/bodies.ts';
import { isRunning } from './support/processes.ts';
import { runsOf } from './support/run-folders.ts';
import { sharedHost } from './support/shared-host.ts';
import {
  formOf,
  idle,
  nodeService,
  sdlOf,
  temporaryHost,
  withIsolation,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

// Sandboxes would change the process ids.
const service = sharedHost({ ...withIsolation, sandbox: 'off' });
const owner = service.as('0xowner');

/** A service that prints the content of its file every 5 ms and exits on a request to its port. */
const reader = nodeService(`
  const { readFileSync } = require('node:fs');
  const read = () => { try { return readFileSync('config/app', 'utf8') } catch { return 'nothing' } };
  let count = 0;
  setInterval(() => console.log('read', read(), ++count), 5);
  console.log('pid', process.pid);
`);

async function write(id: string, content: string): Promise<void> {
  const place = { id, name: 'web', path: 'config/app' };
  expect((await owner.call('updateFile', { ...place, json: { content } })).status).toBe(200);
}

/** Waits for `count` matching lines of the service. Returns the matches. */
async function waitForLines(id: string, pattern: RegExp, count = 1): Promise<readonly string[]> {
  return await waitFor(async () => {
    const matches = (await readLines(owner, id)).filter((line) => pattern.test(line));
    expect(matches.length).toBeGreaterThanOrEqual(count);
    return matches;
  });
}

async function pids(id: string, count: number): Promise<readonly number[]> {
  return (await waitForLines(id, /^pid/, count)).map((line) => Number(line.slice(4)));
}

describe('a change of a file', () => {
  it('reaches a running service with a restart through the API, and not before', async () => {
    const { id } = await deploy(owner, sdlOf({ web: reader }));
    await waitForLines(id, /^read nothing/, 3);
    await write(id, 'one');
    const before = (await waitForLines(id, /^read/)).length;
    await waitForLines(id, /^read/, before + 10);
    expect((await waitForLines(id, /^read/)).every((line) => line.startsWith('read nothing'))).toBe(
      true,
    );

    await owner.call('restartDeployment', { id });
    await waitForLines(id, /^read one 3$/);
    await owner.call('uploadFiles', { id, name: 'web', form: formOf({ 'config/app': 'two' }) });
    const since = (await waitForLines(id, /^read one/)).length;
    await waitForLines(id, /^read one/, since + 10);
    expect(await readLines(owner, id)).not.toContainEqual(expect.stringContaining('read two'));

    await owner.call('restartDeployment', { id });
    await waitForLines(id, /^read two 1$/);
    const reads = (await readLines(owner, id)).filter((line) => line.startsWith('read'));
    const order = reads.map((line) => line.split(' ')[1]);
    expect(order).toEqual(order.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
    await owner.call('closeDeployment', { id });
  });

  it('is applied neither by a crash nor by a start of the host', async () => {
    const { id } = await deploy(owner, sdlOf({ web: reader }));
    await pids(id, 1);
    await write(id, 'one');
    await owner.call('restartDeployment', { id });
    await waitForLines(id, /^read one/, 3);
    await write(id, 'two');
    const [, second] = await pids(id, 2);
    process.kill(second ?? 0, 'SIGKILL');
    await waitForLines(id, /^killed by SIGKILL$/);
    await pids(id, 3);
    const since = (await waitForLines(id, /^read one/)).length;
    await waitForLines(id, /^read one/, since + 5);

    await service.again();
    await pids(id, 4);
    const after = (await waitForLines(id, /^read one/)).length;
    await waitForLines(id, /^read one/, after + 5);
    expect(await readLines(owner, id)).not.toContainEqual(expect.stringContaining('read two'));

    await owner.call('restartDeployment', { id });
    await waitForLines(id, /^read two/);
    await owner.call('closeDeployment', { id });
  });

  it('by a service in its own folder is lost at a restart, and never staged', async () => {
    const program = `const fs = require('node:fs');
      console.log('entries', fs.readdirSync('.').join());
      fs.writeFileSync('own', 'x'); setInterval(() => {}, 1000)`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
    await waitForLines(id, /^entries $/);
    await owner.call('updateFile', { id, name: 'web', path: 'a', json: { content: '' } });
    await owner.call('restartDeployment', { id });
    await waitForLines(id, /^entries a$/);
    await owner.call('closeDeployment', { id });
  });
});

describe('restarts', () => {
  it('requested concurrently all happen, the last with all staged changes', async () => {
    const { id } = await deploy(owner, sdlOf({ web: reader }));
    await waitForLines(id, /^read/);
    const requests = [];
    for (const content of ['a', 'b', 'c', 'd']) {
      await write(id, content);
      requests.push(owner.call('restartDeployment', { id }));
    }
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await waitForLines(id, /^read d/, 3);
    await waitFor(async () => {
      expect((await readDeployment(owner, id)).state).toBe('active');
      expect(await readdir(runsOf(service.dataDir, id))).toEqual(['5']);
    });
    await owner.call('closeDeployment', { id });
  });

  it('interrupted by a close leave no copy of the files', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`d${at}/file`, 'x']));
    await owner.call('uploadFiles', { id, name: 'web', form: formOf(files) });
    const runs = runsOf(service.dataDir, id);
    const restarted = owner.call('restartDeployment', { id });
    // The files are being copied: the name is another one once they are.
    await waitFor(async () => expect(await readdir(runs)).toContain('2.new'), { interval: 1 });
    expect((await owner.call('closeDeployment', { id })).status).toBe(200);
    expect((await restarted).status).toBe(409);
    await waitFor(async () => expect(await readdir(runs)).toEqual([]));
  });

  it('of a service that ignores SIGTERM kill it with all its processes', async () => {
    const stubborn = nodeService(`
      process.on('SIGTERM', () => console.log('no'));
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e',
        'process.on("SIGTERM", () => {}); console.log("pid", process.pid); setTimeout(() => {}, 6e4)',
      ], { stdio: 'inherit', detached: true });
      setInterval(() => {}, 1000)`);
    const impatient = await temporaryHost({ sandbox: 'off', graceMs: 100 });
    onTestFinished(() => impatient.remove());
    const caller = impatient.as('0xowner');
    const { id } = await deploy(caller, sdlOf({ web: stubborn }));
    const lines = () => readLines(caller, id);
    const first = await waitFor(async () => {
      const line = (await lines()).find((each) => each.startsWith('pid'));
      expect(line).toBeDefined();
      return Number(line?.slice(4));
    });
    await caller.call('restartDeployment', { id });
    await waitFor(async () => {
      expect((await lines()).filter((line) => line.startsWith('pid'))).toHaveLength(2);
    });
    expect(await lines()).toContain('no');
    expect(isRunning(first)).toBe(false);
  });
});
