import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointText, type ServiceEndpoint } from '../../source/contract/deployments.ts';
import { EngineFinder } from '../../source/host/engine/engine-finder.ts';
import type { EngineClient } from '../../source/host/engine/engine-client.ts';
import { listServices, listTasks } from '../../source/host/engine/swarm.ts';
import { StartFailure } from '../../source/host/start-failure.ts';
import { deploy, readDeployment, readLogs } from '../host/support/bodies.ts';
import { formOf, type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

/** The engines and the registry that `bed.sh up` starts. */
const net = process.env['HOSTDECK_BED_NET'] ?? '10.77.0';
const manager = `tcp://${net}.1:2375`;
const registry = `${net}.254:5000/hostdeck-test`;
const image = `${net}.254:5000/bed/node`;

const environment = { DOCKER_HOST: manager };
const found = await new EngineFinder(environment).find();
if ('failure' in found) {
  process.stderr.write('Tests of a swarm are SKIPPED: see test/cluster/bed.sh.\n');
}

/** Counts lines from its start on, answers with its version, and says goodbye in 100 lines. */
const programOf = (version: string) => `
  let line = 0;
  setInterval(() => console.log('${version} ' + (line += 1)), 20);
  process.on('SIGTERM', () => {
    for (let left = 1; left <= 100; left += 1) console.log('${version} end ' + left);
    process.exit(0);
  });
  require('node:http')
    .createServer((_, answer) => answer.end('${version}'))
    .listen(process.env.PORT);
`;

const sdl = JSON.stringify({
  version: '2.0',
  services: {
    web: {
      image,
      command: ['node'],
      args: ['server.js'],
      expose: [{ port: 8080, to: [{ global: true }] }],
    },
  },
  profiles: {
    compute: { web: { resources: { cpu: { units: 0.1 }, memory: { size: '128Mi' } } } },
    placement: { here: { pricing: { web: { denom: 'credits', amount: 0 } } } },
  },
  deployment: { web: { here: { profile: 'web', count: 2 } } },
});

test('a host refuses to start on an address without a manager, in a sentence', async () => {
  const started = temporaryHost({
    runtime: 'swarm',
    engineEnvironment: { DOCKER_HOST: 'tcp://127.0.0.1:1' },
  });
  await expect(started).rejects.toThrow(StartFailure);
  await expect(started).rejects.toThrow(
    'No cluster to run services on: no container engine answers on tcp://127.0.0.1:1. ' +
      'Name a manager of a swarm with --engine',
  );
});

describe.skipIf('failure' in found)('a deployment on a swarm', () => {
  const client = found as EngineClient;
  let service: TemporaryHost;
  beforeAll(async () => {
    service = await temporaryHost({
      runtime: 'swarm',
      engineEnvironment: environment,
      registry,
      graceMs: 5000,
    });
  });
  afterAll(async () => {
    await service.remove();
  });

  const runningTasks = async (deployment: string) => {
    const tasks = await listTasks(client, `hostdeck.deployment=${deployment}`);
    return tasks.filter(({ state, desired }) => state === 'running' && desired === 'running');
  };

  /** Resolves with the answers of all endpoints. */
  const answers = async (endpoints: readonly ServiceEndpoint[] = []) =>
    await Promise.all(
      endpoints.map(async (endpoint) => {
        const { body } = await request(`http://${endpointText(endpoint)}`);
        return await body.text();
      }),
    );

  test('runs its files on several nodes, outlives its host, and loses no line', async () => {
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, sdl);
    const serve = async (version: string) => {
      const form = formOf({ 'server.js': programOf(version) });
      await owner.call('uploadFiles', { id, name: 'web', form });
      await owner.call('restartDeployment', { id });
      await waitFor(async () => {
        const { state, services } = await readDeployment(owner, id);
        expect(state).toBe('active');
        expect(await answers(services[0]?.endpoints)).toEqual([version, version]);
        expect(await runningTasks(id)).toHaveLength(2);
      });
    };
    await serve('one');
    await serve('two');

    const before = await runningTasks(id);
    await service.again();
    await waitFor(async () => {
      expect((await readDeployment(owner, id)).state).toBe('active');
    });
    const after = await runningTasks(id);
    expect(after.map((task) => task.id)).toEqual(before.map((task) => task.id));

    await owner.call('closeDeployment', { id });
    await waitFor(async () => {
      expect(await listServices(client, `hostdeck.deployment=${id}`)).toEqual([]);
    });
    // The former version ends after the next one has started, so its lines may come between.
    const lines = (await readLogs(owner, id)).filter(({ logLine }) => logLine.startsWith('two '));
    for (const instance of [1, 2]) {
      const own = lines.filter((line) => line.instance === instance).map(({ logLine }) => logLine);
      const counted = own.filter((line) => !line.startsWith('two end ')).length;
      expect(own).toEqual([
        ...Array.from({ length: counted }, (_, index) => `two ${index + 1}`),
        ...Array.from({ length: 100 }, (_, index) => `two end ${index + 1}`),
      ]);
    }
  });
});
