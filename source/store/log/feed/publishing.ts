import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../../time/clock.ts';
import type { LogsState } from './log-source.ts';
import { createPublishThrottle } from './publish-throttle.ts';

/** Counts of a log that its state shows. */
type LogCounts = Pick<LogsState, 'version' | 'received' | 'unreadable' | 'others' | 'rate'>;

/** The published state of a log, and the counts that go into it. */
interface LogPublishing {
  readonly state: StoreApi<LogsState>;
  readonly counts: { version: number; received: number; unreadable: number; others: number };
  /** Publishes the state within a frame, or at once when the interval is 0. */
  publishSoon(): void;
  /** Publishes for the last time. */
  stop(): void;
}

/**
 * Publishes the state of a log, at most once a frame.
 *
 * @param interval milliseconds between two notifications; 0 publishes every change at once.
 * @param current returns the state without its counts.
 */
export function createLogPublishing(
  clock: Clock,
  interval: number,
  current: () => Omit<LogsState, keyof LogCounts>,
): LogPublishing {
  const counts = { version: 0, received: 0, unreadable: 0, others: 0, rate: 0 };
  const state = createStore<LogsState>(() => ({ ...counts, ...current() }));
  const throttle = createPublishThrottle(interval);
  let stopped = false;
  let cancelPublish: (() => void) | undefined;

  const publishSoon = (): void => {
    if (stopped) return;
    if (interval === 0) publish();
    else cancelPublish ??= clock.after(throttle.delay(), publish);
  };
  const publish = (): void => {
    cancelPublish?.();
    cancelPublish = undefined;
    throttle.recordPublish(counts.received, clock.now());
    state.setState({ ...counts, ...current() }, true);
  };

  let countedLines = 0;
  const countRate = (): void => {
    const rate = counts.received - countedLines;
    countedLines = counts.received;
    if (rate !== counts.rate) {
      counts.rate = rate;
      publishSoon();
    }
    cancelRate = clock.after(1000, countRate);
  };
  let cancelRate = clock.after(1000, countRate);

  return {
    state,
    counts,
    publishSoon,
    stop() {
      cancelRate();
      publish();
      stopped = true;
    },
  };
}
