import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { release } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Folder } from '../files/folder.ts';
import { removeTree } from '../files/tree-removal.ts';
import { StartFailure } from '../start-failure.ts';
import type { Storage } from '../records/storage.ts';
import { claimBlock } from './claimed-block.ts';
import { inputPipes, writeInputs } from './inputs.ts';
import { Isolation, type IsolationParts, type NamedUsers, type UserChange } from './isolation.ts';
import { findProgram } from './programs.ts';
import { ServiceUsers } from './service-users.ts';
import { makeFolderSync } from '../../system/make-folder.ts';

/** The usual folder of the state that all hosts of a machine share. */
export const defaultMachineFolder = '/var/lib/hostdeck';

export interface IsolationOptions {
  readonly dataDir: string;
  readonly storage: Storage;
  /** Unique on this machine. */
  readonly identity: string;
  readonly choice: SandboxChoice;
  /** False when all services are containers, which need no isolation by the host. */
  readonly runsProcesses: boolean;
  /** Folder of the state that all hosts of this machine share; only root can write to it. */
  readonly machineFolder: string;
  /** A sentence on a way around all isolation; undefined without one. */
  readonly weakness?: string | undefined;
}

/** The isolation in force, with notes for the person who starts the host. */
export interface OpenedIsolation {
  readonly isolation: Isolation;
  /** Sentences on missing isolation. */
  readonly notes: readonly string[];
}

/** A missing means of isolation, with the reason in a few words. */
interface Missing {
  readonly reason: string;
}

type Means = Pick<IsolationParts, 'bubblewrap' | 'userChange' | 'namedUsers'>;

/**
 * Tests which isolation this machine allows: bubblewrap, a user id for each deployment, both or
 * neither. Throws a {@link StartFailure} when bubblewrap is required and doesn't work.
 */
export async function openIsolation(options: IsolationOptions): Promise<OpenedIsolation> {
  const { choice, weakness, machineFolder, identity } = options;
  const isRoot = process.getuid?.() === 0;
  const externalRunsFolder = isRoot ? path.join(machineFolder, 'runs', identity) : undefined;
  const externalVolumesFolder = isRoot ? path.join(machineFolder, 'volumes', identity) : undefined;
  const base = {
    dataDir: realpathSync(options.dataDir),
    externalRunsFolder,
    externalVolumesFolder,
    weakness,
  };
  if (!options.runsProcesses) return { isolation: new Isolation(base), notes: [] };
  const users = isRoot ? await findUsers(options, base.dataDir) : undefined;
  const sandbox = choice === 'off' ? undefined : findSandbox();
  const unshare = findProgram('unshare', process.env['PATH']);
  const accounts = path.join(machineFolder, 'accounts');
  const namedUsers = unshare === undefined ? undefined : { unshare, accounts };
  const { means, runsNode, firstError } = await findWorkingMeans(base, users, sandbox, namedUsers);
  if (choice === 'require' && means.bubblewrap === undefined) {
    throw sandboxFailure(
      reasonOf(sandbox) ?? `bubblewrap can't create a sandbox here (${firstError})`,
    );
  }
  const limitsProcesses =
    means.userChange !== undefined || (means.bubblewrap !== undefined && countsByNamespace());
  const prlimit = limitsProcesses ? findProgram('prlimit', process.env['PATH']) : undefined;
  const limitsMemoryVolumes =
    means.bubblewrap !== undefined && (await hasOption(means.bubblewrap, '--size'));
  const isolation = new Isolation({ ...base, ...means, prlimit, limitsMemoryVolumes });
  for (const outside of [isolation.outsideRuns, isolation.outsideVolumes]) {
    if (outside?.isUsed === true) makeFolderSync(outside.folder, 0o711);
  }
  const lacksUsers = isRoot && !isolation.hasUsers;
  const lacksSandbox = choice !== 'off' && !isolation.hasSandbox;
  const notes = [
    ...(lacksUsers ? [`No user ids for deployments: ${reasonOf(users) ?? firstError}.`] : []),
    ...(lacksSandbox ? [`No sandboxes: ${reasonOf(sandbox) ?? firstError}.`] : []),
    ...(runsNode ? [] : [inaccessibleNode()]),
  ];
  return { isolation, notes };
}

/** Returns the strongest working means; without any, services run as the host's own user. */
async function findWorkingMeans(
  base: IsolationParts,
  users: UserChange | Missing | undefined,
  sandbox: { readonly bubblewrap: string } | Missing | undefined,
  namedUsers: NamedUsers | undefined,
) {
  const userChange = users !== undefined && 'setpriv' in users ? users : undefined;
  const bubblewrap =
    sandbox !== undefined && 'bubblewrap' in sandbox ? sandbox.bubblewrap : undefined;
  const all: readonly Means[] = [
    { userChange, bubblewrap },
    { userChange, namedUsers },
    { userChange },
    { bubblewrap },
  ];
  let firstError = '';
  for (const means of all) {
    if (Object.values(means).some((each) => each === undefined)) continue;
    const { code, errorLine, runsNode } = await testIsolation(new Isolation({ ...base, ...means }));
    if (code === 0) return { means, runsNode, firstError };
    firstError ||= errorLine;
  }
  const none: Means = {};
  return { means: none, runsNode: true, firstError };
}

interface IsolationTest {
  /** Exit code of a shell that ran like a service: 0 when the isolation works. */
  readonly code: number | null;
  /** True when a service can run the host's own Node. */
  readonly runsNode: boolean;
  /** First line of the error output, or the message of a failed start. */
  readonly errorLine: string;
}

const testTimeoutMs = 10_000;

/** Tests an isolation: runs a shell like a service, which also tests access to the host's Node. */
async function testIsolation(isolation: Isolation): Promise<IsolationTest> {
  const user = isolation.firstUser;
  await isolation.prepare(user);
  const { prefix, inputs } = isolation.confine('/usr', { user });
  const test = ['/bin/sh', '-c', 'test -x "$1" && echo node; exit 0', 'sh', process.execPath];
  const [command = '', ...args] = [...prefix, ...test];
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...inputPipes(inputs)],
    timeout: testTimeoutMs,
  });
  const { stdout, stderr } = child;
  try {
    writeInputs(child, inputs);
    const [out, err] = await Promise.all([
      stdout === null ? '' : text(stdout),
      stderr === null ? '' : text(stderr),
      once(child, 'close'),
    ]);
    const [errorLine = ''] = err.trim().split('\n');
    return { code: child.exitCode, runsNode: out.trim() === 'node', errorLine };
  } catch (error) {
    return { code: null, runsNode: false, errorLine: error instanceof Error ? error.message : '' };
  }
}

function reasonOf(found: object | undefined): string | undefined {
  return found !== undefined && 'reason' in found ? String(found.reason) : undefined;
}

async function findUsers(
  { machineFolder, identity, storage }: IsolationOptions,
  dataDir: string,
): Promise<UserChange | Missing> {
  if (process.platform !== 'linux') return { reason: 'they need Linux' };
  const setpriv = findProgram('setpriv', process.env['PATH']);
  if (setpriv === undefined) return { reason: 'setpriv of util-linux is not installed' };
  const block = claimBlock(machineFolder, { identity, dataDir });
  if ('reason' in block) return block;
  const { start: firstId, removedHosts } = block;
  await removeRunTrees(path.join(machineFolder, 'runs'), removedHosts);
  const volumes = path.join(machineFolder, 'volumes');
  // Volumes that can't be moved or removed stay, and do no other harm.
  const sorted = sortGoneVolumes(volumes, { identity, gone: removedHosts, now: Date.now() });
  await sorted.catch(() => undefined);
  return { users: new ServiceUsers(storage, firstId), firstId, setpriv };
}

/** Removes the run trees of hosts whose data folders are gone. */
async function removeRunTrees(folder: string, gone: readonly string[]): Promise<void> {
  await using runs = await Folder.open(folder);
  if (!(runs instanceof Folder)) return;
  // A tree that can't be removed takes disk space, and does no other harm.
  await Promise.allSettled(gone.map((identity) => removeTree(runs, identity)));
}

function findSandbox(): { readonly bubblewrap: string } | Missing {
  if (process.platform !== 'linux') return { reason: 'they need Linux' };
  const bubblewrap = findProgram('bwrap', process.env['PATH']);
  return bubblewrap === undefined
    ? { reason: 'bubblewrap (bwrap) is not installed' }
    : { bubblewrap };
}

async function hasOption(program: string, option: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--help']);
    return stdout.includes(option);
  } catch {
    return false;
  }
}

function sandboxFailure(reason: string): StartFailure {
  return new StartFailure(
    'no-sandbox',
    `--sandbox require: ${reason}.`,
    'Install bubblewrap 0.5 or newer and allow user namespaces, or leave --sandbox out.',
  );
}

function inaccessibleNode(): string {
  return (
    `Services can't run ${process.execPath}: their user may not execute it. ` +
    'Install Node where every user can reach it, such as /usr/local.'
  );
}

/**
 * Returns true when the kernel counts a user's processes in each user namespace separately (Linux
 * 5.14). An older kernel would count all processes of the person who started the host.
 */
function countsByNamespace(): boolean {
  const [major = 0, minor = 0] = release()
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}

/** Time for which volumes are kept without their host: its disk may only be missing for a while. */
const keepMs = 7 * 24 * 60 * 60 * 1000;

/** Matches the name of volumes that were set aside: the host's identity and the time of it. */
const asideName = /^([\da-f]+)\.gone\.(\d+)$/;

/**
 * Sets the volumes of gone hosts aside, removes those that were set aside long ago, and brings back
 * those of a host that has returned. A failure leaves volumes where they are.
 *
 * @param folder has the volumes of each host in a folder named by its identity.
 * @param identity the host that starts.
 */
export async function sortGoneVolumes(
  folder: string,
  {
    identity,
    gone,
    now,
  }: {
    readonly identity: string;
    /** Identities of hosts whose data folders are gone. */
    readonly gone: readonly string[];
    /** Wall-clock time in ms since the epoch. */
    readonly now: number;
  },
): Promise<void> {
  await using volumes = await Folder.open(folder);
  if (!(volumes instanceof Folder)) return;
  for (const each of gone) {
    if (await volumes.removeEmptyTree(each)) continue;
    if ((await volumes.stat(each)) === undefined) continue;
    await volumes.moveTo(each, volumes, `${each}.gone.${now}`);
  }
  for (const { name } of await volumes.names()) {
    const [aside, host, since] = asideName.exec(name.toString()) ?? [];
    if (aside === undefined) continue;
    if (host === identity) {
      if ((await volumes.stat(identity)) === undefined)
        await volumes.moveTo(aside, volumes, identity);
    } else if (now - Number(since) > keepMs) await removeTree(volumes, aside);
  }
}

/**
 * Use of bubblewrap. `auto`: if it works; `require`: the host doesn't start without it; `off`:
 * never.
 */
export type SandboxChoice = 'auto' | 'require' | 'off';
