import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import { endCarriers, findCarriers, signal } from './carriers.ts';
import type { ControlGroup } from './control-groups.ts';
import { runVariable } from './environments.ts';
import { Output } from './output.ts';
import type { Ports } from './ports.ts';
import { groupEnds } from './process-group.ts';
import { ProcessLimits } from './process-limits.ts';
import {
  type Run,
  type RunEnd,
  type RunFailure,
  type RunRequest,
  type Runtime,
  withoutTree,
} from './runtime.ts';

/** Ids of runs that may have processes, kept where a killed host's successor finds them. */
export interface RunRegister {
  add(run: string): void;
  /** Never throws: an id that stays costs a look at the next start. */
  remove(run: string): void;
  all(): readonly string[];
}

/** Keeps what a service may see and change to what is its own. */
export interface Sandbox {
  /** Of a service that does not say. */
  readonly home: string;
  /** The command line that runs this one in the sandbox, in this folder. */
  wrap(command: readonly string[], folder: string): readonly string[];
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** What services inherit of the host's environment; secrets among the rest are not theirs. */
const inherited = new Set(['HOME', 'LANG', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'USER']);

const ignored: ReadonlySet<PartName> = new Set([
  'credentials',
  'gpu',
  'include',
  'ip',
  'params.permissions',
  'params.storage',
  'params.tee',
  'reclamation',
]);

/** How long output may still arrive after the last process of a run is gone. */
const drainMs = 1000;

/** Runs services as child processes of the host, each in a process group of its own. */
export class ProcessRuntime implements Runtime {
  readonly #register: RunRegister;
  readonly #ports: Ports;
  readonly #sandbox: Sandbox | undefined;
  readonly #limits = new ProcessLimits();

  /** @param sandbox what keeps services from the rest of the machine; left out, nothing does. */
  constructor(register: RunRegister, ports: Ports, sandbox?: Sandbox) {
    this.#register = register;
    this.#ports = ports;
    this.#sandbox = sandbox;
  }

  refusal(service: ServiceDefinition): string | undefined {
    if ((service.command[0] ?? '') !== '') return undefined;
    return 'a command: this host runs commands as processes, not images';
  }

  /** A process has this machine as it is. */
  ignores(part: PartName): boolean {
    return ignored.has(part);
  }

  async start(request: RunRequest): Promise<Run | RunFailure> {
    const { service, tree, onLines } = request;
    const own = [...service.command, ...service.args];
    const isConfined = this.#sandbox !== undefined;
    const confined = this.#sandbox?.wrap(own, tree.folder) ?? own;
    const run = randomUUID();
    const group = this.#limits.hold(run, request.resources, request.onEvent);
    const [command = '', ...args] = group?.wrap(confined) ?? confined;
    let port: number | undefined;
    const release = async () => {
      if (port !== undefined) this.#ports.release(port);
      await group?.remove();
      // Last, so that a host that is killed before leaves it to the next one.
      this.#register.remove(run);
    };
    try {
      const exposed = service.expose[0];
      if (exposed !== undefined) port = await this.#ports.claim(exposed.as ?? exposed.port);
      this.#register.add(run);
      const child = spawn(command, args, {
        cwd: tree.folder,
        env: environment(service, run, port, this.#sandbox?.home),
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      // Without a listener an error of a child that runs would end the host.
      child.on('error', () => undefined);
      // A command that is not found is told by an event, all else that keeps it from starting thrown.
      await once(child, 'spawn');
      // Not before: without a file descriptor to spare for them there are no pipes.
      const output = new Output(child, onLines);
      return new ChildRun(child, { run, port, isConfined, group, output, release });
    } catch (error) {
      await release();
      // The system says that something is not there, not what.
      if (!existsSync(tree.folder)) return withoutTree;
      return { failure: `${command}: ${reason(error)}` };
    }
  }

  /** Processes share nothing but the machine. */
  async release(): Promise<void> {}

  async endOrphans(graceMs: number): Promise<void> {
    const runs = this.#register.all();
    await endCarriers(new Set(runs), graceMs);
    await this.#limits.forget(runs);
    for (const run of runs) this.#register.remove(run);
  }
}

class ChildRun implements Run {
  readonly port: number | undefined;
  readonly ended: Promise<RunEnd>;
  readonly #child: Child;
  readonly #run: string;
  readonly #isConfined: boolean;
  readonly #group: ControlGroup | undefined;
  /** When the grace of a stop is over; none is given to what outlives its leader. */
  #killAt = 0;

  constructor(
    child: Child,
    parts: {
      readonly run: string;
      readonly port: number | undefined;
      /** Whether the child is what makes the sandbox, and the service below it. */
      readonly isConfined: boolean;
      readonly group: ControlGroup | undefined;
      readonly output: Output;
      readonly release: () => Promise<void>;
    },
  ) {
    this.#child = child;
    this.#run = parts.run;
    this.#isConfined = parts.isConfined;
    this.#group = parts.group;
    this.port = parts.port;
    this.ended = this.#end(parts.output, parts.release);
  }

  async stop(graceMs: number): Promise<void> {
    this.#killAt = performance.now() + graceMs;
    await this.#ask();
    const over = new AbortController();
    const { signal: cancelled } = over;
    const patience = setTimeout(graceMs, undefined, { signal: cancelled }).catch(() => undefined);
    await Promise.race([this.ended, patience]);
    over.abort();
    if (this.#isAlive()) this.#signalGroup('SIGKILL');
    await this.ended;
  }

  async #end(output: Output, release: () => Promise<void>): Promise<RunEnd> {
    try {
      return await this.#watch(output);
    } finally {
      await release();
    }
  }

  /** Follows the leader to its end, then ends what it left behind. */
  async #watch(output: Output): Promise<RunEnd> {
    const child = this.#child;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await this.#endRest();
    // Nothing of the run is left to write, unless it hid from us; then its pipes are given up.
    await output.finish(drainMs);
    const cause = this.#group?.ranOutOfMemory() === true ? 'out of memory' : undefined;
    return { code: child.exitCode ?? undefined, signal: child.signalCode ?? undefined, cause };
  }

  async #endRest() {
    if (this.#killAt === 0) this.#signalGroup('SIGTERM');
    const graceMs = Math.max(0, this.#killAt - performance.now());
    await endCarriers(new Set([this.#run]), graceMs);
    // Some of the group may hide what they carry.
    const { pid } = this.#child;
    if (pid !== undefined) await groupEnds(pid, this.#killAt);
    this.#signalGroup('SIGKILL');
  }

  async #ask() {
    if (!this.#isConfined) {
      this.#signalGroup('SIGTERM');
      return;
    }
    // What makes the sandbox would end at this, and take all that is in it without grace.
    await findCarriers(new Set([this.#run]), (pid) => {
      if (pid !== this.#child.pid) signal(pid, 'SIGTERM');
    });
  }

  #isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #signalGroup(name: NodeJS.Signals) {
    const { pid } = this.#child;
    if (pid !== undefined) signal(-pid, name);
  }
}

function environment(
  service: ServiceDefinition,
  run: string,
  port: number | undefined,
  home: string | undefined,
): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => inherited.has(name) || name.startsWith('LC_'),
  );
  // The Node that runs the host comes first, so that `node` is there on a machine without one.
  const paths = [path.dirname(process.execPath), process.env['PATH'] ?? '/usr/bin:/bin'];
  return {
    ...Object.fromEntries(own),
    ...(home === undefined ? {} : { HOME: home }),
    PATH: paths.join(path.delimiter),
    ...service.env,
    ...(port === undefined ? {} : { PORT: String(port) }),
    [runVariable]: run,
  };
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'not found';
  if (code === 'EACCES') return 'not executable';
  return typeof code === 'string' ? code : 'cannot be started';
}
