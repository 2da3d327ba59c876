import type { DeploymentState } from '../../contract/deployments.ts';
import type { HostClock } from '../clock.ts';
import type { InstanceRun, RunEnd, RunRequest, Runtime } from '../runtime/runtime.ts';
import { failedCrashes } from '../supervisor/service-status.ts';

export interface InstanceOptions {
  readonly runtime: Pick<Runtime, 'start'>;
  readonly clock: HostClock;
  readonly request: Omit<RunRequest, 'onEvent' | 'cancelSignal'>;
  /** Logs an event of the instance, a few words. */
  readonly onEvent: (text: string) => void;
  /** Called after each change of the instance's visible state. */
  readonly onChange: () => void;
  /** Called when a run has started; the returned function is called when it has exited. */
  readonly onRun: (run: InstanceRun) => () => void;
}

/** One instance of a service, restarted whenever it ends until it is stopped. */
export class Instance {
  readonly #parts: InstanceOptions;
  #state: Extract<DeploymentState, 'starting' | 'active' | 'restarting' | 'failed'> = 'starting';
  #run: InstanceRun | undefined;
  #loop: Promise<void> | undefined;
  #isStopping = false;
  readonly #unwanted = new AbortController();
  #graceMs = 0;
  #wake: (() => void) | undefined;
  #startedAt: number | undefined;
  #restarts = 0;
  #exitCode: number | null = null;
  #failure: string | undefined;
  readonly #firstRun = Promise.withResolvers<void>();

  constructor(parts: InstanceOptions) {
    this.#parts = parts;
  }

  get state() {
    return this.#state;
  }

  /** Wall-clock time of the last start, in ms since the epoch. */
  get startedAt(): number | undefined {
    return this.#startedAt;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Exit code of the last run that ended; null before, and after a signal. */
  get exitCode(): number | null {
    return this.#exitCode;
  }

  get port(): number | undefined {
    return this.#run?.port;
  }

  /** Reason why the instance was ended and starts no more. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Resolves with the bytes of storage of its own; undefined for one without, or when unknown. */
  async measureStorage(): Promise<number | undefined> {
    return await this.#run?.measureStorage?.();
  }

  /** Resolves when the instance has started for the first time. */
  get firstRun(): Promise<void> {
    return this.#firstRun.promise;
  }

  /** Starts the instance, unless it was stopped. `word` describes the start in the log. */
  start(word: 'started' | 'restarted'): void {
    if (!this.#isStopping) this.#loop ??= this.#runUntilStopped(word);
  }

  /** Stops the instance for good. Resolves when all of it has ended. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#unwanted.abort();
    this.#graceMs = graceMs;
    this.#wake?.();
    await this.#run?.stop(graceMs);
    await this.#loop;
  }

  /** Ends the instance, which counts as failed for this reason from now on. */
  async fail(reason: string, graceMs: number): Promise<void> {
    if (this.#isStopping) return;
    this.#failure = reason;
    this.#parts.onChange();
    this.#parts.onEvent(reason);
    await this.stop(graceMs);
    this.#state = 'failed';
    this.#parts.onChange();
  }

  async #runUntilStopped(word: 'started' | 'restarted') {
    const { runtime, clock, request, onEvent, onChange, onRun } = this.#parts;
    let crashes = noCrashes;
    let verb: string = word;
    while (!this.#isStopping) {
      const run = await runtime.start({ ...request, onEvent, cancelSignal: this.#unwanted.signal });
      const since = clock.monotonic();
      if ('failure' in run) {
        onEvent(this.#isStopping ? 'stopped' : `cannot start: ${run.failure}`);
      } else {
        this.#run = run;
        this.#startedAt = clock.now();
        void run.exited.then(onRun(run));
        this.#state = 'active';
        this.#firstRun.resolve();
        onChange();
        onEvent(run.port === undefined ? verb : `${verb}, port ${run.port}`);
        // A stop during the start had no run to stop.
        if (this.#isStopping) void run.stop(this.#graceMs);
        const end = await run.ended;
        this.#run = undefined;
        this.#exitCode = end.code ?? null;
        onChange();
        onEvent(this.#isStopping && end.lost === undefined ? 'stopped' : describe(end));
      }
      if (this.#isStopping) return;
      crashes = addCrash(crashes, clock.monotonic() - since);
      this.#state = isFailed(crashes) || 'failure' in run ? 'failed' : 'restarting';
      onChange();
      onEvent(`starts again in ${restartDelayMs(crashes) / 1000} s`);
      await this.#pause(restartDelayMs(crashes));
      this.#restarts += 1;
      onChange();
      verb = 'started';
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.schedule(ms, resolve);
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

const initialMs = 1000;
const maxMs = 60_000;

/** Milliseconds after which a run counts as healthy; the next crash starts a new streak. */
export const healthyMs = 60_000;

/** Crashes of an instance since its last healthy run. */
export interface CrashStreak {
  readonly count: number;
}

export const noCrashes: CrashStreak = { count: 0 };

/** Returns the crash streak after a run of `ranMs` ended. */
export function addCrash(before: CrashStreak, ranMs: number): CrashStreak {
  return { count: ranMs >= healthyMs ? 1 : before.count + 1 };
}

/** Returns the delay before the next start: 1, 2, 4 … 60 s. */
export function restartDelayMs({ count: inARow }: CrashStreak): number {
  return Math.min(maxMs, initialMs * 2 ** Math.max(0, inARow - 1));
}

/** Returns true when an instance counts as failed. */
export function isFailed({ count: inARow }: CrashStreak): boolean {
  return inARow >= failedCrashes;
}
