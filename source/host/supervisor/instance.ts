import type { DeploymentState } from '../../contract/deployments.ts';
import type { HostClock } from '../clock.ts';
import type { InstanceRun, RunEnd, RunRequest, Runtime } from '../runtime/runtime.ts';
import { crashed, isHopeless, noCrashes, pauseMs } from './backoff.ts';

export interface InstanceParts {
  readonly runtime: Runtime;
  readonly clock: HostClock;
  readonly request: Omit<RunRequest, 'onEvent' | 'unwanted'>;
  /** Takes what happens to the instance, a few words each time. */
  readonly onEvent: (text: string) => void;
  /** Is told whenever there is another thing to see of it. */
  readonly onChange: () => void;
}

/** One process of a service, started again whenever it ends until it is stopped. */
export class Instance {
  readonly #parts: InstanceParts;
  #state: Extract<DeploymentState, 'starting' | 'active' | 'restarting' | 'failed'> = 'starting';
  #run: InstanceRun | undefined;
  #life: Promise<void> | undefined;
  #stopping = false;
  readonly #unwanted = new AbortController();
  #graceMs = 0;
  #wake: (() => void) | undefined;
  #startedAt: number | undefined;
  #restarts = 0;
  #exitCode: number | null = null;
  readonly #firstRun = Promise.withResolvers<void>();

  constructor(parts: InstanceParts) {
    this.#parts = parts;
  }

  get state() {
    return this.#state;
  }

  /** Wall clock of the last start. */
  get startedAt(): number | undefined {
    return this.#startedAt;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Of the last run that ended; null before, and when a signal ended it. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  get port(): number | undefined {
    return this.#run?.port;
  }

  /** Settles when it has run for the first time. */
  get firstRun(): Promise<void> {
    return this.#firstRun.promise;
  }

  /** Starts it for the first time, unless it was stopped; `word` is how its log says so. */
  start(word: 'started' | 'restarted'): void {
    if (!this.#stopping) this.#life ??= this.#live(word);
  }

  /** Ends it for good. Settles when nothing of it is left. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#unwanted.abort();
    this.#graceMs = graceMs;
    this.#wake?.();
    await this.#run?.stop(graceMs);
    await this.#life;
  }

  async #live(word: 'started' | 'restarted') {
    const { runtime, clock, request, onEvent, onChange } = this.#parts;
    let crashes = noCrashes;
    let verb: string = word;
    while (!this.#stopping) {
      const run = await runtime.start({ ...request, onEvent, unwanted: this.#unwanted.signal });
      const since = clock.monotonic();
      if ('failure' in run) {
        onEvent(this.#stopping ? 'stopped' : `cannot start: ${run.failure}`);
      } else {
        this.#run = run;
        this.#state = 'active';
        this.#firstRun.resolve();
        this.#startedAt = clock.now();
        onChange();
        onEvent(run.port === undefined ? verb : `${verb}, port ${run.port}`);
        // A stop that came while it started found no run to stop.
        if (this.#stopping) void run.stop(this.#graceMs);
        const end = await run.ended;
        this.#run = undefined;
        this.#exitCode = end.code ?? null;
        onChange();
        onEvent(this.#stopping && end.lost === undefined ? 'stopped' : describe(end));
      }
      if (this.#stopping) return;
      crashes = crashed(crashes, clock.monotonic() - since);
      this.#state = isHopeless(crashes) || 'failure' in run ? 'failed' : 'restarting';
      onChange();
      onEvent(`starts again in ${pauseMs(crashes) / 1000} s`);
      await this.#pause(pauseMs(crashes));
      this.#restarts += 1;
      onChange();
      verb = 'started';
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

function describe({ code, signal, cause, lost }: RunEnd): string {
  if (lost !== undefined) return `lost: ${lost}`;
  const end = code === undefined ? `killed by ${signal ?? 'a signal'}` : `exited ${code}`;
  return cause === undefined ? end : `${end}, ${cause}`;
}
