import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import { feed, feeding } from '../isolation/inputs.ts';
import type { Confinement, Isolation } from '../isolation/isolation.ts';
import { endCarriers, signal } from './carriers.ts';
import { ChildRun } from './child-run.ts';
import type { ControlGroup } from './control-groups.ts';
import { runVariable } from './environments.ts';
import { launch, launched, statusDescriptor } from './launch.ts';
import { RunOutput } from './output.ts';
import type { Ports } from './ports.ts';
import { mostProcesses } from './process-count.ts';
import { ProcessLimits } from './process-limits.ts';
import { RunProcesses } from './run-processes.ts';
import {
  type InstanceRun,
  type RunFailure,
  type RunRequest,
  type Runtime,
  type ServiceRefusal,
  withoutTree,
} from './runtime.ts';
import { serviceVariables } from './service-variables.ts';
import { hasCommand, refuseImage, refuseWithoutCommand } from './service-refusals.ts';

/** Ids of runs that may have processes, kept where a killed host's successor finds them. */
export interface RunRegister {
  add(run: string): void;
  /** Never throws: an id that stays costs a look at the next start. */
  remove(run: string): void;
  all(): readonly string[];
}

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

/** For the programs that the host itself starts: a service's own variables come behind them. */
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Runs services as child processes of the host, each run in a process group of its own. */
export class ProcessRuntime implements Runtime {
  readonly #register: RunRegister;
  readonly #ports: Ports;
  readonly #isolation: Isolation;
  readonly #limits = new ProcessLimits();

  constructor(register: RunRegister, ports: Ports, isolation: Isolation) {
    this.#register = register;
    this.#ports = ports;
    this.#isolation = isolation;
  }

  refusal(service: ServiceDefinition): ServiceRefusal | undefined {
    if (service.image !== undefined) return refuseImage(service);
    return hasCommand(service) ? undefined : refuseWithoutCommand(service);
  }

  /** A process has this machine as it is. */
  ignores(part: PartName): boolean {
    return ignored.has(part);
  }

  async start(request: RunRequest): Promise<InstanceRun | RunFailure> {
    const { deployment, service, tree, resources, onEvent } = request;
    const user = this.#isolation.userOf(deployment);
    if (typeof user === 'object') return user;
    const run = randomUUID();
    const limits: string[] = [];
    const group = this.#limits.hold(run, resources, (text) => limits.push(text));
    let port: number | undefined;
    const release = async () => {
      if (port !== undefined) this.#ports.release(port);
      await group?.remove();
      // Last, so that a host that is killed before leaves it to the next one.
      this.#register.remove(run);
    };
    try {
      await this.#isolation.prepare(user);
      await this.#isolation.own(tree.folder, user);
      const exposed = service.expose[0];
      if (exposed !== undefined) port = await this.#ports.claim(exposed.as ?? exposed.port);
      this.#register.add(run);
      const bound = group?.limitsProcesses === true ? undefined : mostProcesses;
      const needs = { user, mostProcesses: bound, port };
      const confinement = this.#isolation.confine(tree.folder, needs);
      for (const text of [`isolation: ${confinement.words}`, ...limits]) onEvent(text);
      return await this.#spawn(request, { run, port, group, confinement, release });
    } catch (error) {
      await release();
      // The system says that something is not there, not what.
      if (!existsSync(tree.folder)) return withoutTree;
      return { failure: `${service.command[0]}: ${reason(error)}` };
    }
  }

  /** Processes share nothing but the machine. */
  async release(): Promise<void> {}

  async endOrphans(graceMs: number): Promise<void> {
    const runs = this.#register.all();
    await endCarriers(new Set(runs), graceMs);
    await this.#limits.killLeft(runs);
    await this.#limits.forget(runs);
    for (const run of runs) this.#register.remove(run);
  }

  /** Throws what the system says where no process can be made. */
  async #spawn(
    { service, tree, onLines, onEvent, unwanted }: RunRequest,
    parts: {
      readonly run: string;
      readonly port: number | undefined;
      readonly group: ControlGroup | undefined;
      readonly confinement: Confinement;
      readonly release: () => Promise<void>;
    },
  ): Promise<InstanceRun | RunFailure> {
    const { run, port, group, confinement, release } = parts;
    const { prefix, folder, inputs } = confinement;
    const variables = serviceVariables(service, confinement.variables, port);
    const own = launch([...service.command, ...service.args], variables, folder);
    const whole = [...prefix, ...own.command];
    const [command = '', ...args] = group?.wrap(whole) ?? whole;
    const child = spawn(command, args, {
      cwd: tree.folder,
      env: { PATH: systemPath, [runVariable]: run, ...own.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...feeding(inputs)],
    });
    // Without a listener an error of a child that runs would end the host.
    child.on('error', () => undefined);
    // A program that is not found is told by an event, all else that keeps it from starting thrown.
    await once(child, 'spawn');
    feed(child, inputs);
    const { hasSandbox: isSandboxed, isInForce: isIsolated } = this.#isolation;
    const processes = new RunProcesses({ child, run, group, isSandboxed, isIsolated });
    // Not before: without a file descriptor to spare for them there are no pipes.
    const { stdout, stderr } = child as { readonly stdout: Readable; readonly stderr: Readable };
    const output = new RunOutput({ stdout, stderr }, onLines);
    const status = await statusOf(child, unwanted);
    // Its first line comes behind the word that it was started.
    setImmediate(() => {
      output.begin();
    });
    if (status === launched) {
      return new ChildRun({ child, port, processes, group, output, onEvent, release });
    }
    processes.kill();
    await processes.end(performance.now());
    await output.finish(0);
    await release();
    return { failure: `${service.command[0]}: ${status || 'its isolation could not be made'}` };
  }
}

/**
 * Resolves to what a launch tells, empty where what stands before it failed. One that isn't wanted
 * any more is ended, and tells nothing.
 */
async function statusOf(child: ChildProcess, unwanted: AbortSignal): Promise<string> {
  const stream = child.stdio[statusDescriptor];
  if (!(stream instanceof Readable)) return '';
  const end = () => signal(-(child.pid ?? 0), 'SIGKILL');
  unwanted.addEventListener('abort', end);
  if (unwanted.aborted) end();
  try {
    return await text(stream);
  } catch {
    return '';
  } finally {
    unwanted.removeEventListener('abort', end);
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'not found';
  if (code === 'EACCES') return 'not executable';
  return typeof code === 'string' ? code : 'cannot be started';
}
