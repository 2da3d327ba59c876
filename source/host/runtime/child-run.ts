import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ControlGroup } from './control-groups.ts';
import type { RunOutput } from './output.ts';
import type { RunProcesses } from './run-processes.ts';
import type { InstanceRun, RunEnd, RunRequest } from './runtime.ts';

/** Time that the output may still take to arrive after the last process of a run has ended. */
const drainMs = 1000;

export interface ChildRunParts {
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
export class ChildRun implements InstanceRun {
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
