import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ControlGroup } from './control-groups.ts';
import type { RunOutput } from './output.ts';
import type { RunProcesses } from './run-processes.ts';
import type { InstanceRun, RunEnd, RunRequest } from './runtime.ts';

/** Time in which output may still arrive after the last process of a run is gone. */
const drainMs = 1000;

export interface ChildRunParts {
  readonly child: ChildProcess;
  readonly port: number | undefined;
  readonly processes: RunProcesses;
  readonly group: ControlGroup | undefined;
  readonly output: RunOutput;
  readonly onEvent: RunRequest['onEvent'];
  /** Called once nothing of the run is left. */
  readonly release: () => Promise<void>;
}

/** A run whose leader is a child process of the host. */
export class ChildRun implements InstanceRun {
  readonly port: number | undefined;
  readonly ended: Promise<RunEnd>;
  readonly #parts: ChildRunParts;
  /** When the grace of a stop is over; none is given to what outlives its leader. */
  #killAt = 0;

  constructor(parts: ChildRunParts) {
    this.#parts = parts;
    this.port = parts.port;
    this.ended = this.#end();
  }

  async stop(graceMs: number): Promise<void> {
    const { processes } = this.#parts;
    this.#killAt = performance.now() + graceMs;
    await processes.ask();
    const over = new AbortController();
    const { signal: cancelled } = over;
    const patience = setTimeout(graceMs, undefined, { signal: cancelled }).catch(() => undefined);
    await Promise.race([this.ended, patience]);
    over.abort();
    if (this.#isAlive()) processes.kill();
    await this.ended;
  }

  async #end(): Promise<RunEnd> {
    try {
      return await this.#watch();
    } finally {
      await this.#parts.release();
    }
  }

  /** Follows the leader to its end, then ends what it left behind. */
  async #watch(): Promise<RunEnd> {
    const { child, processes, output, group, onEvent } = this.#parts;
    if (this.#isAlive()) await once(child, 'exit');
    const left = await processes.end(this.#killAt);
    if (left.length > 0) onEvent(`could not be ended: ${left.join(', ')}`);
    // Nothing of the run is left to write, unless it hid from us; then its pipes are given up.
    await output.finish(drainMs);
    const cause = group?.ranOutOfMemory() === true ? 'out of memory' : undefined;
    return { code: child.exitCode ?? undefined, signal: child.signalCode ?? undefined, cause };
  }

  #isAlive(): boolean {
    const { child } = this.#parts;
    return child.exitCode === null && child.signalCode === null;
  }
}
