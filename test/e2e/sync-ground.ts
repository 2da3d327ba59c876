import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { type Client, createClient } from '../../source/client/client.ts';
import { deploy } from '../host/support/bodies.ts';
import { idle, sdlOf, temporaryHost } from '../host/support/temporary-host.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Home } from './harness-home.ts';
import { runLineInto } from './run-line.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** A service with the empty service `web` of the deployment `shop`, and another client of it. */
export interface SyncGround {
  readonly env: Readonly<Record<string, string>>;
  readonly id: string;
  /** Contents of the files, by their paths. */
  files(): Promise<Readonly<Record<string, string>>>;
  /** Content of a file; undefined for no file. */
  read(path: string): Promise<string | undefined>;
  put(path: string, content: string): Promise<void>;
  remove(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes the ground on our host, which lists sizes and times. */
export async function hostGround(): Promise<SyncGround> {
  const host = await temporaryHost();
  const caller = host.as('cosmos1sync');
  const { id } = await deploy(caller, sdlOf({ web: idle }, 'shop'));
  return groundOf(host.host.baseUrl, caller.token, id, () => host.remove());
}

/** Makes the ground on a service that lists bare paths. */
export async function foreignGround(): Promise<SyncGround & { readonly foreign: Foreign }> {
  const foreign = await startForeign();
  const client = createClient({ baseUrl: foreign.baseUrl, token: foreign.token });
  const sdl = JSON.stringify({ name: 'shop', services: { web: { image: 'nginx' } } });
  const created = await client.deployments.create(sdl);
  await client.close();
  if (!created.ok) throw new Error(created.error.sentence);
  const { baseUrl, token } = foreign;
  const ground = groundOf(baseUrl, token, created.value.value.id, () => foreign.close());
  return { ...ground, foreign };
}

function groundOf(
  baseUrl: string,
  token: string,
  id: string,
  end: () => Promise<void>,
): SyncGround {
  const client: Client = createClient({ baseUrl, token });
  const { files } = client;
  const done = async (answer: Promise<{ readonly ok: boolean }>): Promise<void> => {
    if (!(await answer).ok) throw new Error('the other client failed');
  };
  return {
    env: { HOSTDECK_BASE_URL: baseUrl, HOSTDECK_TOKEN: token },
    id,
    async files() {
      const listed = await files.list(id, 'web');
      if (!listed.ok) throw new Error(listed.error.sentence);
      const contents: [string, string][] = [];
      for (const { value } of listed.value) {
        const got = await files.get(id, 'web', value.path);
        if (got.ok) contents.push([value.path, Buffer.from(got.value.bytes).toString()]);
      }
      return Object.fromEntries(contents);
    },
    async read(name) {
      const got = await files.get(id, 'web', name);
      return got.ok ? Buffer.from(got.value.bytes).toString() : undefined;
    },
    put: (name, content) => done(files.update(id, 'web', name, content)),
    remove: (name) => done(files.delete(id, 'web', name)),
    async close() {
      await client.close();
      await end();
    },
  };
}

/** Writes files of these contents below a folder. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
}

/** A command that goes on until it is ended, with what it wrote so far. */
abstract class Running {
  stdout = '';
  stderr = '';

  /** Waits until stderr has a text `count` times. */
  async says(text: string, count = 1): Promise<void> {
    await waitFor(() => {
      if (this.count(text) < count) throw new Error(`${text} is missing in\n${this.stderr}`);
    });
  }

  count(text: string): number {
    return this.stderr.split(text).length - 1;
  }

  protected collect(stdout: Readable | null, stderr: Readable | null): void {
    stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
  }
}

/** A program that goes on until it gets a signal. */
export class RunningProgram extends Running implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(args: readonly string[], home: Home, env: Readonly<Record<string, string>>) {
    super();
    this.#child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env['PATH'], ...home.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#ended = once(this.#child, 'close');
    this.collect(this.#child.stdout, this.#child.stderr);
  }

  /** Sends a signal and resolves with the exit code. */
  async end(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.#child.kill(signal);
    await this.#ended;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** The same in this process, which no signal ends: what the command does, without the program around it. */
export class RunningLine extends Running {
  readonly #end = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(args: readonly string[], home: Home, env: Readonly<Record<string, string>>) {
    super();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    this.collect(stdout, stderr);
    const { signal } = this.#end;
    const open = (): undefined => undefined;
    const run = { home, env, stdout, stderr, isTerminal: false, signal, open };
    this.#ended = runLineInto(args, run);
  }

  /** Ends it as a signal does. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.#ended;
  }
}
