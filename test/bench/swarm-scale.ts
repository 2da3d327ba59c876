/**
 * By hand: 200 deployments of three services on a pretended swarm, each of whose instances has as many ended
 * tasks as an engine remembers, and the same deployments as processes of this machine. Prints what the
 * engine is asked, what that costs the host, and on either the time of a list of all and that of keys in a
 * console.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callHost } from '../host/support/temporary-host.ts';
import { percentile } from './key-latency.ts';
import { type ConsoleFigures, describeConsole, measureConsole } from './scale-console.ts';
import type { HostFigures, HostMessage } from './scale-host.ts';

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
  },
});
const deployments = Number(values.deployments);
const seconds = Number(values.seconds);
const services = ['web', 'api', 'db'];

/** Time between two lists, which is no part of that between two snapshots of the swarm. */
const pauseMs = 230;

/** Time after which a host has done what a creation or a start leaves to do. */
const settleMs = 10_000;

const mapOf = (value: unknown) => Object.fromEntries(services.map((name) => [name, value]));

function sdlOf(name: string, program: object): string {
  return JSON.stringify({
    version: '2.0',
    name,
    services: mapOf({
      ...program,
      env: ['A=1', 'B=2'],
      expose: [{ port: 8080, to: [{ global: true }] }],
    }),
    profiles: {
      compute: mapOf({ resources: { cpu: { units: 0.1 }, memory: { size: '64Mi' } } }),
      placement: { here: { pricing: mapOf({ denom: 'credits', amount: 0 }) } },
    },
    deployment: Object.fromEntries(
      services.map((profile) => [profile, { here: { profile, count: 1 } }]),
    ),
  });
}

/** Runs a program that takes messages, and resolves with it once it has sent one. */
async function start(program: string, argument: string) {
  const child = fork(path.resolve(import.meta.dirname, program), [argument]);
  return { child, first: await nextMessage(child) };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [unknown];
  return message;
}

async function ask(child: ChildProcess, message: string): Promise<unknown> {
  const answer = nextMessage(child);
  child.send(message);
  return await answer;
}

/** A host in a process of its own, with all deployments. */
class ManyDeployments {
  readonly #child: ChildProcess;
  #at: HostFigures;

  private constructor(child: ChildProcess, at: HostFigures) {
    this.#child = child;
    this.#at = at;
  }

  static async create(options: object, program: object): Promise<ManyDeployments> {
    const limits = { deploymentsPerWallet: deployments };
    const started = await start('scale-host.ts', JSON.stringify({ ...options, limits }));
    const many = new ManyDeployments(started.child, started.first as HostFigures);
    for (let index = 0; index < deployments; index += 1) {
      const json = { sdl: sdlOf(`shop-${index}`, program) };
      const { baseUrl, token } = many.#at;
      const { status, body } = await callHost(baseUrl, token, 'createDeployment', { json });
      if (status >= 300) throw new Error(`a deployment was refused: ${JSON.stringify(body)}`);
    }
    await many.untilActive();
    await setTimeout(settleMs);
    return many;
  }

  async send(message: HostMessage): Promise<HostFigures> {
    return (this.#at = (await ask(this.#child, message)) as HostFigures);
  }

  async list(): Promise<readonly { readonly state: string }[]> {
    const { body } = await callHost(this.#at.baseUrl, this.#at.token, 'listDeployments');
    return (body as { readonly deployments: readonly { readonly state: string }[] }).deployments;
  }

  async untilActive(): Promise<void> {
    const active = async () => (await this.list()).filter(({ state }) => state === 'active');
    while ((await active()).length < deployments) await setTimeout(200);
  }

  /** Lists all again and again, and returns the times in ms. */
  async listTimes(): Promise<readonly number[]> {
    const times: number[] = [];
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const sent = performance.now();
      await this.list();
      times.push(performance.now() - sent);
      await setTimeout(pauseMs);
    }
    return times;
  }

  /** Measures the lists. Returns the times in ms at which half and 95 % of them were there. */
  async measure(): Promise<{ readonly half: number; readonly most: number }> {
    await this.send('measure');
    const times = await this.listTimes();
    const { longest, p99, cpu } = await this.send('measure');
    const [half, most] = [percentile(times, 0.5), percentile(times, 0.95)];
    const size = JSON.stringify(await this.list()).length;
    print(
      `  list of all, ${(size / 1000).toFixed(0)} kB, ${times.length} times: median ${half.toFixed(1)} ms, p95 ${most.toFixed(1)} ms; the host takes ` +
        `${(cpu * 100).toFixed(1)} % of a processor, longest stall ${longest.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    );
    return { half, most };
  }

  /** Measures a console on the host. */
  async measureConsole(): Promise<ConsoleFigures> {
    const figures = await measureConsole(this.#at, { deployments, seconds });
    print(`  console: ${describeConsole(figures)}`);
    return figures;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function ratio(part: number, whole: number): string {
  return (part / whole).toFixed(2);
}

print(`${deployments} deployments of ${services.length} services as processes of this machine`);
const local = await ManyDeployments.create({ sandbox: 'off' }, { command: ['sleep', '86400'] });
const alone = await local.measure();
const consoleAlone = await local.measureConsole();
await local.send('remove');

print('the same on a pretended swarm');
const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-swarm-scale-'));
const socketPath = path.join(folder, 'engine.sock');
const { child: engine } = await start('swarm-engine-process.ts', socketPath);
const requests = async (message: 'age' | 'count') => (await ask(engine, message)) as number;
const swarm = await ManyDeployments.create(
  { runtime: 'swarm', engineEnvironment: { DOCKER_HOST: `unix://${socketPath}` } },
  { image: 'nginx' },
);
await requests('age');
const before = await requests('count');
await swarm.send('measure');
const begun = performance.now();
await swarm.send('again');
const listening = performance.now() - begun;
await swarm.untilActive();
// Until all follows are open, one each 50 ms.
await setTimeout(deployments * services.length * 50 + settleMs);
const { longest } = await swarm.send('measure');
print(
  `  another host listens after ${listening.toFixed(0)} ms, and adopts with ${(await requests('count')) - before} ` +
    `requests; longest stall ${longest.toFixed(0)} ms`,
);
const asked = await requests('count');
const together = await swarm.measure();
print(`  ${(((await requests('count')) - asked) / seconds).toFixed(2)} requests/s`);
const consoleTogether = await swarm.measureConsole();
print('swarm to one machine');
print(
  `  list of all: median ${ratio(together.half, alone.half)}, p95 ${ratio(together.most, alone.most)}`,
);
const key = (share: number) =>
  ratio(percentile(consoleTogether.latencies, share), percentile(consoleAlone.latencies, share));
print(
  `  console: listed ${ratio(consoleTogether.listed, consoleAlone.listed)}, keys: median ${key(0.5)}, p99 ${key(0.99)}`,
);
await swarm.send('remove');
engine.kill();
await rm(folder, { recursive: true });
