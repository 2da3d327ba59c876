import type { Clock } from '../../source/store/time/clock.ts';

/** A clock whose time passes only when the test says so. */
export interface TestClock extends Clock {
  /**
   * Lets `milliseconds` pass. Actions that fall due run in the order of their times, each with the
   * clock at its own time, and what they set off settles before the next.
   */
  advance(milliseconds: number): Promise<void>;
  /** Sets the clock to another time without any passing, as a person or NTP does. */
  set(now: number): void;
  /** Milliseconds until each action that waits, soonest first. */
  waiting(): readonly number[];
}

interface Timer {
  readonly due: number;
  readonly action: () => void;
}

/** A clock that starts at `start`, ms since the epoch. */
export function createTestClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let passed = 0;
  let offset = start;
  let timers: readonly Timer[] = [];

  // Stable: of two actions due at the same time the one asked for first comes first.
  const inOrder = () => timers.toSorted((left, right) => left.due - right.due);

  return {
    now: () => offset + passed,
    after(milliseconds, action) {
      const timer = { due: passed + Math.max(0, milliseconds), action };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(milliseconds) {
      const end = passed + milliseconds;
      await settled();
      for (let [next] = inOrder(); next !== undefined && next.due <= end; [next] = inOrder()) {
        const timer = next;
        timers = timers.filter((other) => other !== timer);
        passed = timer.due;
        timer.action();
        await settled();
      }
      passed = end;
    },
    set(now) {
      offset = now - passed;
    },
    waiting: () => inOrder().map((timer) => timer.due - passed),
  };
}

/** Resolves when everything that waits for nothing but promises has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
