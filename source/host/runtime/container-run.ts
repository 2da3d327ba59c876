import { setTimeout } from 'node:timers/promises';
import type { Container, ContainerInspectInfo } from 'dockerode';
import { answerWithin, waitForEnd } from './container-answers.ts';
import { engineReason, engineStatus } from './container-engine.ts';
import { followOutput } from './container-output.ts';
import type { Run, RunEnd, RunRequest } from './runtime.ts';

export interface ContainerRunParts {
  readonly container: Container;
  /** What it writes, asked for before its start so that nothing is missed. */
  readonly output: NodeJS.ReadableStream;
  /** Settles at its end or when the engine goes away, asked for before its start. */
  readonly exit: Promise<void>;
  readonly port: number | undefined;
  readonly request: Pick<RunRequest, 'onLines' | 'onEvent'>;
  /** Called once nothing of it is left; `false` when that is not known. */
  readonly onOver: (isGone: boolean) => void;
}

/** How long output may still arrive after the end. */
const drainMs = 1000;

/** How long an engine may be away before what it ran counts as lost. */
const awayMs = 5000;

const retryMs = 500;

/** What an engine is given beyond the grace of a stop, and for a question. */
const answerMs = 15_000;

/** A container that was started. */
export class ContainerRun implements Run {
  readonly port: number | undefined;
  readonly ended: Promise<RunEnd>;
  readonly #parts: ContainerRunParts;
  readonly #lost = Promise.withResolvers<RunEnd>();
  #output: Promise<void>;
  #hasOutput = true;

  constructor(parts: ContainerRunParts) {
    this.#parts = parts;
    this.port = parts.port;
    this.#output = this.#follow(parts.output);
    this.ended = this.#watch();
  }

  async stop(graceMs: number): Promise<void> {
    const asked = this.#parts.container.stop({ t: Math.ceil(graceMs / 1000) });
    try {
      await answerWithin(graceMs + answerMs, asked);
    } catch (error) {
      // 304: it had ended already; 404: it is gone.
      const status = engineStatus(error);
      if (status !== 304 && status !== 404) this.#lost.resolve({ lost: engineReason(error) });
    }
    await this.ended;
  }

  async #watch(): Promise<RunEnd> {
    const { container, onOver } = this.#parts;
    const end = await Promise.race([this.#exited(), this.#lost.promise]);
    await Promise.race([this.#output, setTimeout(drainMs, undefined, { ref: false })]);
    let isGone = false;
    try {
      await answerWithin(answerMs, container.remove({ force: true, v: true }));
      isGone = true;
    } catch (error) {
      isGone = engineStatus(error) === 404;
    }
    onOver(isGone);
    return end;
  }

  /** Settles with its end. An engine that was away for a moment, as for a restart, is asked again. */
  async #exited(): Promise<RunEnd> {
    const { container, exit } = this.#parts;
    let waiting = exit;
    for (;;) {
      await waiting;
      const info = await this.#inspect();
      if ('lost' in info) return info;
      const { Running, ExitCode, OOMKilled } = info.State;
      if (!Running) return { code: ExitCode, cause: OOMKilled ? 'out of memory' : undefined };
      if (!this.#hasOutput) await this.#resume();
      await setTimeout(retryMs, undefined, { ref: false });
      waiting = waitForEnd(container, 'not-running');
    }
  }

  async #inspect(): Promise<ContainerInspectInfo | { readonly lost: string }> {
    const deadline = performance.now() + awayMs;
    for (;;) {
      try {
        return await answerWithin(answerMs, this.#parts.container.inspect());
      } catch (error) {
        if (engineStatus(error) === 404) return { lost: 'its container was removed' };
        if (performance.now() >= deadline) return { lost: engineReason(error) };
      }
      await setTimeout(retryMs, undefined, { ref: false });
    }
  }

  /** Reads on where the engine answers again; what was written meanwhile is nowhere. */
  async #resume() {
    const { container, request } = this.#parts;
    try {
      const asked = container.attach({ stream: true, stdout: true, stderr: true });
      const output = await answerWithin(answerMs, asked);
      request.onEvent('the container engine was away: lines written meanwhile are missing');
      this.#output = this.#follow(output);
    } catch {
      // Asked for again after the next wait.
    }
  }

  async #follow(output: NodeJS.ReadableStream): Promise<void> {
    this.#hasOutput = true;
    await followOutput(output, this.#parts.request.onLines);
    this.#hasOutput = false;
  }
}
