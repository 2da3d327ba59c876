import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorCode, Result, ServiceError } from '../client/errors.ts';
import type { Clock } from './clock.ts';

/** Whether the service answers at all; what it answers is each list's own matter. */
export type Reach =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'up' }
  | {
      readonly kind: 'away';
      readonly since: number;
      readonly nextTry: number;
      readonly error: ServiceError;
    };

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
export function retryDelay(attempt: number, error: ServiceError): number {
  const backOff = Math.min(longestRetry, shortestRetry * 2 ** Math.min(attempt, 10));
  return Math.max(backOff, (error.retryAfter ?? 0) * 1000);
}

/**
 * Keeps lists fresh: `probe` every 3 s says whether the service is there, the other tasks follow
 * at their own pace while it is. When it is away only the probe goes on, backing off to 10 s, and
 * the first answer brings everything up to date at once.
 */
export function createRefresh(options: {
  readonly clock: Clock;
  readonly probe: RefreshTask['run'];
  readonly tasks: readonly RefreshTask[];
}): Refresh {
  const { clock } = options;
  const reach = createStore<Reach>(() => ({ kind: 'connecting' }));
  const lastRun = new Map<RefreshTask, number>();
  let attempt = 0;
  let running = false;
  let stopped = true;
  let again = false;
  let cancel = () => {};

  function runTasks(): void {
    for (const task of options.tasks) {
      const last = lastRun.get(task);
      if (last !== undefined && clock.now() - last < task.every) continue;
      lastRun.set(task, clock.now());
      void task.run();
    }
  }

  function settle(result: Result<void>): number {
    if (!result.ok && isAway(result.error)) {
      const delay = retryDelay(attempt, result.error);
      attempt += 1;
      const before = reach.getState();
      const since = before.kind === 'away' ? before.since : clock.now();
      reach.setState(
        { kind: 'away', since, nextTry: clock.now() + delay, error: result.error },
        true,
      );
      return delay;
    }
    attempt = 0;
    if (reach.getState().kind !== 'up') {
      lastRun.clear();
      reach.setState({ kind: 'up' }, true);
    }
    runTasks();
    return probeInterval;
  }

  async function cycle(): Promise<void> {
    cancel();
    running = true;
    again = false;
    const delay = settle(await options.probe());
    running = false;
    if (stopped) return;
    cancel = clock.after(again ? 0 : delay, () => void cycle());
  }

  return {
    reach,
    start() {
      stopped = false;
      void cycle();
    },
    stop() {
      stopped = true;
      cancel();
    },
    now() {
      if (stopped) return;
      lastRun.clear();
      if (running) again = true;
      else void cycle();
    },
  };
}
