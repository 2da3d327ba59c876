import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type HostClock, systemClock } from '../../../source/host/clock.ts';
import { startSwarmEngine } from '../../servers/swarm-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { deploy, readDeployment, readLines } from '../support/bodies.ts';
import { temporaryHost } from '../support/temporary-host.ts';

/** A clock on which a host waits a twentieth of the time. */
const clock: HostClock = {
  ...systemClock,
  schedule: (ms, action) => systemClock.schedule(ms / 20, action),
};

const sdl = JSON.stringify({
  version: '2.0',
  name: 'shop',
  services: { web: { image: 'nginx' } },
  profiles: {
    compute: { web: { resources: {} } },
    placement: { here: { pricing: { web: { denom: 'credits', amount: 0 } } } },
  },
  deployment: { web: { here: { profile: 'web', count: 1 } } },
});

/** Starts a host on a pretended engine, with one active deployment. */
async function activeHost() {
  const socketPath = path.join(temporaryFolder(), 'engine.sock');
  const engine = await startSwarmEngine(socketPath);
  onTestFinished(() => engine.close());
  const failures: unknown[] = [];
  const host = await temporaryHost({
    clock,
    runtime: 'swarm',
    engineEnvironment: { DOCKER_HOST: `unix://${socketPath}` },
    onFailure: (error) => failures.push(error),
  });
  const owner = host.as('0xowner');
  const { id } = await deploy(owner, sdl);
  await waitFor(async () => {
    expect((await readDeployment(owner, id)).state).toBe('active');
  });
  return { engine, host, owner, id, failures };
}

test('a host whose engine has gone ends in time, and names what it leaves to the next one', async () => {
  const { engine, host, owner, id, failures } = await activeHost();
  engine.mute();
  await owner.call('closeDeployment', { id });
  await host.remove();
  expect(failures).toEqual([
    new Error('left to the next host on this data folder: the end of shop'),
  ]);
  await waitFor(async () => {
    expect(await engine.connections()).toBe(0);
  });
});

test('a deployment that a host closed and did not end is ended by the next one, with its last lines', async () => {
  const { engine, host, owner, id } = await activeHost();
  onTestFinished(() => host.remove());
  const [task = ''] = engine.tasksOn();
  engine.mute();
  await owner.call('closeDeployment', { id });
  await host.host.close();
  engine.write(task, '2030-01-01T00:00:00.000000000Z', 'last words');
  engine.unmute();
  await host.again();
  await waitFor(async () => {
    expect(engine.tasksOn()).toEqual([]);
    const lines = await readLines(owner, id);
    expect(lines.slice(-2)).toEqual(['last words', 'stopped']);
  });
});
