import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deploy, readLines } from './support/bodies.ts';
import { HostFolder, pidsIn, serving } from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { type Caller, nodeService, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const program = fileURLToPath(new URL('support/host-process.ts', import.meta.url));

/** File descriptors that the host of these tests may have. */
const most = 100;

let folder: HostFolder;
let end: () => Promise<void>;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = await HostFolder.make();
  const command = JSON.stringify({ ...serving, data: folder.dataDir });
  const limited = `ulimit -n ${most}; exec "$0" "$@"`;
  const child = spawn('sh', ['-c', limited, process.execPath, program, command], {
    stdio: 'ignore',
  });
  end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
});

afterEach(async () => {
  letGo();
  await end();
  await folder.remove();
});

/** Connects to the host until it has no file descriptor to spare, as anyone may. */
async function takeAll(caller: Caller) {
  const { pid, baseUrl } = await folder.hello();
  const port = Number(new URL(baseUrl).port);
  for (let count = 0; count < 2 * most; count += 1) {
    sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
  }
  await waitFor(async () => {
    // The caller's own connection is to stay: it will get no other.
    await caller.call('listDeployments');
    // The host keeps one back to turn callers away.
    expect(readdirSync(`/proc/${pid}/fd`).length).toBeGreaterThanOrEqual(most - 1);
  });
}

function letGo() {
  for (const socket of sockets.splice(0)) socket.destroy();
}

describe.skipIf(process.platform !== 'linux')('a host without a file descriptor to spare', () => {
  it('says that it cannot start a service, and starts it once it can', async () => {
    const caller = await folder.caller();
    const web = nodeService(`console.log('pid', process.pid); setInterval(() => {}, 1e3);
      process.on('SIGUSR2', () => process.exit(1))`);
    const { id } = await deploy(caller, sdlOf({ web }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    await takeAll(caller);
    process.kill(pid, 'SIGUSR2');
    // By the connection that is there.
    await waitFor(async () => {
      expect(await readLines(caller, id)).toContain('cannot start: node: EMFILE');
    });
    letGo();
    await pidsIn(caller, id, 2);
  });

  it('ends what left the group of its run all the same', async () => {
    const caller = await folder.caller();
    const leaving = nodeService(`const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'console.log("pid", process.pid); setTimeout(() => {}, 6e4)'],
        { detached: true, stdio: 'inherit' });
      console.log('pid', process.pid); setInterval(() => {}, 1e3)`);
    const { id } = await deploy(caller, sdlOf({ web: leaving }));
    const pids = await pidsIn(caller, id, 2);
    await takeAll(caller);
    await caller.call('closeDeployment', { id });
    // The one that stayed in it is gone; for the other the host has to look.
    await waitFor(() => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toHaveLength(1));
    letGo();
    await waitFor(async () => expect(await readLines(caller, id)).toContain('stopped'));
    expect(pids.map(isRunning)).toEqual([false, false]);
  });
});
