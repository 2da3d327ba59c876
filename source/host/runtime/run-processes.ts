import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { endRunProcesses, findRunProcesses, sendSignal } from './carriers.ts';
import type { ControlGroup } from './control-groups.ts';

export interface RunProcessesParts {
  /** The leader: the service, or bubblewrap with the service below it. */
  readonly child: ChildProcess;
  /** Id of the run, which its processes have in their environment. */
  readonly run: string;
  /** The control group of the processes; undefined when the host may not create one. */
  readonly group: ControlGroup | undefined;
  readonly isSandboxed: boolean;
  /** False when the service runs as the host's own user, who may leave a group. */
  readonly isIsolated: boolean;
}

const pollMs = 25;

const groupPollMs = 50;

/** Time to wait after SIGKILL; a process that is still there hangs in the kernel. */
const killTimeoutMs = 5000;

/**
 * Signals and ends all processes of a run. They are found by their control group, which an isolated
 * service can't leave; else by the sandbox, which ends with all its processes; else by the run's id
 * in their environment and their process group, both of which a service can change.
 */
export class RunProcesses {
  readonly #parts: RunProcessesParts;

  constructor(parts: RunProcessesParts) {
    this.#parts = parts;
  }

  /** Sends SIGTERM to all processes. */
  async terminate(): Promise<void> {
    const { child, run, group, isSandboxed } = this.#parts;
    const terminate = (pid: number) => {
      // SIGTERM ends bubblewrap, which kills all processes of the sandbox without grace.
      if (!isSandboxed || pid !== child.pid) sendSignal(pid, 'SIGTERM');
    };
    const members = membersOf(group);
    if (members !== undefined) members.forEach(terminate);
    else if (isSandboxed) await findRunProcesses(new Set([run]), terminate);
    else this.#signalGroup('SIGTERM');
  }

  /** Sends SIGKILL to the processes of the control group and of the process group. */
  kill(): void {
    const { group } = this.#parts;
    try {
      group?.kill();
    } catch {
      // No free file descriptor: the signal below ends the leader, and `end` tries again.
    }
    this.#signalGroup('SIGKILL');
  }

  /**
   * Ends the processes that remain after the leader's exit: with SIGTERM first, from `killAt` on
   * (`performance.now()`) with SIGKILL. Resolves with those that remain, in the form `node (4711)`.
   */
  async end(killAt: number): Promise<readonly string[]> {
    const { run, group, isSandboxed, isIsolated } = this.#parts;
    let remaining: readonly number[] = [];
    if (group !== undefined) remaining = await this.#endGroup(group, killAt);
    if (group === undefined || !isIsolated) {
      if (!isSandboxed) this.#signalGroup('SIGTERM');
      await endRunProcesses(new Set([run]), Math.max(0, killAt - performance.now()));
      const { pid } = this.#parts.child;
      // Processes of the group may hide their environment.
      if (pid !== undefined) await waitForGroupEnd(pid, killAt);
      this.#signalGroup('SIGKILL');
      const found: number[] = [];
      await findRunProcesses(new Set([run]), (each) => found.push(each));
      remaining = [...remaining, ...found];
    }
    return await Promise.all([...new Set(remaining)].map(describe));
  }

  async #endGroup(group: ControlGroup, killAt: number): Promise<readonly number[]> {
    const signaled = new Set<number>();
    const giveUpAt = Math.max(killAt, performance.now()) + killTimeoutMs;
    let members = membersOf(group);
    while (members === undefined || members.length > 0) {
      const now = performance.now();
      if (now >= giveUpAt) return members ?? [];
      if (now >= killAt) this.kill();
      else for (const pid of members ?? []) if (!signaled.has(pid)) sendSignal(pid, 'SIGTERM');
      for (const pid of members ?? []) signaled.add(pid);
      await setTimeout(pollMs);
      members = membersOf(group);
    }
    return [];
  }

  #signalGroup(name: NodeJS.Signals) {
    const { pid } = this.#parts.child;
    if (pid !== undefined) sendSignal(-pid, name);
  }
}

/**
 * Waits until no process of a process group runs, at most until `deadline` (`performance.now()`).
 */
async function waitForGroupEnd(group: number, deadline: number): Promise<void> {
  while (performance.now() < deadline && (await isGroupRunning(group)))
    await setTimeout(groupPollMs);
}

async function isGroupRunning(group: number): Promise<boolean> {
  if (!sendSignal(-group, 0)) return false;
  if (process.platform !== 'linux') return true;
  // A zombie stays in the group until its parent reaps it, which may never happen.
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const running = names.map(async (name) => {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state = '', , member] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(member) === group && !/[ZX]/.test(state);
  });
  return (await Promise.all(running)).includes(true);
}

/** Returns undefined without a group or without a free file descriptor. */
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
