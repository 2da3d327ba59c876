import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorCode, Result, ServiceError } from '../../client/http/errors.ts';
import type { Reach } from '../lists/reach.ts';
import type { Clock } from '../time/clock.ts';

/** A periodic fetch. */
export interface PollTask {
  /** Milliseconds between two fetches while the service answers. */
  readonly interval: number;
  run(): Promise<Result<void>>;
}

export interface Polling {
  readonly reach: StoreApi<Reach>;
  /** Returns the start of the current outage, if any. */
  silentSince(): number | undefined;
  start(): void;
  stop(): void;
  /** Fetches everything now, also during a backoff. */
  now(): void;
}

/** Milliseconds between two probes while the service answers. */
export const probeInterval = 3000;
const minRetryDelay = 1000;
const maxRetryDelay = 10_000;
/** Upper limit for Retry-After in ms, against a wrong header. */
const maxRetryAfter = 3_600_000;

const awayCodes: ReadonlySet<ErrorCode> = new Set([
  'refused',
  'dns',
  'tls',
  'timeout',
  'disconnected',
  'service-error',
]);

/** Returns whether an error means that the service is unreachable, rather than that it refused a request. */
export function isAway(error: ServiceError): boolean {
  return awayCodes.has(error.code);
}

/** Milliseconds without an answer that are shown: a slow service answers within less. */
export const shownSilence = 5000;

/** Returns since when the service has not answered, in ms; undefined while it answers. */
export function unansweredSince(
  { reach, silentSince }: Pick<Polling, 'reach' | 'silentSince'>,
  now: number,
): number | undefined {
  const state = reach.getState();
  if (state.kind === 'away') return state.since;
  const since = silentSince();
  return since !== undefined && now - since >= shownSilence ? since : undefined;
}

/** Returns the milliseconds before attempt number `attempt` (from 0), at least Retry-After. */
export function probeBackoff(attempt: number, error: ServiceError): number {
  const backoff = Math.min(maxRetryDelay, minRetryDelay * 2 ** Math.min(attempt, 10));
  return Math.max(backoff, retryAfterTime(error));
}

/** Returns whether the service answered, even if it refused the request. */
function isAnswer(result: Result<void>): boolean {
  return result.ok || (result.error.code !== 'aborted' && !isAway(result.error));
}

function retryAfterTime(error: ServiceError): number {
  return Math.min(maxRetryAfter, (error.retryAfter ?? 0) * 1000);
}

/** A fetch of a task, sent at `at`. The next one is due `wait` ms later, after this one has ended. */
interface Run {
  readonly at: number;
  readonly wait: number;
  readonly isEnded: boolean;
}

/**
 * Creates the periodic refresh. `probe` runs every 3 s and decides whether the service is reachable;
 * the other tasks run at their own intervals, one fetch at a time each. While the service is away, only
 * the probe runs, with a backoff up to 10 s, and the first answer fetches everything at once. While
 * the service limits the rate, it counts as reachable, but nothing is fetched until the limit ends.
 */
export function createPolling(options: {
  readonly clock: Clock;
  readonly probe: PollTask['run'];
  readonly tasks: readonly PollTask[];
}): Polling {
  const { clock } = options;
  const reach = createStore<Reach>(() => ({ kind: 'connecting' }));
  const runs = new Map<PollTask, Run>();
  /** The session from start to stop; answers of an earlier session are dropped. */
  let session: symbol | undefined;
  let attempt = 0;
  let isProbing = false;
  let mustRepeat = false;
  let cancel = () => {};
  /** Time of the first probe without an answer, or of a later answer to another request. */
  let silentSince: number | undefined;

  function isDue(task: PollTask): boolean {
    const run = runs.get(task);
    if (run === undefined) return true;
    const passed = clock.now() - run.at;
    // A negative time means that the clock was set back: fetch now.
    return run.isEnded && (passed < 0 || passed >= run.wait);
  }

  async function runTask(task: PollTask): Promise<void> {
    const run: Run = { at: clock.now(), wait: task.interval, isEnded: false };
    runs.set(task, run);
    const result = await task.run();
    if (runs.get(task) !== run) return;
    if (silentSince !== undefined && isAnswer(result)) silentSince = clock.now();
    const wait = result.ok ? run.wait : Math.max(run.wait, retryAfterTime(result.error));
    runs.set(task, { ...run, wait, isEnded: true });
  }

  /** Handles the probe's answer. Returns the milliseconds until the next probe. */
  function settle(result: Result<void>): number {
    const error = result.ok ? undefined : result.error;
    if (error?.code === 'aborted') return probeInterval;
    if (error !== undefined && isAway(error)) {
      const delay = probeBackoff(attempt, error);
      attempt += 1;
      const before = reach.getState();
      const since = before.kind === 'away' ? before.since : (silentSince ?? clock.now());
      reach.setState({ kind: 'away', since, nextTry: clock.now() + delay, error }, true);
      return delay;
    }
    silentSince = undefined;
    if (reach.getState().kind !== 'up') {
      runs.clear();
      reach.setState({ kind: 'up' }, true);
    }
    if (error?.code === 'rate-limited') {
      const delay = Math.max(probeInterval, probeBackoff(attempt, error));
      attempt += 1;
      return delay;
    }
    attempt = 0;
    for (const task of options.tasks) {
      if (isDue(task)) void runTask(task);
    }
    return probeInterval;
  }

  async function cycle(): Promise<void> {
    const current = session;
    cancel();
    isProbing = true;
    mustRepeat = false;
    silentSince ??= clock.now();
    const result = await options.probe();
    if (current !== session) return;
    const delay = settle(result);
    // Subscribers of the reach may have stopped the refresh.
    if (current !== session) return;
    isProbing = false;
    cancel = clock.after(mustRepeat ? 0 : delay, () => void cycle());
  }

  return {
    reach,
    silentSince: () => silentSince,
    start() {
      if (session !== undefined) return;
      session = Symbol('session');
      void cycle();
    },
    stop() {
      session = undefined;
      silentSince = undefined;
      cancel();
    },
    now() {
      if (session === undefined) return;
      runs.clear();
      if (isProbing) mustRepeat = true;
      else void cycle();
    },
  };
}
