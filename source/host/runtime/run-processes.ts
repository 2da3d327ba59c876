import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { endCarriers, findCarriers, signal } from './carriers.ts';
import type { ControlGroup } from './control-groups.ts';
import { groupEnds } from './process-group.ts';

export interface RunProcessesParts {
  /** The leader: the service, or bubblewrap with the service below it. */
  readonly child: ChildProcess;
  /** Id of the run, which its processes carry in their environment. */
  readonly run: string;
  /** Holds all of them, where the host may make one. */
  readonly group: ControlGroup | undefined;
  readonly isSandboxed: boolean;
  /** False where the service runs as the host's own user, who may leave a group. */
  readonly isIsolated: boolean;
}

const pollMs = 25;

/** A process that SIGKILL doesn't end within this time hangs in the kernel and is given up. */
const hopelessMs = 5000;

/**
 * All processes of a run. They are known by their control group, which an isolated service can't
 * leave; else by the sandbox, which takes all with it; else by the run's id in their environment
 * and their process group, which a service may shed.
 */
export class RunProcesses {
  readonly #parts: RunProcessesParts;

  constructor(parts: RunProcessesParts) {
    this.#parts = parts;
  }

  /** Asks all of them to end. */
  async ask(): Promise<void> {
    const { child, run, group, isSandboxed } = this.#parts;
    const ask = (pid: number) => {
      // Bubblewrap would end at this, and take all that is in the sandbox without grace.
      if (!isSandboxed || pid !== child.pid) signal(pid, 'SIGTERM');
    };
    const members = membersOf(group);
    if (members !== undefined) members.forEach(ask);
    else if (isSandboxed) await findCarriers(new Set([run]), ask);
    else this.#signalGroup('SIGTERM');
  }

  /** Ends all of them that the host can name at once. */
  kill(): void {
    const { group } = this.#parts;
    try {
      group?.kill();
    } catch {
      // Without a descriptor to spare; the leader at least ends, and `end` tries again.
    }
    this.#signalGroup('SIGKILL');
  }

  /**
   * Ends what the leader, which has ended, has left: asks first, and from `killAt` on
   * (`performance.now()`) makes it. Returns what is left all the same, as `node (4711)`.
   */
  async end(killAt: number): Promise<readonly string[]> {
    const { run, group, isSandboxed, isIsolated } = this.#parts;
    let left: readonly number[] = [];
    if (group !== undefined) left = await this.#endGroup(group, killAt);
    if (group === undefined || !isIsolated) {
      if (!isSandboxed) this.#signalGroup('SIGTERM');
      await endCarriers(new Set([run]), Math.max(0, killAt - performance.now()));
      const { pid } = this.#parts.child;
      // Some of the group may hide what they carry.
      if (pid !== undefined) await groupEnds(pid, killAt);
      this.#signalGroup('SIGKILL');
      const carriers: number[] = [];
      await findCarriers(new Set([run]), (each) => carriers.push(each));
      left = [...left, ...carriers];
    }
    return await Promise.all([...new Set(left)].map(describe));
  }

  async #endGroup(group: ControlGroup, killAt: number): Promise<readonly number[]> {
    const asked = new Set<number>();
    const hopelessAt = Math.max(killAt, performance.now()) + hopelessMs;
    let members = membersOf(group);
    while (members === undefined || members.length > 0) {
      const now = performance.now();
      if (now >= hopelessAt) return members ?? [];
      if (now >= killAt) this.kill();
      else for (const pid of members ?? []) if (!asked.has(pid)) signal(pid, 'SIGTERM');
      for (const pid of members ?? []) asked.add(pid);
      await setTimeout(pollMs);
      members = membersOf(group);
    }
    return [];
  }

  #signalGroup(name: NodeJS.Signals) {
    const { pid } = this.#parts.child;
    if (pid !== undefined) signal(-pid, name);
  }
}

/** Undefined without a group, and without a file descriptor to look into it. */
function membersOf(group: ControlGroup | undefined): readonly number[] | undefined {
  try {
    return group?.members();
  } catch {
    return undefined;
  }
}

async function describe(pid: number): Promise<string> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return `${name.trim() || 'process'} (${pid})`;
}
