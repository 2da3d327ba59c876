import { guard } from './bounded-run.ts';
import type { Clock } from '../store/time/clock.ts';

/** The clock of this machine. */
export const machineClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    // A timer takes at least a millisecond; setImmediate lets sliced work continue at once.
    if (milliseconds === 0) {
      const turn = setImmediate(action);
      return () => clearImmediate(turn);
    }
    const timer = setTimeout(action, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
  guard,
};
