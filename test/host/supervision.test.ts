import { readdir, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Deployments } from '../../source/host/deployments.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLines } from './support/bodies.ts';
import { ManualClock } from './support/manual-clock.ts';
import { isRunning } from './support/processes.ts';
import { sharedHost } from './support/shared-host.ts';
import { idle, nodeService, sdlOf, temporaryHost } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';
import { waitUntilActive } from './support/wait-until-active.ts';

const clock = new ManualClock();
// Sandboxes would change the process ids.
const service = sharedHost({ clock, sandbox: 'off' });
const owner = service.as('0xowner');

async function waitForLine(id: string, line: string, count = 1): Promise<void> {
  await waitFor(async () => {
    const lines = await readLines(owner, id);
    expect(lines.filter((each) => each === line)).toHaveLength(count);
  });
}

/** Returns the process id that the newest of `count` runs has printed. */
async function lastPid(id: string, runs: number): Promise<number> {
  return await waitFor(async () => {
    const pids = (await readLines(owner, id)).filter((line) => /^\d+$/.test(line));
    expect(pids).toHaveLength(runs);
    return Number(pids.at(-1));
  });
}

const stateOf = async (id: string) => (await readDeployment(owner, id)).state;

describe('a crashing service', () => {
  it('is restarted after 1, 2, 4 s …, and counts as failed from the third crash on', async () => {
    const { id } = await deploy(owner, sdlOf({ web: { command: ['false'] } }));
    const states = [];
    for (const [index, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      await waitForLine(id, 'exited 1', index + 1);
      await waitFor(async () => {
        expect((await readLines(owner, id)).at(-1)).toBe(`starts again in ${seconds} s`);
      });
      states.push(await stateOf(id));
      clock.advance(seconds * 1000 - 1);
      expect((await readLines(owner, id)).filter((line) => line === 'started')).toHaveLength(
        index + 1,
      );
      clock.advance(1);
    }
    expect(states).toEqual(['restarting', 'restarting', ...Array(6).fill('failed')]);
    await waitForLine(id, 'exited 1', 9);
    expect((await readDeployment(owner, id)).services[0]).toMatchObject({
      restarts: 8,
      exitCode: 1,
    });
    await owner.call('closeDeployment', { id });
  });

  it('is restarted after 1 s again when it ran for a minute', async () => {
    const crashing = nodeService(
      'process.on("SIGUSR2", () => process.exit(7)); console.log(process.pid); setInterval(() => {}, 1e3)',
    );
    const { id } = await deploy(owner, sdlOf({ web: crashing }));
    const crash = async (times: number) => {
      await waitForLine(id, 'started', times);
      process.kill(await lastPid(id, times), 'SIGUSR2');
      await waitForLine(id, 'exited 7', times);
    };
    const lastLine = async () => (await readLines(owner, id)).at(-1);
    await crash(1);
    await waitFor(async () => expect(await lastLine()).toBe('starts again in 1 s'));
    clock.advance(1000);
    await crash(2);
    await waitFor(async () => expect(await lastLine()).toBe('starts again in 2 s'));
    clock.advance(2000);
    await waitForLine(id, 'started', 3);
    clock.advance(60_000);
    await crash(3);
    await waitFor(async () => expect(await lastLine()).toBe('starts again in 1 s'));
    await owner.call('closeDeployment', { id });
  });

  it('is stopped together with its child processes', async () => {
    const program = `const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
      const near = spawn('sleep', ['60'], { stdio: 'ignore' });
      console.log('pids', child.pid, near.pid); setTimeout(() => process.exit(1), 50)`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
    await waitForLine(id, 'exited 1');
    const line = (await readLines(owner, id)).find((each) => each.startsWith('pids')) ?? '';
    const pids = line.split(' ').slice(1).map(Number);
    expect(pids).toHaveLength(2);
    await waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]));
    await owner.call('closeDeployment', { id });
  });

  it('does not affect other services of its deployment', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle, job: { command: ['false'] } }));
    await waitForLine(id, 'exited 1');
    // The other service may still be starting.
    await waitFor(async () => {
      expect(await readDeployment(owner, id)).toMatchObject({
        state: 'restarting',
        services: [
          { name: 'web', state: 'active', running: 1 },
          { name: 'job', state: 'restarting' },
        ],
      });
    });
    await owner.call('closeDeployment', { id });
  });

  it('can be restarted and closed while it waits for its next start', async () => {
    const { id } = await deploy(owner, sdlOf({ web: { command: ['false'] } }));
    await waitForLine(id, 'exited 1');
    await owner.call('restartDeployment', { id });
    await waitForLine(id, 'restarted');
    await waitForLine(id, 'exited 1', 2);
    await owner.call('closeDeployment', { id });
    expect(await stateOf(id)).toBe('closed');
    clock.advance(10_000);
    await service.again();
    expect((await readLines(owner, id)).filter((line) => line.endsWith('started'))).toHaveLength(2);
  });
});

describe('a stopping host', () => {
  it('refuses new deployments and restarts with 503', async () => {
    const ending = await temporaryHost();
    const caller = ending.as('0xowner');
    const slow = nodeService(`console.log('up'); setInterval(() => {}, 1000);
      process.on('SIGTERM', () => setTimeout(() => process.exit(), 500))`);
    const { id } = await deploy(caller, sdlOf({ web: slow }));
    await waitFor(async () => expect(await readLines(caller, id)).toContain('up'));
    const ended = ending.remove();
    await waitFor(async () => {
      const answer = await caller.call('restartDeployment', { id });
      expect(errorIn(answer)).toMatchObject({ status: 503, code: 'unavailable' });
    });
    const json = { sdl: sdlOf({ web: idle }) };
    expect(errorIn(await caller.call('createDeployment', { json })).status).toBe(503);
    expect((await readDeployment(caller, id)).id).toBe(id);
    await ended;
  });

  it('removes a deployment whose creation it refuses', async () => {
    const limits = { servicesPerDeployment: 100, instancesPerDeployment: 100 };
    const ending = await temporaryHost({ limits });
    const caller = ending.as('0xowner');
    const services = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}`, idle]));
    const creation = caller.call('createDeployment', { json: { sdl: sdlOf(services) } });
    const folder = path.join(ending.dataDir, 'deployments');
    // The files are being created.
    await waitFor(async () => expect(await readdir(folder)).toHaveLength(1), { interval: 1 });
    await ending.again();
    expect(errorIn(await creation).status).toBe(503);
    const listed = await ending.as('0xowner').call('listDeployments');
    expect(fieldOf(listed, 'deployments')).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await ending.remove();
  });
});

it('a deployment that can be paid only momentarily does not run', async () => {
  service.host.balance('0xpoor', '0');
  const poor = service.as('0xpoor');
  const { id } = await deploy(poor, sdlOf({ web: { ...idle, amount: 6_000_000 } }));
  service.host.balance('0xpoor', '1.5');
  clock.advance(2000);
  await waitUntilActive(poor, id);
  clock.advance(5000);
  await waitFor(async () => {
    const lines = await readLines(poor, id);
    expect(lines.filter((line) => /^(?:suspended|resumed)/.test(line))).toEqual([
      expect.stringContaining('suspended'),
      expect.stringContaining('resumed'),
      expect.stringContaining('suspended'),
    ]);
    expect(await readDeployment(poor, id)).toMatchObject({
      state: 'suspended',
      services: [{ running: 0 }],
    });
  });
});

it('a new deployment that nobody can pay is suspended from the start', async () => {
  service.host.balance('0xpoor', '0');
  const later = vi.spyOn(Deployments.prototype, 'setPhase').mockImplementation(() => {
    throw new Error('database or disk is full');
  });
  const poor = service.as('0xpoor');
  const { state } = await deploy(poor, sdlOf({ web: { ...idle, amount: 6_000_000 } }));
  expect(state).toBe('suspended');
  later.mockRestore();
});

it('an unpaid deployment is suspended once a failing disk accepts writes again', async () => {
  service.host.balance('0xunlucky', '1.5');
  const poor = service.as('0xunlucky');
  const { id } = await deploy(poor, sdlOf({ web: { ...idle, amount: 6_000_000 } }));
  await waitUntilActive(poor, id);
  const full = vi.spyOn(Deployments.prototype, 'setPhase').mockImplementation(() => {
    throw new Error('database or disk is full');
  });
  clock.advance(3000);
  expect((await readDeployment(poor, id)).state).not.toBe('suspended');
  full.mockRestore();
  clock.advance(1000);
  expect((await readDeployment(poor, id)).state).toBe('suspended');
});

describe('a command', () => {
  it.each([
    ['no-such-command-anywhere', 'cannot start: no-such-command-anywhere: not found'],
    ['/etc/passwd', 'cannot start: /etc/passwd: not executable'],
  ])('%s that cannot run is reported in the log', async (command, line) => {
    const { id } = await deploy(owner, sdlOf({ web: { command: [command] } }));
    await waitForLine(id, line);
    expect(await stateOf(id)).toBe('failed');
    await owner.call('closeDeployment', { id });
  });

  it('without a name is refused', async () => {
    const json = { sdl: sdlOf({ web: { command: ['', 'x'] } }) };
    expect(errorIn(await owner.call('createDeployment', { json }))).toMatchObject({
      status: 422,
      message: expect.stringContaining('Service web has no command'),
    });
  });

  it('whose folder was removed fails with that reason', async () => {
    const program = `process.on('SIGUSR2', () => process.exit(3)); console.log(process.pid);
      setInterval(() => {}, 1e3)`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
    const end = async (times: number) => {
      process.kill(await lastPid(id, times), 'SIGUSR2');
      await waitForLine(id, 'exited 3', times);
    };
    await rm(await readlink(`/proc/${await lastPid(id, 1)}/cwd`), { recursive: true });
    await end(1);
    await waitForLine(id, 'starts again in 1 s');
    clock.advance(1000);
    await waitForLine(id, 'cannot start: its folder is missing; a restart creates it again');
    await owner.call('restartDeployment', { id });
    await end(2);
    await owner.call('closeDeployment', { id });
  });

  it('of several instances runs once per instance', async () => {
    const { id } = await deploy(owner, sdlOf({ web: { ...idle, count: 3 } }));
    await waitForLine(id, 'started', 3);
    expect((await readDeployment(owner, id)).services).toMatchObject([
      { instances: 3, running: 3, state: 'active' },
    ]);
    await owner.call('closeDeployment', { id });
  });
});
