import type { Clock } from '../../source/store/time/clock.ts';

/** A clock of the stores that runs in real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};
