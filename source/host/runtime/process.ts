import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SdlPartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import { writeInputs, inputPipes } from '../isolation/inputs.ts';
import type { Confinement, Isolation } from '../isolation/isolation.ts';
import { endRunProcesses, sendSignal } from './carriers.ts';
import type { ControlGroup } from './control-groups.ts';
import { runVariable } from './environments.ts';
import { RunOutput } from './output.ts';
import type { Ports } from './ports.ts';
import { ProcessLimits } from './process-limits.ts';
import { RunProcesses } from './run-processes.ts';
import {
  type InstanceRun,
  type LeftRun,
  maxProcesses,
  type RunFailure,
  type RunRequest,
  type Runtime,
  type ServiceRules,
  type ServiceRefusal,
  missingTree,
  type RunEnd,
  type RunVolume,
} from './runtime.ts';
import { hasCommand, refuseImage, refuseWithoutCommand } from './service-refusals.ts';
import { volumeVariable } from '../../contract/sdl/volumes.ts';
import { allowReading } from '../isolation/folder-access.ts';
import { refuseVolumes, type SandboxVolume } from '../isolation/sandbox-volumes.ts';
import { createVolume, placePath } from '../volumes/volume-place.ts';

/** Stores the ids of runs that may have processes, for the successor of a killed host. */
export interface RunRegister {
  add(run: string): void;
  /** Never throws: an id that remains costs one more search at the next start. */
  remove(run: string): void;
  list(): readonly string[];
}

const ignored: ReadonlySet<SdlPartName> = new Set([
  'credentials',
  'gpu',
  'include',
  'ip',
  'params.permissions',
  'params.storage.volume',
  'params.tee',
  'reclamation',
]);

/** PATH of the programs that the host itself starts; a service's variables are set after them. */
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Runs services as child processes of the host, each run in a process group of its own. */
export class ProcessRuntime implements Runtime, Pick<ServiceRules, 'checkService' | 'ignores'> {
  readonly #register: RunRegister;
  readonly #ports: Ports;
  readonly #isolation: Isolation;
  readonly #limits = new ProcessLimits();

  constructor(register: RunRegister, ports: Ports, isolation: Isolation) {
    this.#register = register;
    this.#ports = ports;
    this.#isolation = isolation;
  }

  checkService(service: ServiceDefinition): ServiceRefusal | undefined {
    if (service.image !== undefined) return refuseImage(service);
    return hasCommand(service) ? undefined : refuseWithoutCommand(service);
  }

  /** A process runs on this machine as it is, without these parts. */
  ignores(part: SdlPartName): boolean {
    return ignored.has(part);
  }

  async start(request: RunRequest): Promise<InstanceRun | RunFailure> {
    const { deployment, service, tree, resources, onEvent } = request;
    const user = this.#isolation.userOf(deployment);
    if (typeof user === 'object') return user;
    const run = randomUUID();
    const limits: string[] = [];
    const group = this.#limits.apply(run, resources, (text) => limits.push(text));
    let port: number | undefined;
    const release = async () => {
      if (port !== undefined) this.#ports.release(port);
      await group?.remove();
      // Last, so that the next host cleans up when this one is killed before.
      this.#register.remove(run);
    };
    try {
      await this.#isolation.prepare(user);
      await this.#isolation.changeOwner(tree.folder, user);
      const prepared = await prepareVolumes(request, this.#isolation, user);
      if ('failure' in prepared) {
        await release();
        return prepared;
      }
      const exposed = service.expose[0];
      if (exposed !== undefined) port = await this.#ports.claim(exposed.as ?? exposed.port);
      this.#register.add(run);
      const bound = group?.limitsProcesses === true ? undefined : maxProcesses;
      const needs = { user, maxProcesses: bound, port, volumes: prepared.volumes };
      const confinement = this.#isolation.confine(tree.folder, needs);
      const events = [`isolation: ${confinement.description}`, ...limits, ...prepared.notes];
      for (const event of events) onEvent(event);
      const { variables } = prepared;
      return await this.#spawn(request, { run, port, group, confinement, variables, release });
    } catch (error) {
      await release();
      // ENOENT doesn't say which file is missing: the tree or the program.
      if (!existsSync(tree.folder)) return missingTree;
      return { failure: `${service.command[0]}: ${reason(error)}` };
    }
  }

  /** Does nothing: processes share nothing but the machine. */
  async release(): Promise<void> {}

  async endOrphans(graceMs: number): Promise<readonly LeftRun[]> {
    const runs = this.#register.list();
    const found = await endRunProcesses(new Set(runs), graceMs);
    // Processes that hide their environment are found by their group only.
    const hidden = await this.#limits.killRuns(runs);
    await this.#limits.removeGroups(runs);
    for (const run of runs) this.#register.remove(run);
    return [...found.union(new Set(hidden))].map((id) => ({ id }));
  }

  /** Throws the system's error when it can't create a process. */
  async #spawn(
    { service, tree, onLines, onEvent, cancelSignal }: RunRequest,
    parts: {
      readonly run: string;
      readonly port: number | undefined;
      readonly group: ControlGroup | undefined;
      readonly confinement: Confinement;
      /** Variables with the paths of the volumes. */
      readonly variables: Readonly<Record<string, string>>;
      readonly release: () => Promise<void>;
    },
  ): Promise<InstanceRun | RunFailure> {
    const { run, port, group, confinement, release } = parts;
    const { prefix, folder, inputs } = confinement;
    const all = serviceVariables(service, confinement.variables, {
      port,
      volumes: parts.variables,
    });
    const serviceLaunch = createLaunch([...service.command, ...service.args], all, folder);
    const confined = [...prefix, ...serviceLaunch.command];
    const [command = '', ...args] = group?.wrap(confined) ?? confined;
    const child = spawn(command, args, {
      cwd: tree.folder,
      env: { PATH: systemPath, [runVariable]: run, ...serviceLaunch.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...inputPipes(inputs)],
    });
    // Without a listener, an error of a running child would end the host.
    child.on('error', () => undefined);
    // `once` rejects when the program is missing; other failures were thrown by `spawn`.
    await once(child, 'spawn');
    writeInputs(child, inputs);
    const { hasSandbox: isSandboxed, isInForce: isIsolated } = this.#isolation;
    const processes = new RunProcesses({ child, run, group, isSandboxed, isIsolated });
    // Only after the event: without a free file descriptor there are no pipes.
    const { stdout, stderr } = child as { readonly stdout: Readable; readonly stderr: Readable };
    const output = new RunOutput({ stdout, stderr }, onLines);
    const status = await readStatus(child, cancelSignal);
    // The first line must follow the event of the start.
    setImmediate(() => {
      output.begin();
    });
    if (status === launchedStatus) {
      return new ChildRun({ id: run, child, port, processes, group, output, onEvent, release });
    }
    processes.kill();
    await processes.end(performance.now());
    await output.finish(0);
    await release();
    return { failure: `${service.command[0]}: ${status || "can't set up its isolation"}` };
  }
}

/**
 * Resolves with the status that a launch reports; empty when a program before it failed or when the
 * start is cancelled, which kills the process group.
 */
async function readStatus(child: ChildProcess, unwanted: AbortSignal): Promise<string> {
  const stream = child.stdio[statusDescriptor];
  if (!(stream instanceof Readable)) return '';
  const end = () => sendSignal(-(child.pid ?? 0), 'SIGKILL');
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
  return typeof code === 'string' ? code : "can't be started";
}

/** A command line and its environment. */
interface Launch {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Matches the variable names that a shell can set, apart from {@link shellVariables}. */
const settableName = /^[A-Za-z_]\w*$/;

/** Variables that shells refuse or alter. */
const shellVariables = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'PPID', 'SHELLOPTS', 'UID']);

/**
 * Descriptor on which a launch reports its result; it is closed right before the command starts.
 */
const statusDescriptor = 3;

/** Written to the status descriptor when the command exists and is about to start. */
export const launchedStatus = 'ok';

/**
 * Returns a command line that sets these variables right before the command itself. The programs
 * before it (control groups, bubblewrap, the change of user) run with the host's rights or outside
 * of the sandbox, so a service's LD_PRELOAD or PATH must not reach them. The values are passed in
 * the environment under other names, as other users can read a command line.
 *
 * @param folder working directory of the command; the current one by default.
 */
export function createLaunch(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  folder?: string,
): Launch {
  const env: Record<string, string> = {};
  const set: string[] = [];
  const others: string[] = [];
  for (const [index, [name, value]] of Object.entries(variables).entries()) {
    const carrier = `HOSTDECK_V${index}`;
    env[carrier] = `${name}=${value}`;
    (settableName.test(name) && !shellVariables.has(name) ? set : others).push(carrier);
  }
  const quoted = (carriers: readonly string[]) => carriers.map((each) => `"$${each}"`).join(' ');
  const script = [
    ...(folder === undefined ? [] : ['cd -- "$1" || exit 126', 'shift']),
    ...(set.length === 0 ? [] : [`export ${quoted(set)}`, `unset ${set.join(' ')}`]),
    'case $1 in',
    '  */*) [ -f "$1" ] && [ -x "$1" ] ;;',
    '  *) command -v -- "$1" >/dev/null 2>&1 ;;',
    'esac || {',
    `  [ ! -e "$1" ] || { printf 'not executable' >&${statusDescriptor}; exit 126; }`,
    `  printf 'not found' >&${statusDescriptor}; exit 127`,
    '}',
    `printf ${launchedStatus} >&${statusDescriptor}; exec ${statusDescriptor}>&-`,
    others.length === 0
      ? 'exec "$@"'
      : `exec /usr/bin/env ${others.map((each) => `-u ${each}`).join(' ')} -- ${quoted(others)} "$@"`,
  ].join('\n');
  const wrapped = [...(folder === undefined ? [] : [folder]), ...command];
  return { command: ['/bin/sh', '-c', script, 'hostdeck', ...wrapped], env };
}

/** Variables that services inherit from the host; the others may hold secrets. */
const inherited = [
  'HOME',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_MONETARY',
  'LC_NUMERIC',
  'LC_TIME',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TZ',
  'USER',
];

/**
 * Returns the environment of a process: inherited variables of the host, replaced by those of the
 * isolation, replaced by those of the definition, replaced by those of the run: PORT, on which the
 * service listens, and the paths of its volumes.
 */
function serviceVariables(
  service: ServiceDefinition,
  isolated: Readonly<Record<string, string>>,
  run: {
    readonly port: number | undefined;
    readonly volumes: Readonly<Record<string, string>>;
  },
): Readonly<Record<string, string>> {
  // The folder of the host's own Node comes first, so that `node` is found on any machine.
  const paths = [path.dirname(process.execPath), process.env['PATH'] ?? '/usr/bin:/bin'];
  // A definition must not set the variable by which the host finds the processes of a run.
  const { [runVariable]: _, ...defined } = service.env;
  const inheritedEntries = inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inheritedEntries),
    ...isolated,
    PATH: paths.join(path.delimiter),
    ...defined,
    ...(run.port === undefined ? {} : { PORT: String(run.port) }),
    ...run.volumes,
  };
}

/** Time that the output may still take to arrive after the last process of a run has ended. */
const drainMs = 1000;

interface ChildRunParts {
  readonly id: string;
  readonly child: ChildProcess;
  readonly port: number | undefined;
  readonly processes: RunProcesses;
  readonly group: ControlGroup | undefined;
  readonly output: RunOutput;
  readonly onEvent: RunRequest['onEvent'];
  /** Called once the run has no process and no output left. */
  readonly release: () => Promise<void>;
}

/** A run whose leader is a child process of the host. */
class ChildRun implements InstanceRun {
  readonly id: string;
  readonly port: number | undefined;
  readonly exited: Promise<void>;
  readonly ended: Promise<RunEnd>;
  readonly #parts: ChildRunParts;
  /** Time (`performance.now()`) of SIGKILL; 0 without a stop, so that leftovers get no grace. */
  #killAt = 0;

  constructor(parts: ChildRunParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.port = parts.port;
    const exit = this.#exit();
    this.exited = exit.catch(() => undefined);
    this.ended = this.#end(exit);
  }

  async stop(graceMs: number): Promise<void> {
    const { processes } = this.#parts;
    this.#killAt = performance.now() + graceMs;
    await processes.terminate();
    const graceTimer = new AbortController();
    const { signal: cancelled } = graceTimer;
    const grace = setTimeout(graceMs, undefined, { signal: cancelled }).catch(() => undefined);
    await Promise.race([this.ended, grace]);
    graceTimer.abort();
    if (this.#isAlive()) processes.kill();
    await this.ended;
  }

  /** Waits for the leader to exit, then ends the processes that it left behind. */
  async #exit(): Promise<void> {
    const { child, processes, onEvent } = this.#parts;
    if (this.#isAlive()) await once(child, 'exit');
    const remaining = await processes.end(this.#killAt);
    if (remaining.length > 0) onEvent(`can't end ${remaining.join(', ')}`);
  }

  async #end(exit: Promise<void>): Promise<RunEnd> {
    const { child, output, group, release } = this.#parts;
    try {
      await exit;
      // A process that hid from the host may still hold the pipes, so the wait is limited.
      await output.finish(drainMs);
      const cause = group?.ranOutOfMemory() === true ? 'out of memory' : undefined;
      return { code: child.exitCode ?? undefined, signal: child.signalCode ?? undefined, cause };
    } finally {
      await release();
    }
  }

  #isAlive(): boolean {
    const { child } = this.#parts;
    return child.exitCode === null && child.signalCode === null;
  }
}

/** The volumes of a run that is about to start as a process. */
interface ProcessVolumes {
  readonly volumes: readonly SandboxVolume[];
  /** Variables with the path of each volume as the service sees it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Properties of the definition that this machine can't provide, for the log. */
  readonly notes: readonly string[];
}

/** Creates the folders of a run's volumes, with the access that the service has to them. */
async function prepareVolumes(
  { volumes = [] }: Pick<RunRequest, 'volumes'>,
  isolation: Isolation,
  user: number | undefined,
): Promise<ProcessVolumes | RunFailure> {
  const prepared: SandboxVolume[] = [];
  const notes: string[] = [];
  for (const volume of volumes) {
    const { name, mount, readOnly, kind, size } = volume;
    if (kind === 'memory' && isolation.hasSandbox) {
      const isLimited = isolation.limitsMemoryVolumes;
      if (!isLimited && size !== undefined)
        notes.push(`volume ${name} has no limit: bubblewrap is older than 0.7`);
      prepared.push({ mount, readOnly, bytes: isLimited ? size : undefined });
      continue;
    }
    if (kind === 'memory') notes.push(`volume ${name} is on the disk, as there is no sandbox`);
    const failure = await prepareFolder(volume, isolation, user);
    if (failure !== undefined) return failure;
    if (readOnly && !isolation.hasSandbox && !isolation.protectsFiles) {
      notes.push(`volume ${name} is not protected from writing, as there is no sandbox`);
    }
    prepared.push({ mount, readOnly, folder: placePath(volume.place) });
  }
  const refused = isolation.hasSandbox ? refuseVolumes(prepared) : undefined;
  if (refused !== undefined) return refused;
  const paths = volumes.map(({ name, mount, place }) => [
    volumeVariable(name),
    isolation.hasSandbox ? mount : placePath(place),
  ]);
  return {
    volumes: prepared,
    variables: Object.fromEntries(paths) as Readonly<Record<string, string>>,
    notes,
  };
}

async function prepareFolder(
  { name, place, kind, readOnly }: RunVolume,
  isolation: Isolation,
  user: number | undefined,
): Promise<RunFailure | undefined> {
  const folder = placePath(place);
  try {
    if (!(await createVolume(place, kind === 'persistent'))) {
      return {
        failure: `volume ${name}: its folder was replaced by a file or a link; move the folder back`,
      };
    }
    if (readOnly) await allowReading(folder, user);
    else await isolation.changeOwner(folder, user);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return { failure: `volume ${name}: the host can't create its folder${code}` };
  }
}
