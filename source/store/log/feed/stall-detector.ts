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

/** Seconds of silence at which a stream is compared with the service's log; later every 30. */
const silences = [5, 10, 20];
const laterInterval = 30;

function isDue(silence: number): boolean {
  const last = silences.at(-1) ?? 0;
  return silences.includes(silence) || (silence > last && (silence - last) % laterInterval === 0);
}

/** Milliseconds that a line may reach the stream later than the answers over HTTP. */
const deliveryTime = 1000;

export function createStallDetector({
  clock,
  receivedLines,
  ...options
}: StallDetectorOptions): StallDetector {
  let cancelNext = (): void => {};
  let cancelCheck = (): void => {};

  /** Counts seconds instead of reading the clock, which may be set. */
  const count = (silence: number, before: number): void => {
    cancelNext = clock.after(1000, () => {
      const received = receivedLines();
      const now = received === before ? silence + 1 : 0;
      count(now, received);
      if (isDue(now)) options.onQuiet();
    });
  };
  const stop = (): void => {
    cancelNext();
    cancelCheck();
  };

  return {
    start() {
      stop();
      count(0, receivedLines());
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
