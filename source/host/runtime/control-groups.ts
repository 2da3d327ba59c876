import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readdir, rmdir, stat } from 'node:fs/promises';
import type { ResourceLimits } from '../../contract/sdl/resources.ts';
import { sendSignal } from './carriers.ts';

/** The kernel's control group of one run, which limits and lists its processes. */
export interface ControlGroup {
  /** True when the group limits the number of its processes. */
  readonly limitsProcesses: boolean;
  /** Returns a command line that runs `command` and its descendants in the group. */
  wrap(command: readonly string[]): readonly string[];
  /** Returns the ids of the group's processes. Throws when the host can't read them. */
  members(): readonly number[];
  /** Kills all processes at once, as none can leave the group. Throws when the kernel refuses. */
  kill(): void;
  /** Returns true when the memory limit ended one of the processes. */
  ranOutOfMemory(): boolean;
  /** Removes the group once it has no process. Never throws. */
  remove(): Promise<void>;
}

/** The limits of a run; an undefined one is not enforced. */
export interface GroupLimits extends ResourceLimits {
  readonly processes?: number | undefined;
}

/** The folders in which groups are created, by controller; the same folder for all in version 2. */
interface Hierarchy {
  readonly version: 1 | 2;
  readonly cpu: string;
  readonly memory: string;
  /** Undefined when the number of processes can't be limited. */
  readonly pids: string | undefined;
  /** Folder of the groups that `cgroup.kill` ends: version 2, also beside version 1 ("hybrid"). */
  readonly kill: string | undefined;
  /** Folders below which this or another host may have created groups. */
  readonly roots: readonly string[];
}

const periodUs = 100_000;

/** The kernel's smallest quota. */
const minQuotaUs = 1000;

/** Shell script that enters the groups before it becomes the service, so no child escapes them. */
const entryScript =
  'while [ "$1" != -- ]; do echo $$ > "$1" || exit 126; shift; done; shift; exec "$@"';

/**
 * Creates control groups where this host is permitted to: in version 2 below a group of its own (a
 * systemd unit with `Delegate=yes`), in version 1 in any folder that it can write to.
 */
export class ControlGroups {
  readonly #hierarchy: Hierarchy;

  private constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
  }

  /**
   * Returns undefined when the host may not create groups.
   *
   * @param root mount point of the control groups.
   * @param groupsFile file that lists the groups of this process.
   */
  static open(
    root = '/sys/fs/cgroup',
    groupsFile = '/proc/self/cgroup',
  ): ControlGroups | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const lines = readFileSync(groupsFile, 'utf8').trim().split('\n');
      const hierarchy = hasFile(root, 'cgroup.controllers')
        ? openVersion2(root, lines)
        : openVersion1(root, lines);
      const groups = new ControlGroups(hierarchy);
      // Only creating a group with limits shows whether the host is permitted to.
      void groups.limit(randomUUID(), { cpu: 1, memory: 64 * 1024 * 1024, processes: 64 }).remove();
      void groups.removeGroups([]);
      return groups;
    } catch {
      return undefined;
    }
  }

  /** Creates the run's group with these limits. Throws when the kernel refuses one. */
  limit(run: string, { cpu, memory, processes }: GroupLimits): ControlGroup {
    const { version, ...hierarchy } = this.#hierarchy;
    const inCpu = path.join(hierarchy.cpu, groupName(run));
    const inMemory = path.join(hierarchy.memory, groupName(run));
    const inPids = hierarchy.pids && path.join(hierarchy.pids, groupName(run));
    const inKill = hierarchy.kill && path.join(hierarchy.kill, groupName(run));
    const folders = [...new Set([inCpu, inMemory, inPids ?? inMemory, inKill ?? inMemory])];
    const remove = async () => {
      await Promise.all(folders.map(removeFolder));
    };
    try {
      for (const folder of folders) mkdirSync(folder);
      if (cpu !== undefined) {
        const quota = Math.max(minQuotaUs, Math.round(cpu * periodUs));
        if (version === 2) write(inCpu, 'cpu.max', `${quota} ${periodUs}`);
        else {
          write(inCpu, 'cpu.cfs_period_us', `${periodUs}`);
          write(inCpu, 'cpu.cfs_quota_us', `${quota}`);
        }
      }
      if (memory !== undefined) {
        write(inMemory, version === 2 ? 'memory.max' : 'memory.limit_in_bytes', `${memory}`);
      }
      if (processes !== undefined && inPids !== undefined) {
        write(inPids, 'pids.max', `${processes}`);
      }
    } catch (error) {
      void remove();
      throw error;
    }
    const entryFiles = folders.map((folder) => path.join(folder, 'cgroup.procs'));
    const events = path.join(inMemory, version === 2 ? 'memory.events' : 'memory.oom_control');
    const killable = inKill ?? inMemory;
    return {
      limitsProcesses: processes !== undefined && inPids !== undefined,
      wrap: (command) => ['/bin/sh', '-c', entryScript, 'sh', ...entryFiles, '--', ...command],
      members: () => membersOf(killable),
      kill: () => {
        killGroup(killable);
      },
      ranOutOfMemory: () => countOomKills(events) > 0,
      remove,
    };
  }

  /**
   * Kills the processes in the groups of these runs, in any part of the hierarchy where a killed
   * host created them. Resolves with the runs that had processes. Never throws.
   */
  async killRuns(runs: readonly string[]): Promise<readonly string[]> {
    const byName = new Map(runs.map((run) => [groupName(run), run]));
    const groups = await Promise.all(this.#hierarchy.roots.map(findRunGroups));
    const found = new Set<string>();
    for (const folder of groups.flat()) {
      const run = byName.get(path.basename(folder));
      if (run === undefined) continue;
      try {
        if (membersOf(folder).length > 0) found.add(run);
        killGroup(folder);
      } catch {
        // The group was removed meanwhile.
      }
    }
    return [...found];
  }

  /**
   * Removes the groups of these runs, which have ended, and the stale groups of killed hosts that
   * had no successor. Never throws.
   */
  async removeGroups(runs: readonly string[]): Promise<void> {
    const names = new Set(runs.map(groupName));
    const groups = await Promise.all(this.#hierarchy.roots.map(findRunGroups));
    await Promise.all(
      groups
        .flat()
        .map((folder) =>
          names.has(path.basename(folder)) ? removeFolder(folder) : removeStaleGroup(folder),
        ),
    );
  }
}

function write(folder: string, file: string, value: string): void {
  writeFileSync(path.join(folder, file), value);
}

/**
 * Returns the ids of a group's processes. The kernel lists a process of another namespace as 0;
 * that is dropped, as a signal to 0 would reach the host's own process group.
 */
function membersOf(folder: string): readonly number[] {
  const text = readFileSync(path.join(folder, 'cgroup.procs'), 'utf8');
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/**
 * Kills by one write where the kernel supports it (Linux 5.14), else one by one until none is new.
 */
function killGroup(folder: string): void {
  if (hasFile(folder, 'cgroup.kill')) {
    write(folder, 'cgroup.kill', '1');
    return;
  }
  const killed = new Set<number>();
  for (let round = 0; round < maxKillRounds; round += 1) {
    const alive = membersOf(folder).filter((pid) => !killed.has(pid));
    if (alive.length === 0) return;
    for (const pid of alive) {
      killed.add(pid);
      sendSignal(pid, 'SIGKILL');
    }
  }
}

/** Enough for any group with a process limit. */
const maxKillRounds = 100;

/**
 * Opens version 2. A group whose children have limits may have no processes itself, so the host
 * moves to a child group; only when it is the group's only process. Throws when that fails.
 */
function openVersion2(root: string, lines: readonly string[]): Hierarchy {
  const ownPath = lines.find((line) => line.startsWith('0::'))?.slice(3) ?? '';
  const isInHostGroup = path.basename(ownPath) === hostGroup;
  const base = path.join(root, isInHostGroup ? path.dirname(ownPath) : ownPath);
  if (!isInHostGroup) {
    const inside = readFileSync(path.join(base, 'cgroup.procs'), 'utf8').trim();
    if (inside !== String(process.pid)) throw new Error('not alone');
    const folder = path.join(base, hostGroup);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'cgroup.procs'), inside);
  }
  write(base, 'cgroup.subtree_control', '+cpu +memory');
  const pids = enableController(base, '+pids') ? base : undefined;
  return { version: 2, cpu: base, memory: base, pids, kill: base, roots: [root] };
}

/** Returns false when the service manager has not delegated this controller. */
function enableController(base: string, controller: string): boolean {
  try {
    write(base, 'cgroup.subtree_control', controller);
    return true;
  } catch {
    return false;
  }
}

const hostGroup = 'hostdeck.host';

function openVersion1(root: string, lines: readonly string[]): Hierarchy {
  const folderOf = (controller: string): string | undefined => {
    const [, names, ownPath = ''] =
      lines
        .map((line) => line.split(':'))
        .find(([, controllers]) => controllers?.split(',').includes(controller)) ?? [];
    if (names === undefined) return undefined;
    // In a container the path is the machine's, and only its last part may be mounted.
    return [path.join(root, controller, ownPath), path.join(root, controller)].find((folder) =>
      hasFile(folder, 'cgroup.procs'),
    );
  };
  const [cpu, memory] = [folderOf('cpu'), folderOf('memory')];
  if (cpu === undefined || memory === undefined) throw new Error('no limits');
  const ownPath = lines.find((line) => line.startsWith('0::'))?.slice(3) ?? '';
  const unified = path.join(root, 'unified', ownPath);
  const roots = ['cpu', 'memory', 'pids', 'unified'].map((name) => path.join(root, name));
  const kill = hasFile(unified, 'cgroup.procs') ? unified : undefined;
  return { version: 1, cpu, memory, pids: folderOf('pids'), kill, roots };
}

function hasFile(folder: string, name: string): boolean {
  try {
    return readdirSync(folder).includes(name);
  } catch {
    return false;
  }
}

function countOomKills(events: string): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Removes a group; the kernel reports EBUSY for a moment after its last process has ended. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempts = maxTries; attempts > 0; attempts -= 1) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) return;
    }
    await setTimeout(retryMs);
  }
  // A process that hid from the host is still in the group.
}

const retryMs = 20;

const maxTries = 25;

/** Returns the name of a run's control group. */
function groupName(run: string): string {
  return `hostdeck-${run}`;
}

const runGroup = /^hostdeck-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Resolves with the folders of all run groups below a folder. Each host creates its groups in its
 * own group, which differs between logins.
 */
async function findRunGroups(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const groups = entries
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => {
      const inside = path.join(folder, name);
      return runGroup.test(name) ? [inside] : await findRunGroups(inside);
    });
  return (await Promise.all(groups)).flat();
}

/**
 * Age after which a group without processes is stale; a run enters its new group within moments.
 */
const staleMs = 60_000;

/** Removes a stale group: empty, and too old to be waiting for its run. Never throws. */
async function removeStaleGroup(folder: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(folder);
    // The kernel refuses to remove a group that has a process.
    if (Date.now() - mtimeMs > staleMs) await rmdir(folder);
  } catch {
    // The group is in use, or belongs to another user.
  }
}
