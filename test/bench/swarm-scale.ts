/**
 * By hand: a host with 200 deployments of three services on a pretended swarm, each of whose instances has
 * as many ended tasks as an engine remembers. Prints what the engine is asked, and what that costs the host.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { temporaryHost } from '../host/support/temporary-host.ts';

const deployments = Number(process.argv[2] ?? 200);
const services = ['web', 'api', 'db'];
const seconds = 60;

const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-swarm-scale-'));
const socketPath = path.join(folder, 'engine.sock');
const engine = fork(path.resolve(import.meta.dirname, 'swarm-engine-process.ts'), [socketPath]);
await once(engine, 'message');

/** Sends a message, and resolves with the number of requests so far. */
async function tell(message: 'age' | 'count'): Promise<number> {
  engine.send(message);
  const [requests] = (await once(engine, 'message')) as [number];
  return requests;
}

const mapOf = (value: unknown) => Object.fromEntries(services.map((name) => [name, value]));
const sdlOf = (name: string) =>
  JSON.stringify({
    version: '2.0',
    name,
    services: mapOf({
      image: 'nginx',
      env: ['A=1', 'B=2'],
      expose: [{ port: 80, to: [{ global: true }] }],
    }),
    profiles: {
      compute: mapOf({ resources: { cpu: { units: 0.1 }, memory: { size: '64Mi' } } }),
      placement: { here: { pricing: mapOf({ denom: 'credits', amount: 0 }) } },
    },
    deployment: Object.fromEntries(
      services.map((profile) => [profile, { here: { profile, count: 1 } }]),
    ),
  });

const host = await temporaryHost({
  runtime: 'swarm',
  limits: { deploymentsPerWallet: deployments },
  engineEnvironment: { DOCKER_HOST: `unix://${socketPath}` },
  onFailure: (error) => process.stderr.write(`${String(error)}\n`),
});
const owner = host.as('0xowner');
const list = async (): Promise<readonly { readonly state: string }[]> => {
  const { body } = await owner.call('listDeployments');
  return (body as { readonly deployments: readonly { readonly state: string }[] }).deployments;
};
async function untilActive(): Promise<number> {
  const begun = performance.now();
  while ((await list()).filter(({ state }) => state === 'active').length < deployments) {
    await setTimeout(200);
  }
  return Math.round((performance.now() - begun) / 1000);
}

for (let index = 0; index < deployments; index += 1) {
  await owner.call('createDeployment', { json: { sdl: sdlOf(`shop-${index}`) } });
}
process.stdout.write(`created; all active after ${await untilActive()} s more\n`);
await tell('age');
const before = await tell('count');
const restarted = performance.now();
await host.again();
process.stdout.write(
  `another host listens after ${Math.round(performance.now() - restarted)} ms, all active after ` +
    `${await untilActive()} s, ${(await tell('count')) - before} requests\n`,
);
// Until all follows are open.
await setTimeout(60_000);

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const requests = await tell('count');
const cpu = process.cpuUsage();
const times: number[] = [];
const begin = performance.now();
while (performance.now() - begin < seconds * 1000) {
  const sent = performance.now();
  await list();
  times.push(performance.now() - sent);
  await setTimeout(500);
}
const spent = process.cpuUsage(cpu);
const passed = (performance.now() - begin) / 1000;
times.sort((a, b) => a - b);
const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
process.stdout.write(
  `${(((await tell('count')) - requests) / passed).toFixed(2)} requests/s, ` +
    `${(((spent.user + spent.system) / 1e6 / passed) * 100).toFixed(1)} % of a processor, ` +
    `longest stall ${(delay.max / 1e6).toFixed(0)} ms (p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms), ` +
    `list of all: median ${at(0.5)} ms, p95 ${at(0.95)} ms\n`,
);
await host.remove();
engine.kill();
await rm(folder, { recursive: true });
process.exit();
