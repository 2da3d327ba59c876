import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect } from 'vitest';
import type { HostCommand } from '../../../source/host/command.ts';
import { ControlClient } from '../../../source/host/control/control-client.ts';
import { controlSocketPath } from '../../../source/host/control/control-path.ts';
import { type Host, type HostOptions, startHost } from '../../../source/host/server/serve.ts';
import { readLines } from './bodies.ts';
import { bundledProgram } from '../../support/bundled-program.ts';
import { fastFolder } from '../../support/fast-folder.ts';
import {
  type Caller,
  type CallOptions,
  callHost,
  nodeService,
  withoutIsolation,
} from './temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';

const program = await bundledProgram('test/host/support/host-process.ts');

/**
 * Command of a host in a separate process, on a free port. Isolation is off, since sandboxes would
 * change the process ids that tests search for.
 */
export const serving = {
  kind: 'host',
  port: 0,
  sample: false,
  trustWallets: true,
  version: '1.2.3',
  ...withoutIsolation,
} as const;

/**
 * A service that prints its process id and then counts, up to what several runs of it can print within the
 * longest page of a log: on a slow machine, a test takes its time.
 */
export const counting = nodeService(
  `console.log('pid', process.pid); let n = 0;
    setInterval(() => { if (n < 1000) console.log('n', n++); }, 10)`,
);

export type WithoutFolder<Command> = Command extends HostCommand ? Omit<Command, 'data'> : never;

/** A data folder on which tests start and stop hosts, in this process and in others. */
export class HostFolder {
  readonly #hosts: Host[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #below: readonly string[];
  #temporary = '';

  private constructor(below: readonly string[]) {
    this.#below = below;
  }

  static async make(...below: readonly string[]): Promise<HostFolder> {
    const folder = new HostFolder(below);
    await folder.#make();
    return folder;
  }

  /** Returns a folder that is created anew for each test of the file or `describe`. */
  static ofEachTest(...below: readonly string[]): HostFolder {
    const folder = new HostFolder(below);
    beforeEach(() => folder.#make());
    afterEach(() => folder.remove());
    return folder;
  }

  get dataDir(): string {
    return path.join(this.#temporary, ...this.#below);
  }

  async #make(): Promise<void> {
    this.#temporary = await mkdtemp(path.join(fastFolder, 'hostdeck-folder-'));
  }

  /** Stops all hosts on the folder. */
  async remove(): Promise<void> {
    for (const host of this.#hosts.splice(0)) await host.close();
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(this.#temporary, { recursive: true, force: true });
  }

  /** Starts a host in this process, without sandboxes. */
  async start(options: Partial<HostOptions> = {}): Promise<Host> {
    const { dataDir } = this;
    const host = await startHost({
      dataDir,
      graceMs: 3000,
      ...serving,
      ...options,
      limits: { minAmount: 0n, ...options.limits },
    });
    this.#hosts.push(host);
    return host;
  }

  /** Runs a host command in a separate process, optionally through another program or in an environment. */
  run(
    command: WithoutFolder<HostCommand>,
    {
      through = [],
      env,
    }: { readonly through?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
  ): ChildProcess {
    const whole = JSON.stringify({ ...command, data: this.dataDir });
    const [first, ...rest] = [...through, process.execPath, program, whole];
    const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'], env });
    this.#children.push(child);
    return child;
  }

  /** Waits for a host on the folder. Returns its answer to `hello`. */
  async hello() {
    return await waitFor(async () => {
      const client = await ControlClient.connect(controlSocketPath(this.dataDir));
      const hello = await client?.hello();
      client?.close();
      if (hello === undefined) throw new Error('no host yet');
      return hello;
    });
  }

  /** Waits for a host on the folder. Returns a caller with its local wallet. */
  async caller(): Promise<Caller> {
    const { baseUrl, token, wallet } = await this.hello();
    const call = (operation: Parameters<Caller['call']>[0], options?: CallOptions) =>
      callHost(baseUrl, token, operation, options);
    return { wallet, token, call };
  }
}

/** Waits for a process. Returns its exit code and output. */
export async function outcome(child: ChildProcess) {
  const [out, notes] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
  ]);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, out, notes };
}

/** Waits for `count` process ids that services of a deployment print. */
export async function pidsIn(
  caller: Caller,
  id: string,
  count: number,
): Promise<readonly number[]> {
  return await waitFor(async () => {
    const found = await readLines(caller, id, { search: 'pid' });
    const lines = found.filter((line) => line.startsWith('pid'));
    expect(lines.length).toBeGreaterThanOrEqual(count);
    return lines.map((line) => Number(line.slice(4)));
  });
}

/** Returns a free port outside the range from which the kernel gives ports to listeners of other tests. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const listener = createServer().listen(port, '127.0.0.1');
    const isFree = await once(listener, 'listening').then(
      () => true,
      () => false,
    );
    listener.close();
    if (isFree) return port;
  }
}

/** Calls `work` with a port that is in use. */
export async function withTakenPort<T>(work: (port: number) => Promise<T>): Promise<T> {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  try {
    return await work(typeof address === 'object' ? (address?.port ?? 0) : 0);
  } finally {
    blocker.close();
  }
}
