import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Resources } from '../../contract/sdl/resources.ts';
import { signal } from './carriers.ts';
import { groupName, groupsBelow, removeLeft } from './left-groups.ts';

/** The processes of one run: what limits them, and the way to all of them. */
export interface ControlGroup {
  /** Whether it bounds how many there are. */
  readonly limitsProcesses: boolean;
  /** Returns the command line that runs this one in the group, with all that it starts. */
  wrap(command: readonly string[]): readonly string[];
  /** Returns the ids of its processes. Throws where they can't be read. */
  members(): readonly number[];
  /** Ends all of them at once, as none can leave the group. Throws where the kernel refuses. */
  kill(): void;
  /** Whether the memory limit ended one of its processes. */
  ranOutOfMemory(): boolean;
  /** Removes the group once nothing of the run is left. Never throws. */
  remove(): Promise<void>;
}

/** The limits of a run; what is undefined is not limited. */
export interface GroupLimits extends Resources {
  readonly processes?: number | undefined;
}

/** The folders that groups are made in, by what they do; all the same one in version 2. */
interface Hierarchy {
  readonly version: 1 | 2;
  readonly cpu: string;
  readonly memory: string;
  /** Undefined where the number of processes can't be limited. */
  readonly pids: string | undefined;
  /** The folder of groups that can be killed whole: version 2, also beside version 1 ("hybrid"). */
  readonly kill: string | undefined;
  /** Where hosts may have made some, this one or others. */
  readonly roots: readonly string[];
}

const periodUs = 100_000;

/** The kernel takes no less. */
const leastQuotaUs = 1000;

/** Written for its own process before it becomes the service, so that nothing it starts is missed. */
const entering =
  'while [ "$1" != -- ]; do echo $$ > "$1" || exit 126; shift; done; shift; exec "$@"';

/**
 * The kernel's control groups, where this host may make some: in version 2 in a group that it has
 * for itself (as a unit of systemd with `Delegate=yes`), in version 1 wherever it may write.
 */
export class ControlGroups {
  readonly #hierarchy: Hierarchy;

  private constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
  }

  /** Undefined where it may not. @param root where the groups are mounted. */
  static open(root = '/sys/fs/cgroup', own = '/proc/self/cgroup'): ControlGroups | undefined {
    if (process.platform !== 'linux') return undefined;
    try {
      const lines = readFileSync(own, 'utf8').trim().split('\n');
      const hierarchy = hasFile(root, 'cgroup.controllers')
        ? openVersion2(root, lines)
        : openVersion1(root, lines);
      const groups = new ControlGroups(hierarchy);
      // Whether it may is known only once it has.
      void groups.limit(randomUUID(), { cpu: 1, memory: 64 * 1024 * 1024, processes: 64 }).remove();
      void groups.forget([]);
      return groups;
    } catch {
      return undefined;
    }
  }

  /** Returns a group with these limits. Throws where the kernel refuses one. */
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
        const quota = Math.max(leastQuotaUs, Math.round(cpu * periodUs));
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
    const doors = folders.map((folder) => path.join(folder, 'cgroup.procs'));
    const events = path.join(inMemory, version === 2 ? 'memory.events' : 'memory.oom_control');
    const killable = inKill ?? inMemory;
    return {
      limitsProcesses: processes !== undefined && inPids !== undefined,
      wrap: (command) => ['/bin/sh', '-c', entering, 'sh', ...doors, '--', ...command],
      members: () => membersOf(killable),
      kill: () => {
        killGroup(killable);
      },
      ranOutOfMemory: () => killsIn(events) > 0,
      remove,
    };
  }

  /**
   * Ends what still runs in the groups of these runs, which a killed host began, in whichever
   * group that host was. Never throws.
   */
  async killLeft(runs: readonly string[]): Promise<void> {
    const names = new Set(runs.map(groupName));
    const found = await Promise.all(this.#hierarchy.roots.map(groupsBelow));
    for (const folder of found.flat().filter((each) => names.has(path.basename(each)))) {
      try {
        killGroup(folder);
      } catch {
        // It went away meanwhile.
      }
    }
  }

  /**
   * Removes the groups of these runs, of which nothing is left, and what killed hosts have left that
   * none came after. Never throws.
   */
  async forget(runs: readonly string[]): Promise<void> {
    const names = new Set(runs.map(groupName));
    const found = await Promise.all(this.#hierarchy.roots.map(groupsBelow));
    await Promise.all(
      found
        .flat()
        .map((folder) =>
          names.has(path.basename(folder)) ? removeFolder(folder) : removeLeft(folder),
        ),
    );
  }
}

function write(folder: string, file: string, value: string): void {
  writeFileSync(path.join(folder, file), value);
}

/**
 * A process of another process namespace is listed as 0, by which a signal would go to the host's
 * own process group.
 */
function membersOf(folder: string): readonly number[] {
  const text = readFileSync(path.join(folder, 'cgroup.procs'), 'utf8');
  return text
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}

/** By one write where the kernel can (Linux 5.14), else one by one until none is new. */
function killGroup(folder: string): void {
  if (hasFile(folder, 'cgroup.kill')) {
    write(folder, 'cgroup.kill', '1');
    return;
  }
  const killed = new Set<number>();
  for (let round = 0; round < mostRounds; round += 1) {
    const found = membersOf(folder).filter((pid) => !killed.has(pid));
    if (found.length === 0) return;
    for (const pid of found) {
      killed.add(pid);
      signal(pid, 'SIGKILL');
    }
  }
}

/** A group whose number of processes is limited is through after a few. */
const mostRounds = 100;

/**
 * A group whose children have limits may have no processes itself, so the host goes to one below;
 * that is done only where it is the group's only process. Throws where it cannot be done.
 */
function openVersion2(root: string, lines: readonly string[]): Hierarchy {
  const own = lines.find((line) => line.startsWith('0::'))?.slice(3) ?? '';
  const below = path.basename(own) === hostGroup;
  const base = path.join(root, below ? path.dirname(own) : own);
  if (!below) {
    const inside = readFileSync(path.join(base, 'cgroup.procs'), 'utf8').trim();
    if (inside !== String(process.pid)) throw new Error('not alone');
    const folder = path.join(base, hostGroup);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'cgroup.procs'), inside);
  }
  write(base, 'cgroup.subtree_control', '+cpu +memory');
  const pids = delegates(base, '+pids') ? base : undefined;
  return { version: 2, cpu: base, memory: base, pids, kill: base, roots: [root] };
}

/** A service manager may have delegated the limits of processors and memory alone. */
function delegates(base: string, controller: string): boolean {
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
    const [, names, own = ''] =
      lines
        .map((line) => line.split(':'))
        .find(([, controllers]) => controllers?.split(',').includes(controller)) ?? [];
    if (names === undefined) return undefined;
    // In a container the path is the one outside, of which only the end may be mounted.
    return [path.join(root, controller, own), path.join(root, controller)].find((folder) =>
      hasFile(folder, 'cgroup.procs'),
    );
  };
  const [cpu, memory] = [folderOf('cpu'), folderOf('memory')];
  if (cpu === undefined || memory === undefined) throw new Error('no limits');
  const own = lines.find((line) => line.startsWith('0::'))?.slice(3) ?? '';
  const unified = path.join(root, 'unified', own);
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

function killsIn(events: string): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** For some moments after its last process a group still counts as busy. */
async function removeFolder(folder: string): Promise<void> {
  for (let tries = mostTries; tries > 0; tries -= 1) {
    try {
      rmdirSync(folder);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) return;
    }
    await setTimeout(retryMs);
  }
  // Something that hid from the host is still in it.
}

const retryMs = 20;

const mostTries = 25;
