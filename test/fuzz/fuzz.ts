import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { wrongInTheEnd } from '../support/bounded-wait.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { deploy } from '../host/support/bodies.ts';
import { type Caller, callHost, idle, sdlOf } from '../host/support/temporary-host.ts';
import { type Attack, attackOf } from './attack.ts';
import { exchange } from './exchange.ts';
import { plant, snapshot } from './surroundings.ts';
import type { Target } from './values.ts';

/** Concurrent connections. */
const atOnce = 16;

/** Number of requests between two checks of the surroundings. */
const lookEvery = 5000;

const program = await bundledProgram('test/fuzz/host.ts');

export interface FuzzOptions {
  readonly seed: number;
  readonly first: number;
  /** Without it. */
  readonly last: number;
  /** Takes how far it is. */
  readonly onProgress?: (done: number) => void;
}

export interface FuzzReport {
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Faults, with the number of the request if there is one. */
  readonly faults: readonly string[];
  /** Peak memory of the host in MiB; undefined if the system does not report it. */
  readonly memory: number | undefined;
}

/** Starts a host, sends random requests and returns its faults. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  // Use a file system in memory if there is one, because the disk would be the bottleneck.
  const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = await mkdtemp(path.join(place, 'hostdeck-fuzz-'));
  const host = await FuzzedHost.start(path.join(folder, 'data'));
  try {
    return await run(host, folder, options);
  } finally {
    await host.end();
    await rm(folder, { recursive: true });
  }
}

async function run(host: FuzzedHost, folder: string, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, first, last, onProgress } = options;
  const caller = host.as(host.token);
  const files = { web: idle, job: idle };
  const { id } = await deploy(caller, sdlOf(files));
  const { id: spare } = await deploy(caller, sdlOf({ web: idle }));
  const { id: foreign } = await deploy(host.as(host.foreignToken), sdlOf({ web: idle }));
  const deployments = path.join(folder, 'data', 'deployments');
  await caller.call('updateFile', { id, name: 'job', path: 'a/b', json: { content: 'SECRET' } });
  const outside = await plant(folder, path.join(deployments, id, 'staged', 'web'));
  const target: Target = { token: host.token, id, spare, foreign, outside };
  const untouched = [
    path.join(folder, 'outside'),
    path.join(deployments, id, 'staged', 'job'),
    path.join(deployments, foreign),
  ];
  const before = await snapshot(untouched);

  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const numbers = Array.from({ length: last - first }, (_, index) => first + index).values();
  const worker = async () => {
    for (const index of numbers) {
      const attack = attackOf(seed, index, target);
      const { statuses: answered, fault } = await exchange(host.port, attack);
      for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (fault !== undefined) faults.push(`request ${index}: ${fault}\n  ${shown(attack)}`);
      if (faults.length >= 20 || host.isGone) return;
      const done = index - first + 1;
      if (done % lookEvery !== 0) continue;
      onProgress?.(done);
      if ((await snapshot(untouched)) !== before) faults.push(`outside changed before ${index}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));

  if (host.isGone) faults.push('the host ended');
  else {
    const { status } = await caller.call('listDeployments');
    if (status !== 200) faults.push(`afterwards the host answers ${status}`);
    faults.push(...(await host.leftovers(path.join(deployments, id, 'arriving'))));
  }
  faults.push(...host.failures.map((failure) => `the host's own failure: ${failure}`));
  const after = await snapshot(untouched);
  if (after !== before) faults.push(`outside changed:\n${before}\n-- to --\n${after}`);
  const around = await readdir(folder);
  if (around.length > 2) faults.push(`outside there are ${around.join(', ')}`);
  return { statuses, faults, memory: await host.memory() };
}

function shown({ pieces }: Attack): string {
  return JSON.stringify(Buffer.concat(pieces).toString('latin1').slice(0, 600));
}

class FuzzedHost {
  readonly failures: string[] = [];
  readonly token: string;
  readonly foreignToken: string;
  readonly port: number;
  readonly #baseUrl: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Readonly<Record<string, string>>) {
    this.#child = child;
    this.token = ready['token'] ?? '';
    this.foreignToken = ready['foreignToken'] ?? '';
    this.#baseUrl = ready['baseUrl'] ?? '';
    this.port = Number(new URL(this.#baseUrl).port);
  }

  static async start(data: string): Promise<FuzzedHost> {
    const child = spawn(process.execPath, [program, data], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout);
    const [line] = (await once(lines, 'line')) as [string];
    const host = new FuzzedHost(child, JSON.parse(line) as Readonly<Record<string, string>>);
    lines.on('line', (each) => {
      const { failure } = JSON.parse(each) as { readonly failure: string };
      if (host.failures.length < 20) host.failures.push(failure);
    });
    return host;
  }

  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  as(token: string): Caller {
    return {
      wallet: '',
      token,
      // A kept connection may be closed before the next call.
      call: (operation, options) =>
        callHost(this.#baseUrl, token, operation, { ...options, headers: { connection: 'close' } }),
    };
  }

  /** Returns the resources that the host still holds: unfinished uploads and open files. */
  async leftovers(arriving: string): Promise<readonly string[]> {
    const look = async () => {
      const uploads = await readdir(arriving).catch(() => []);
      const open = await this.#open();
      if (uploads.length + open.length === 0) return undefined;
      return `left over: ${uploads.length} uploads, open: ${open.join(', ')}`;
    };
    const wrong = await wrongInTheEnd(look, { within: 10_000, every: 10 });
    return wrong === undefined ? [] : [wrong];
  }

  /** Returns the peak memory so far in MiB. */
  async memory(): Promise<number | undefined> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'latin1').catch(() => '');
    const most = /VmHWM:\s+(\d+)/.exec(status)?.[1];
    return most === undefined ? undefined : Number(most) / 1024;
  }

  async end(): Promise<void> {
    if (this.isGone) return;
    const exited = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await exited;
  }

  /** Returns the files of services that the host holds open. */
  async #open(): Promise<readonly string[]> {
    const folder = `/proc/${this.#child.pid}/fd`;
    const names = await readdir(folder).catch(() => []);
    const targets = await Promise.all(
      names.map((name) => readlink(path.join(folder, name)).catch(() => '')),
    );
    return targets.filter((target) => /\/(?:staged|arriving)(?:\/|$)/.test(target));
  }
}
