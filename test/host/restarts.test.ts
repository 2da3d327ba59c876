import { readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deploy, readDeployment, readLines } from './support/bodies.ts';
import { isRunning } from './support/processes.ts';
import { runsOf } from './support/run-folders.ts';
import { sharedHost } from './support/shared-host.ts';
import { formOf, idle, nodeService, sdlOf, temporaryHost } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

// Without sandboxes, in which processes have other ids.
const service = sharedHost({ sandbox: 'off' });
const owner = service.as('0xowner');

/** Reads its file every 5 ms and says what it finds, each time; ends when told by its port. */
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

/** Waits for lines of the service; gives the number of those that match. */
async function seen(id: string, pattern: RegExp, count = 1): Promise<readonly string[]> {
  return await waitFor(async () => {
    const found = (await readLines(owner, id)).filter((line) => pattern.test(line));
    expect(found.length).toBeGreaterThanOrEqual(count);
    return found;
  });
}

async function pids(id: string, count: number): Promise<readonly number[]> {
  return (await seen(id, /^pid/, count)).map((line) => Number(line.slice(4)));
}

describe('a change of a file', () => {
  it('is not seen by what runs until a restart through the API, and then at once', async () => {
    const { id } = await deploy(owner, sdlOf({ web: reader }));
    await seen(id, /^read nothing/, 3);
    await write(id, 'one');
    const before = (await seen(id, /^read/)).length;
    await seen(id, /^read/, before + 10);
    expect((await seen(id, /^read/)).every((line) => line.startsWith('read nothing'))).toBe(true);

    await owner.call('restartDeployment', { id });
    await seen(id, /^read one 3$/);
    await owner.call('uploadFiles', { id, name: 'web', form: formOf({ 'config/app': 'two' }) });
    const since = (await seen(id, /^read one/)).length;
    await seen(id, /^read one/, since + 10);
    expect(await readLines(owner, id)).not.toContainEqual(expect.stringContaining('read two'));

    await owner.call('restartDeployment', { id });
    await seen(id, /^read two 1$/);
    const reads = (await readLines(owner, id)).filter((line) => line.startsWith('read'));
    const order = reads.map((line) => line.split(' ')[1]);
    expect(order).toEqual(order.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
    await owner.call('closeDeployment', { id });
  });

  it('is not applied by a crash, nor by a start of the host', async () => {
    const { id } = await deploy(owner, sdlOf({ web: reader }));
    await pids(id, 1);
    await write(id, 'one');
    await owner.call('restartDeployment', { id });
    await seen(id, /^read one/, 3);
    await write(id, 'two');
    const [, second] = await pids(id, 2);
    process.kill(second ?? 0, 'SIGKILL');
    await seen(id, /^killed by SIGKILL$/);
    await pids(id, 3);
    const since = (await seen(id, /^read one/)).length;
    await seen(id, /^read one/, since + 5);

    await service.again();
    await pids(id, 4);
    const after = (await seen(id, /^read one/)).length;
    await seen(id, /^read one/, after + 5);
    expect(await readLines(owner, id)).not.toContainEqual(expect.stringContaining('read two'));

    await owner.call('restartDeployment', { id });
    await seen(id, /^read two/);
    await owner.call('closeDeployment', { id });
  });

  it('that a service makes in its own folder is gone after a restart, and never staged', async () => {
    const program = `const fs = require('node:fs');
      console.log('found', fs.readdirSync('.').join());
      fs.writeFileSync('own', 'x'); setInterval(() => {}, 1000)`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
    await seen(id, /^found $/);
    await owner.call('updateFile', { id, name: 'web', path: 'a', json: { content: '' } });
    await owner.call('restartDeployment', { id });
    await seen(id, /^found a$/);
    await owner.call('closeDeployment', { id });
  });
});

describe('restarts', () => {
  it('that are asked for at once all happen, the last with everything that was staged', async () => {
    const { id } = await deploy(owner, sdlOf({ web: reader }));
    await seen(id, /^read/);
    const asked = [];
    for (const content of ['a', 'b', 'c', 'd']) {
      await write(id, content);
      asked.push(owner.call('restartDeployment', { id }));
    }
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await seen(id, /^read d/, 3);
    await waitFor(async () => {
      expect((await readDeployment(owner, id)).state).toBe('active');
      expect(await readdir(runsOf(service.dataDir, id))).toEqual(['5']);
    });
    await owner.call('closeDeployment', { id });
  });

  it('that a close comes into leave no copy of the files', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`d${at}/file`, 'x']));
    await owner.call('uploadFiles', { id, name: 'web', form: formOf(files) });
    const runs = runsOf(service.dataDir, id);
    const restarted = owner.call('restartDeployment', { id });
    // They are being copied.
    await waitFor(async () => expect(await readdir(runs)).toContain('2'), { interval: 1 });
    expect((await owner.call('closeDeployment', { id })).status).toBe(200);
    expect((await restarted).status).toBe(409);
    await waitFor(async () => expect(await readdir(runs)).toEqual([]));
  });

  it('of a service that does not end are made to happen, with all it started', async () => {
    const stubborn = nodeService(`
      process.on('SIGTERM', () => console.log('no'));
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e',
        'process.on("SIGTERM", () => {}); console.log("pid", process.pid); setTimeout(() => {}, 6e4)',
      ], { stdio: 'inherit', detached: true });
      setInterval(() => {}, 1000)`);
    const impatient = await temporaryHost({ graceMs: 100 });
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
