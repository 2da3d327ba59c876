import { existsSync } from 'node:fs';
import path from 'node:path';
import { Folder } from '../files/folder.ts';
import type { OutsideRuns } from '../files/run-trees.ts';
import { chownTree } from '../files/tree-owner.ts';
import type { RunFailure } from '../runtime/runtime.ts';
import { accountFiles, accountTexts, userName, writeAccounts } from './accounts.ts';
import { firstInput } from './inputs.ts';
import { sandboxArguments, sandboxFolder, sandboxHome } from './sandbox.ts';
import type { ServiceUsers } from './service-users.ts';

/** The user ids that services get, and the program that changes to one. */
export interface UserChange {
  readonly users: Pick<ServiceUsers, 'of'>;
  /** The first of them. */
  readonly firstId: number;
  /** Absolute path of setpriv. */
  readonly setpriv: string;
}

/** A mount namespace of its own for each run, where its user has a name without a sandbox. */
export interface NamedUsers {
  /** Absolute path of unshare. */
  readonly unshare: string;
  /** Folder of the files that stand for /etc/passwd and /etc/group there. */
  readonly accounts: string;
}

export interface IsolationParts {
  /** Real path of the host's data folder. */
  readonly dataDir: string;
  /** Absolute path of bubblewrap, undefined where services run without a sandbox. */
  readonly bubblewrap?: string | undefined;
  /** Undefined where services run as the host's own user. */
  readonly userChange?: UserChange | undefined;
  /** Undefined with a sandbox, and where no mount namespaces can be made. */
  readonly namedUsers?: NamedUsers | undefined;
  /** Absolute path of prlimit, undefined where it can't bound the processes of one service. */
  readonly prlimit?: string | undefined;
  /** Folder of run trees for users who may not pass the data folder; undefined if none can. */
  readonly outsideRuns?: string | undefined;
  /** A way around everything else, as a sentence; undefined without one. */
  readonly weakness?: string | undefined;
}

/** The needs of a run that its isolation depends on. */
export interface RunNeeds {
  /** Its user, as {@link Isolation.userOf} returns it. */
  readonly user?: number | undefined;
  /** Bounds its processes, where nothing else does. */
  readonly mostProcesses?: number | undefined;
  /** The port that it shall listen on. */
  readonly port?: number | undefined;
}

/** The isolation of one run from the machine and from other deployments. */
export interface Confinement {
  /** Words that stand before the command line of the run. */
  readonly prefix: readonly string[];
  /** The folder that the run starts in, as it sees it; undefined where it is its tree's path. */
  readonly folder: string | undefined;
  /** Variables in place of those of the host's user. */
  readonly variables: Readonly<Record<string, string>>;
  /** Texts that the prefix reads, from the descriptor {@link firstInput} on. */
  readonly inputs: readonly string[];
  /** A few words for its log: the isolation in force. */
  readonly words: string;
}

/** Keeps the processes of services from the machine, as far as the machine allows. */
export class Isolation {
  readonly #parts: IsolationParts;
  /** Trees that are being made a user's own: instances of a service share one. */
  readonly #owning = new Map<string, Promise<void>>();

  constructor(parts: IsolationParts) {
    this.#parts = parts;
  }

  get hasSandbox(): boolean {
    return this.#parts.bubblewrap !== undefined;
  }

  /** Whether each deployment has a user id of its own. */
  get hasUsers(): boolean {
    return this.#parts.userChange !== undefined;
  }

  /** A way around everything else, as a sentence; undefined without one. */
  get weakness(): string | undefined {
    return this.#parts.weakness;
  }

  /** A user id of this host's block; undefined where services run as the host's user. */
  get firstUser(): number | undefined {
    return this.#parts.userChange?.firstId;
  }

  /** The folder of run trees outside of the data folder, used now or by an earlier host. */
  get outsideRuns(): OutsideRuns | undefined {
    const { outsideRuns: folder } = this.#parts;
    const isUsed = this.hasUsers && !this.hasSandbox;
    return folder === undefined ? undefined : { folder, isUsed };
  }

  /** Whether a service of one wallet is kept from the host and from those of other wallets. */
  get isInForce(): boolean {
    // No sandbox keeps root: without any capability it may write to the kernel's settings in
    // /proc/sys, of which `core_pattern` names a program that the kernel runs outside.
    if (this.#parts.weakness !== undefined) return false;
    return this.hasUsers || (this.hasSandbox && process.getuid?.() !== 0);
  }

  /** The user id of a deployment's services; undefined where they run as the host's user. */
  userOf(deployment: string): number | undefined | RunFailure {
    const { userChange } = this.#parts;
    if (userChange === undefined) return undefined;
    return userChange.users.of(deployment) ?? { failure: 'no user id is left for it' };
  }

  /** Writes what {@link Isolation.confine} needs for this user. */
  async prepare(user: number | undefined): Promise<void> {
    const { namedUsers } = this.#parts;
    if (namedUsers !== undefined && user !== undefined) {
      await writeAccounts(namedUsers.accounts, user);
    }
  }

  /** Makes a tree that user's own, where it isn't yet. */
  async own(tree: string, user: number | undefined): Promise<void> {
    if (user === undefined) return;
    let owning = this.#owning.get(tree);
    if (owning === undefined) {
      owning = giveTree(tree, user).finally(() => this.#owning.delete(tree));
      this.#owning.set(tree, owning);
    }
    await owning;
  }

  /** @param tree real path of the run's files. */
  confine(tree: string, { user, mostProcesses, port }: RunNeeds): Confinement {
    const { bubblewrap, userChange, namedUsers, prlimit } = this.#parts;
    const change = user === undefined ? undefined : userChange;
    const bound = prlimit === undefined ? undefined : mostProcesses;
    const id = user ?? process.getuid?.() ?? 0;
    const ownHome = user === undefined ? undefined : tree;
    const home = bubblewrap === undefined ? ownHome : sandboxHome;
    const kept = change !== undefined && (port ?? lowPorts) < lowPorts ? [bindingLowPorts] : [];
    return {
      prefix: [
        ...(bubblewrap === undefined
          ? []
          : this.#sandboxed(bubblewrap, tree, change && [...changingUser, ...kept])),
        ...(change === undefined || namedUsers === undefined ? [] : naming(namedUsers, id)),
        ...(change === undefined ? [] : changingTo(change.setpriv, id, kept)),
        ...(bound === undefined ? [] : [prlimit ?? '', `--nproc=${bound}:${bound}`, '--']),
      ],
      folder: bubblewrap === undefined ? undefined : sandboxFolder,
      variables: home === undefined ? {} : variablesOf(home),
      inputs: bubblewrap === undefined ? [] : accountTexts(id),
      words: [
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
    capabilities: readonly string[] = [],
  ): readonly string[] {
    return [
      bubblewrap,
      ...sandboxArguments({
        folder,
        dataDir: this.#parts.dataDir,
        programs: [path.dirname(process.execPath)],
        capabilities,
        accounts: { passwd: firstInput, group: firstInput + 1 },
        exists: existsSync,
      }),
      '--',
    ];
  }
}

/** Ports below are for those who may bind them: root, as which no service runs. */
const lowPorts = 1024;

const bindingLowPorts = 'net_bind_service';

/** Capabilities by which setpriv takes on a user and gives up all others. */
const changingUser = ['setuid', 'setgid', 'setpcap'];

function changingTo(setpriv: string, id: number, kept: readonly string[]): readonly string[] {
  const capabilities = ['-all', ...kept.map((each) => `+${each}`)].join(',');
  return [
    setpriv,
    `--reuid=${id}`,
    `--regid=${id}`,
    '--clear-groups',
    '--no-new-privs',
    `--bounding-set=${capabilities}`,
    `--inh-caps=${capabilities}`,
    ...(kept.length === 0 ? [] : [`--ambient-caps=${capabilities}`]),
    '--',
  ];
}

/** Puts the user's own accounts in the place of the machine's, for this run alone. */
function naming({ unshare, accounts }: NamedUsers, id: number): readonly string[] {
  const script =
    'mount --bind "$1" /etc/passwd && mount --bind "$2" /etc/group && shift 2 && exec "$@"';
  return [unshare, '--mount', '--', '/bin/sh', '-c', script, 'sh', ...accountFiles(accounts, id)];
}

function variablesOf(home: string): Readonly<Record<string, string>> {
  return { HOME: home, LOGNAME: userName, SHELL: '/bin/sh', TMPDIR: '/tmp', USER: userName };
}

async function giveTree(tree: string, id: number): Promise<void> {
  const parent = await Folder.open(path.dirname(tree));
  if (!(parent instanceof Folder)) return;
  await using above = parent;
  const name = path.basename(tree);
  if ((await above.look(name))?.uid === id) return;
  await using root = await above.enter(name);
  // Other deployments' users may pass the folders above it.
  if (root instanceof Folder) await root.restrict();
  await chownTree(above, name, id, id);
}
