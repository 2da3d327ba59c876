import type { Clock } from '../../time/clock.ts';

export interface StallDetectorOptions {
  readonly clock: Clock;
  /** Lines that have come over the stream so far. */
  readonly received: () => number;
  /** Nothing came for a while: does the service have more than it delivered? */
  readonly onQuiet: () => void;
  /** It does, and the stream still does not deliver. */
  readonly onStalled: () => void;
}

/** Watches over an open stream that may have ceased to deliver without being closed. */
export interface StallDetector {
  start(): void;
  /** The service has lines that did not come yet. */
  behind(): void;
  stop(): void;
}

/** Quiet time after which it is asked: first, and from then on, ms. */
const firstAfter = 2000;
const every = 30_000;

/** Lines may still be on their way over the stream so long after they could be fetched, ms. */
const inFlight = 1000;

export function createStallDetector({
  clock,
  received,
  ...options
}: StallDetectorOptions): StallDetector {
  let cancelNext = (): void => {};
  let cancelCheck = (): void => {};

  const wait = (milliseconds: number): void => {
    const before = received();
    cancelNext = clock.after(milliseconds, () => {
      wait(every);
      if (received() === before) options.onQuiet();
    });
  };
  const stop = (): void => {
    cancelNext();
    cancelCheck();
  };

  return {
    start() {
      stop();
      wait(firstAfter);
    },
    behind() {
      const before = received();
      cancelCheck();
      cancelCheck = clock.after(inFlight, () => {
        if (received() === before) options.onStalled();
      });
    },
    stop,
  };
}
