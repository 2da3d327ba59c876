import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect } from 'vitest';
import type { HostCommand } from '../../../source/host/command.ts';
import { ControlClient } from '../../../source/host/control/control-client.ts';
import { controlPath } from '../../../source/host/control/control-path.ts';
import { type Host, type HostOptions, startHost } from '../../../source/host/server/serve.ts';
import { readLines } from './bodies.ts';
import { type Caller, type CallOptions, callHost, nodeService } from './temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';

const program = fileURLToPath(new URL('host-process.ts', import.meta.url));

/**
 * A host in a process of its own, on a free port. Without sandboxes, in which processes have other
 * ids than those that a test could look for.
 */
export const serving = {
  action: 'serve',
  port: 0,
  sandbox: 'off',
  trustWallets: true,
  version: '1.2.3',
} as const;

/** A service that says its process id and then counts. */
export const counting = nodeService(
  `console.log('pid', process.pid); let n = 0; setInterval(() => console.log('n', n++), 10)`,
);

export type WithoutFolder<Command> = Command extends HostCommand ? Omit<Command, 'data'> : never;

/** A data folder on which hosts come and go, in this process and in others. */
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

  /** Another one for each test of the file or of the `describe`, removed after it. */
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
    this.#temporary = await mkdtemp(path.join(tmpdir(), 'hostdeck-folder-'));
  }

  /** Ends everything on it. */
  async remove(): Promise<void> {
    for (const host of this.#hosts.splice(0)) await host.close();
    for (const child of this.#children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(this.#temporary, { recursive: true, force: true });
  }

  /** A host in this process, without sandboxes. */
  async start(options: Partial<HostOptions> = {}): Promise<Host> {
    const { dataDir } = this;
    const host = await startHost({ dataDir, sample: false, graceMs: 3000, ...serving, ...options });
    this.#hosts.push(host);
    return host;
  }

  /** A host command in a process of its own, run by way of another program where one is named. */
  run(command: WithoutFolder<HostCommand>, through: readonly string[] = []): ChildProcess {
    const whole = JSON.stringify({ ...command, data: this.dataDir });
    const [first, ...rest] = [...through, process.execPath, program, whole];
    const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.push(child);
    return child;
  }

  /** What whichever host runs on the folder says of itself; waits for one. */
  async hello() {
    return await waitFor(async () => {
      const client = await ControlClient.connect(controlPath(this.dataDir));
      const hello = await client?.hello();
      client?.close();
      if (hello === undefined) throw new Error('no host yet');
      return hello;
    });
  }

  /** The local user, calling whichever host runs on the folder; waits for one. */
  async caller(): Promise<Caller> {
    const { baseUrl, token, wallet } = await this.hello();
    const call = (operation: Parameters<Caller['call']>[0], options?: CallOptions) =>
      callHost(baseUrl, token, operation, options);
    return { wallet, token, call };
  }
}

/** How a process ended and what it wrote. */
export async function outcome(child: ChildProcess) {
  const [out, notes] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
  ]);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, out, notes };
}

/** The process ids that services of a deployment have said; waits for so many of them. */
export async function pidsIn(
  caller: Caller,
  id: string,
  count: number,
): Promise<readonly number[]> {
  return await waitFor(async () => {
    const lines = (await readLines(caller, id)).filter((line) => line.startsWith('pid'));
    expect(lines.length).toBeGreaterThanOrEqual(count);
    return lines.map((line) => Number(line.slice(4)));
  });
}

/** A port that someone else listens on while `work` goes on. */
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
