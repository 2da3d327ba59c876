import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deploy, readLines } from './support/bodies.ts';
import { HostFolder, pidsIn, serving } from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { type Caller, nodeService, sdlOf } from './support/temporary-host.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { waitFor } from '../support/wait-for.ts';

const program = await bundledProgram('test/host/support/host-process.ts');

/** Limit of file descriptors of the host under test. */
const descriptorLimit = 100;

let folder: HostFolder;
let end: () => Promise<void>;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = await HostFolder.make();
  const command = JSON.stringify({ ...serving, data: folder.dataDir });
  const limited = `ulimit -n ${descriptorLimit}; exec "$0" "$@"`;
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
  closeSockets();
  await end();
  await folder.remove();
});

/** Connects to the host until it has no file descriptor left. */
async function exhaustDescriptors(caller: Caller) {
  const { pid, baseUrl } = await folder.hello();
  const port = Number(new URL(baseUrl).port);
  for (let count = 0; count < 2 * descriptorLimit; count += 1) {
    sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
  }
  await waitFor(async () => {
    // Keep the caller's connection alive, since it could not open another.
    await caller.call('listDeployments');
    // The host reserves one descriptor to reject connections.
    expect(readdirSync(`/proc/${pid}/fd`).length).toBeGreaterThanOrEqual(descriptorLimit - 1);
  });
}

function closeSockets() {
  for (const socket of sockets.splice(0)) socket.destroy();
}

describe.skipIf(process.platform !== 'linux')('a host without free file descriptors', () => {
  it('logs that it cannot start a service, and starts it once it can', async () => {
    const caller = await folder.caller();
    const web = nodeService(`console.log('pid', process.pid); setInterval(() => {}, 1e3);
      process.on('SIGUSR2', () => process.exit(1))`);
    const { id } = await deploy(caller, sdlOf({ web }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    await exhaustDescriptors(caller);
    process.kill(pid, 'SIGUSR2');
    // Uses the connection that is already open.
    await waitFor(async () => {
      expect(await readLines(caller, id)).toContain('cannot start: node: EMFILE');
    });
    closeSockets();
    await pidsIn(caller, id, 2);
  });

  it('stops processes that left the process group of their run', async () => {
    const caller = await folder.caller();
    const leaving = nodeService(`const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'console.log("pid", process.pid); setTimeout(() => {}, 6e4)'],
        { detached: true, stdio: 'inherit' });
      console.log('pid', process.pid); setInterval(() => {}, 1e3)`);
    const { id } = await deploy(caller, sdlOf({ web: leaving }));
    const pids = await pidsIn(caller, id, 2);
    await exhaustDescriptors(caller);
    await caller.call('closeDeployment', { id });
    // The process in the group is gone; the host must search for the other one.
    await waitFor(() => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toHaveLength(1));
    closeSockets();
    await waitFor(async () => expect(await readLines(caller, id)).toContain('stopped'));
    expect(pids.map(isRunning)).toEqual([false, false]);
  });
});
