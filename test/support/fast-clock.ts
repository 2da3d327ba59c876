import type { Clock } from '../../source/store/time/clock.ts';

/** A clock on which time passes `speed` times as fast: hundreds of waits fit into a test. */
export function fastClock(speed: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * speed,
    after(milliseconds, action) {
      const timer = setTimeout(action, milliseconds / speed);
      return () => clearTimeout(timer);
    },
  };
}
