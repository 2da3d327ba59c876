import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Resources } from '../../contract/sdl/resources.ts';
import { groupName, groupsBelow, removeLeft } from './left-groups.ts';

/** What limits the processes of one run. */
export interface ControlGroup {
  /** The command line that runs this one within the limits, with all that it starts. */
  wrap(command: readonly string[]): readonly string[];
  /** Whether the memory limit ended one of its processes. */
  ranOutOfMemory(): boolean;
  /** Once nothing of the run is left. Never throws. */
  remove(): Promise<void>;
}

/** The folders that groups are made in, by what they limit; both the same one in version 2. */
interface Hierarchy {
  readonly version: 1 | 2;
  readonly cpu: string;
  readonly memory: string;
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
      void groups.limit(randomUUID(), { cpu: 1, memory: 64 * 1024 * 1024 }).remove();
      void groups.forget([]);
      return groups;
    } catch {
      return undefined;
    }
  }

  /** A group with these limits. Throws where the kernel refuses one. */
  limit(run: string, { cpu, memory }: Resources): ControlGroup {
    const { version } = this.#hierarchy;
    const [inCpu, inMemory] = this.#foldersOf(run);
    const folders = [...new Set([inCpu, inMemory])];
    const remove = async () => {
      await Promise.all(folders.map(removeFolder));
    };
    const write = (folder: string, file: string, value: string) => {
      writeFileSync(path.join(folder, file), value);
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
    } catch (error) {
      void remove();
      throw error;
    }
    const doors = folders.map((folder) => path.join(folder, 'cgroup.procs'));
    const events = path.join(inMemory, version === 2 ? 'memory.events' : 'memory.oom_control');
    return {
      wrap: (command) => ['/bin/sh', '-c', entering, 'sh', ...doors, '--', ...command],
      ranOutOfMemory: () => killsIn(events) > 0,
      remove,
    };
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

  /** For what limits processors, and for what limits memory. */
  #foldersOf(run: string): readonly [string, string] {
    const { cpu, memory } = this.#hierarchy;
    return [path.join(cpu, groupName(run)), path.join(memory, groupName(run))];
  }
}

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
  writeFileSync(path.join(base, 'cgroup.subtree_control'), '+cpu +memory');
  return { version: 2, cpu: base, memory: base, roots: [root] };
}

const hostGroup = 'hostdeck.host';

function openVersion1(root: string, lines: readonly string[]): Hierarchy {
  const folderOf = (controller: string) => {
    const [, names = '', own = ''] =
      lines
        .map((line) => line.split(':'))
        .find(([, controllers]) => controllers?.split(',').includes(controller)) ?? [];
    if (names === '') throw new Error(`no ${controller}`);
    // In a container the path is the one outside, of which only the end may be mounted.
    const folder = path.join(root, controller, own);
    return hasFile(folder, 'cgroup.procs') ? folder : path.join(root, controller);
  };
  const roots = ['cpu', 'memory'].map((controller) => path.join(root, controller));
  return { version: 1, cpu: folderOf('cpu'), memory: folderOf('memory'), roots };
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
