import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serviceFolder } from '../../contract/sdl/mount-path.ts';
import type { ExternalRuns } from '../files/run-trees.ts';
import type { RunFailure } from '../runtime/runtime.ts';
import type { ExternalVolumes } from '../volumes/volume-folders.ts';
import { changeOwner } from './folder-access.ts';
import { firstInput } from './inputs.ts';
import { sandboxArguments, sandboxHome } from './sandbox.ts';
import { programFolder, type SandboxVolume } from './sandbox-volumes.ts';
import type { ServiceUsers } from './service-users.ts';
import { makeFolder } from '../../system/make-folder.ts';

/** The user ids of services, and the program that switches to them. */
export interface UserChange {
  readonly users: Pick<ServiceUsers, 'userOf'>;
  /** First id of the host's block. */
  readonly firstId: number;
  /** Absolute path of setpriv. */
  readonly setpriv: string;
}

/** Gives the users of unsandboxed runs a name, by a mount namespace for each run. */
export interface NamedUsers {
  /** Absolute path of unshare. */
  readonly unshare: string;
  /** Folder of the files that replace /etc/passwd and /etc/group there. */
  readonly accounts: string;
}

export interface IsolationParts {
  /** Real path of the host's data folder. */
  readonly dataDir: string;
  /** Absolute path of bubblewrap; undefined when services run without a sandbox. */
  readonly bubblewrap?: string | undefined;
  /** True when bubblewrap can limit the size of memory volumes, as from 0.7 on. */
  readonly limitsMemoryVolumes?: boolean | undefined;
  /** Undefined when services run as the host's own user. */
  readonly userChange?: UserChange | undefined;
  /** Undefined with a sandbox, and when the host can't create mount namespaces. */
  readonly namedUsers?: NamedUsers | undefined;
  /** Absolute path of prlimit; undefined when it can't limit the processes of one service. */
  readonly prlimit?: string | undefined;
  /** Folder of run trees for users without access to the data folder; undefined unless root. */
  readonly externalRunsFolder?: string | undefined;
  /** Folder of volumes for such users; undefined unless root. */
  readonly externalVolumesFolder?: string | undefined;
  /** A sentence on a way around all isolation; undefined without one. */
  readonly weakness?: string | undefined;
}

/** The properties of a run that its isolation depends on. */
export interface IsolationRequest {
  /** User id from {@link Isolation.userOf}. */
  readonly user?: number | undefined;
  /** Process limit, when no control group enforces one. */
  readonly maxProcesses?: number | undefined;
  /** The port that the service listens on. */
  readonly port?: number | undefined;
  /** Volumes, which only a sandbox can mount. */
  readonly volumes?: readonly SandboxVolume[] | undefined;
}

/** The isolation of one run from the machine and from other deployments. */
export interface Confinement {
  /** Arguments to put before the command line of the run. */
  readonly prefix: readonly string[];
  /** Working directory inside the sandbox; undefined without one, where it is the tree's path. */
  readonly folder: string | undefined;
  /** Variables that replace those of the host's user. */
  readonly variables: Readonly<Record<string, string>>;
  /** Texts that the prefix reads from the descriptor {@link firstInput} and those after it. */
  readonly inputs: readonly string[];
  /** The isolation in force, in a few words for the log. */
  readonly description: string;
}

/** Isolates the processes of services from the machine, as far as the machine allows. */
export class Isolation {
  readonly #parts: IsolationParts;
  /** Changes of ownership in progress, by tree; instances of a service share one. */
  readonly #ownerChanges = new Map<string, Promise<void>>();

  constructor(parts: IsolationParts) {
    this.#parts = parts;
  }

  get hasSandbox(): boolean {
    return this.#parts.bubblewrap !== undefined;
  }

  /** True when volumes in memory have a size. */
  get limitsMemoryVolumes(): boolean {
    return this.#parts.limitsMemoryVolumes === true;
  }

  /** True when each deployment has a user id of its own. */
  get hasUsers(): boolean {
    return this.#parts.userChange !== undefined;
  }

  /** A sentence on a way around all isolation; undefined without one. */
  get weakness(): string | undefined {
    return this.#parts.weakness;
  }

  /** First user id of this host's block; undefined when services run as the host's user. */
  get firstUser(): number | undefined {
    return this.#parts.userChange?.firstId;
  }

  /** Folder of run trees outside of the data folder, used now or by an earlier host. */
  get outsideRuns(): ExternalRuns | undefined {
    const { externalRunsFolder } = this.#parts;
    return externalRunsFolder === undefined
      ? undefined
      : { folder: externalRunsFolder, isUsed: this.#hasUsersOnly };
  }

  /** Folder of volumes outside of the data folder, used now or by an earlier host. */
  get outsideVolumes(): ExternalVolumes | undefined {
    const { externalVolumesFolder: folder } = this.#parts;
    return folder === undefined ? undefined : { folder, isUsed: this.#hasUsersOnly };
  }

  /** True when the modes of files apply to services, which don't run as root. */
  get protectsFiles(): boolean {
    return this.hasUsers || process.getuid?.() !== 0;
  }

  /** True when services have their own users, who can't access the data folder, and no sandbox. */
  get #hasUsersOnly(): boolean {
    return this.hasUsers && !this.hasSandbox;
  }

  /** True when services can't reach the host or the services of other wallets. */
  get isInForce(): boolean {
    // A sandbox can't confine root: even without capabilities, root can write to /proc/sys, where
    // `core_pattern` names a program that the kernel runs outside of the sandbox.
    if (this.#parts.weakness !== undefined) return false;
    return this.hasUsers || (this.hasSandbox && process.getuid?.() !== 0);
  }

  /** Returns the user id of a deployment's services; undefined when they run as the host's user. */
  userOf(deployment: string): number | undefined | RunFailure {
    const { userChange } = this.#parts;
    if (userChange === undefined) return undefined;
    return userChange.users.userOf(deployment) ?? { failure: 'no user id is free' };
  }

  /** Writes the files that {@link Isolation.confine} needs for this user. */
  async prepare(user: number | undefined): Promise<void> {
    const { namedUsers } = this.#parts;
    if (namedUsers !== undefined && user !== undefined) {
      await writeAccounts(namedUsers.accounts, user);
    }
  }

  /** Changes the owner of a tree to this user. */
  async changeOwner(tree: string, user: number | undefined): Promise<void> {
    if (user === undefined) return;
    let ownerChange = this.#ownerChanges.get(tree);
    if (ownerChange === undefined) {
      ownerChange = changeOwner(tree, user).finally(() => this.#ownerChanges.delete(tree));
      this.#ownerChanges.set(tree, ownerChange);
    }
    await ownerChange;
  }

  /**
   * Returns the isolation of a run.
   *
   * @param tree real path of the run's files.
   */
  confine(tree: string, { user, maxProcesses, port, volumes = [] }: IsolationRequest): Confinement {
    const { bubblewrap, userChange, namedUsers, prlimit } = this.#parts;
    const change = user === undefined ? undefined : userChange;
    const bound = prlimit === undefined ? undefined : maxProcesses;
    const id = user ?? process.getuid?.() ?? 0;
    const ownHome = user === undefined ? undefined : tree;
    const home = bubblewrap === undefined ? ownHome : sandboxHome;
    const keptCapabilities =
      change !== undefined && (port ?? firstUserPort) < firstUserPort ? [bindCapability] : [];
    return {
      prefix: [
        ...(bubblewrap === undefined
          ? []
          : this.#sandboxed(
              bubblewrap,
              tree,
              volumes,
              change && [...userChangeCapabilities, ...keptCapabilities],
            )),
        ...(change === undefined || namedUsers === undefined ? [] : accountsPrefix(namedUsers, id)),
        ...(change === undefined ? [] : setprivPrefix(change.setpriv, id, keptCapabilities)),
        ...(bound === undefined ? [] : [prlimit ?? '', `--nproc=${bound}:${bound}`, '--']),
      ],
      folder: bubblewrap === undefined ? undefined : serviceFolder,
      variables: home === undefined ? {} : variablesOf(home),
      inputs: bubblewrap === undefined ? [] : accountTexts(id),
      description: [
        ...(bubblewrap === undefined ? [] : ['bubblewrap']),
        ...(user === undefined ? [] : [`user id ${user}`]),
        ...(bubblewrap === undefined && user === undefined ? ['none'] : []),
      ].join(', '),
    };
  }

  /** Returns the isolation in force, as sentences for the person who starts the host. */
  describe(): string {
    const { weakness } = this.#parts;
    const apart = this.hasSandbox ? 'in bubblewrap sandboxes' : 'without a sandbox';
    const as = this.hasUsers ? 'each deployment as a user id of its own' : 'as this user';
    return [
      `Services without an image run ${apart}, ${as}.`,
      ...(weakness === undefined ? [] : [weakness]),
    ].join(' ');
  }

  #sandboxed(
    bubblewrap: string,
    folder: string,
    volumes: readonly SandboxVolume[],
    capabilities: readonly string[] = [],
  ): readonly string[] {
    return [
      bubblewrap,
      ...sandboxArguments({
        folder,
        dataDir: this.#parts.dataDir,
        programs: [programFolder],
        capabilities,
        accounts: { passwd: firstInput, group: firstInput + 1 },
        volumes,
        exists: existsSync,
      }),
      '--',
    ];
  }
}

/** First port that a user without `CAP_NET_BIND_SERVICE` can bind. */
const firstUserPort = 1024;

const bindCapability = 'net_bind_service';

/** Capabilities that setpriv needs to change the user and to drop all other capabilities. */
const userChangeCapabilities = ['setuid', 'setgid', 'setpcap'];

function setprivPrefix(
  setpriv: string,
  id: number,
  keptCapabilities: readonly string[],
): readonly string[] {
  const capabilities = ['-all', ...keptCapabilities.map((each) => `+${each}`)].join(',');
  return [
    setpriv,
    `--reuid=${id}`,
    `--regid=${id}`,
    '--clear-groups',
    '--no-new-privs',
    `--bounding-set=${capabilities}`,
    `--inh-caps=${capabilities}`,
    ...(keptCapabilities.length === 0 ? [] : [`--ambient-caps=${capabilities}`]),
    '--',
  ];
}

/** Returns a prefix that mounts the user's own accounts over the machine's, for this run only. */
function accountsPrefix({ unshare, accounts }: NamedUsers, id: number): readonly string[] {
  const script =
    'mount --bind "$1" /etc/passwd && mount --bind "$2" /etc/group && shift 2 && exec "$@"';
  return [unshare, '--mount', '--', '/bin/sh', '-c', script, 'sh', ...accountFiles(accounts, id)];
}

function variablesOf(home: string): Readonly<Record<string, string>> {
  return { HOME: home, LOGNAME: userName, SHELL: '/bin/sh', TMPDIR: '/tmp', USER: userName };
}

/** Name of a service's user when the service doesn't see the host's own. */
const userName = 'app';

const home = '/tmp';

/**
 * Returns the texts of /etc/passwd and /etc/group for a service. Programs look up their own user
 * (Node's `os.userInfo()` throws without an entry); no other user of the machine is shown.
 */
function accountTexts(id: number): readonly [string, string] {
  const system = [
    { name: 'root', number: 0 },
    { name: 'nobody', number: 65_534 },
  ].filter(({ number }) => number !== id);
  const all = [...system, { name: userName, number: id }];
  return [
    all.map(({ name, number }) => `${name}:x:${number}:${number}::${home}:/bin/sh\n`).join(''),
    all.map(({ name, number }) => `${name}:x:${number}:\n`).join(''),
  ];
}

/** Returns the paths of the files that {@link writeAccounts} writes, in the order of the texts. */
function accountFiles(folder: string, id: number): readonly [string, string] {
  return [path.join(folder, `${id}.passwd`), path.join(folder, `${id}.group`)];
}

/** Writes both files atomically, unless they have this text already. */
async function writeAccounts(folder: string, id: number): Promise<void> {
  await makeFolder(folder, 0o711);
  const texts = accountTexts(id);
  for (const [index, file] of accountFiles(folder, id).entries()) {
    const text = texts[index] ?? '';
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    const temporary = `${file}.${randomUUID()}`;
    await writeFile(temporary, text, { mode: 0o644 });
    await rename(temporary, file);
  }
}
