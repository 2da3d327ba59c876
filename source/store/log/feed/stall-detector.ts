import type { Clock } from '../../time/clock.ts';

export interface StallDetectorOptions {
  readonly clock: Clock;
  /** Returns the number of lines that the stream has delivered so far. */
  readonly receivedLines: () => number;
  /** Called when the stream is quiet; the owner then compares it with the service's log. */
  readonly onQuiet: () => void;
  /** Called when the service has newer lines that the stream still does not deliver. */
  readonly onStalled: () => void;
}

/** Detects an open stream that has stopped delivering without being closed. */
export interface StallDetector {
  start(): void;
  /** Reports that the service has lines that the stream has not delivered. */
  reportBehind(): void;
  stop(): void;
}

/** Milliseconds of silence before the first comparison with the service, and before later ones. */
const firstInterval = 2000;
const laterInterval = 30_000;

/** Milliseconds that a line may reach the stream later than the answers over HTTP. */
const deliveryTime = 1000;

export function createStallDetector({
  clock,
  receivedLines,
  ...options
}: StallDetectorOptions): StallDetector {
  let cancelNext = (): void => {};
  let cancelCheck = (): void => {};

  const schedule = (milliseconds: number): void => {
    const before = receivedLines();
    cancelNext = clock.after(milliseconds, () => {
      schedule(laterInterval);
      if (receivedLines() === before) options.onQuiet();
    });
  };
  const stop = (): void => {
    cancelNext();
    cancelCheck();
  };

  return {
    start() {
      stop();
      schedule(firstInterval);
    },
    reportBehind() {
      const before = receivedLines();
      cancelCheck();
      cancelCheck = clock.after(deliveryTime, () => {
        if (receivedLines() === before) options.onStalled();
      });
    },
    stop,
  };
}
