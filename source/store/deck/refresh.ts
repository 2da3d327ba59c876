import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorCode, Result, ServiceError } from '../../client/http/errors.ts';
import type { Reach } from '../lists/reach.ts';
import type { Clock } from '../time/clock.ts';

/** One list to keep fresh. */
export interface RefreshTask {
  /** Milliseconds between two fetches while the service answers. */
  readonly every: number;
  run(): Promise<Result<void>>;
}

export interface Refresh {
  readonly reach: StoreApi<Reach>;
  start(): void;
  stop(): void;
  /** Fetches everything now; also ends the wait of a back-off. */
  now(): void;
}

/** Milliseconds between two probes while the service answers. */
export const probeInterval = 3000;
const shortestRetry = 1000;
const longestRetry = 10_000;
/** A wait that the service asks for is kept up to this: a slip in a header must not end the day. */
const longestAsked = 3_600_000;

const awayCodes: ReadonlySet<ErrorCode> = new Set([
  'refused',
  'dns',
  'tls',
  'timeout',
  'disconnected',
  'service-error',
]);

/** True for failures that say the service is not there, rather than that it refused something. */
export function isAway(error: ServiceError): boolean {
  return awayCodes.has(error.code);
}

/** Milliseconds to wait before try number `attempt` (from 0), at least what the service asked for. */
export function pollDelay(attempt: number, error: ServiceError): number {
  const backOff = Math.min(longestRetry, shortestRetry * 2 ** Math.min(attempt, 10));
  return Math.max(backOff, askedWait(error));
}

function askedWait(error: ServiceError): number {
  return Math.min(longestAsked, (error.retryAfter ?? 0) * 1000);
}

/** One fetch of a task, sent at `at`. The next one is due `wait` ms later, once this has ended. */
interface Run {
  readonly at: number;
  readonly wait: number;
  readonly ended: boolean;
}

/**
 * Keeps lists fresh: `probe` every 3 s says whether the service is there, the other tasks follow
 * at their own pace while it is, each one fetch at a time. When it is away only the probe goes on,
 * backing off to 10 s, and the first answer brings everything up to date at once. A service that
 * limits our rate is there, but is left alone for as long.
 */
export function createRefresh(options: {
  readonly clock: Clock;
  readonly probe: RefreshTask['run'];
  readonly tasks: readonly RefreshTask[];
}): Refresh {
  const { clock } = options;
  const reach = createStore<Reach>(() => ({ kind: 'connecting' }));
  const runs = new Map<RefreshTask, Run>();
  /** From start to stop; an answer that comes after the end of its session is dropped. */
  let session: symbol | undefined;
  let attempt = 0;
  let probing = false;
  let again = false;
  let cancel = () => {};

  function isDue(task: RefreshTask): boolean {
    const run = runs.get(task);
    if (run === undefined) return true;
    const passed = clock.now() - run.at;
    // A clock that was set back does not tell how long ago it was.
    return run.ended && (passed < 0 || passed >= run.wait);
  }

  async function runTask(task: RefreshTask): Promise<void> {
    const run: Run = { at: clock.now(), wait: task.every, ended: false };
    runs.set(task, run);
    const result = await task.run();
    if (runs.get(task) !== run) return;
    const wait = result.ok ? run.wait : Math.max(run.wait, askedWait(result.error));
    runs.set(task, { ...run, wait, ended: true });
  }

  /** Takes the probe's answer; gives the milliseconds until the next probe. */
  function settle(result: Result<void>): number {
    const error = result.ok ? undefined : result.error;
    if (error?.code === 'aborted') return probeInterval;
    if (error !== undefined && isAway(error)) {
      const delay = pollDelay(attempt, error);
      attempt += 1;
      const before = reach.getState();
      const since = before.kind === 'away' ? before.since : clock.now();
      reach.setState({ kind: 'away', since, nextTry: clock.now() + delay, error }, true);
      return delay;
    }
    if (reach.getState().kind !== 'up') {
      runs.clear();
      reach.setState({ kind: 'up' }, true);
    }
    if (error?.code === 'rate-limited') {
      const delay = Math.max(probeInterval, pollDelay(attempt, error));
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
    const mine = session;
    cancel();
    probing = true;
    again = false;
    const result = await options.probe();
    if (mine !== session) return;
    const delay = settle(result);
    // Those who watch the reach may have stopped it.
    if (mine !== session) return;
    probing = false;
    cancel = clock.after(again ? 0 : delay, () => void cycle());
  }

  return {
    reach,
    start() {
      if (session !== undefined) return;
      session = Symbol('session');
      void cycle();
    },
    stop() {
      session = undefined;
      cancel();
    },
    now() {
      if (session === undefined) return;
      runs.clear();
      if (probing) again = true;
      else void cycle();
    },
  };
}
