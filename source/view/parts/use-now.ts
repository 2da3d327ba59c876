import { useEffect, useState } from 'react';
import { useDeck } from './context.ts';

/**
 * Returns the time in ms, updated every `interval` ms, or never when `interval` is undefined. All
 * clocks of an interval tick together, so that the whole screen shows the same second.
 */
export function useNow(interval: number | undefined): number {
  const { clock } = useDeck();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (interval === undefined) return undefined;
    let cancel = () => {};
    const tick = () => {
      // The first tick follows the first drawing; a second one in the same interval changes nothing.
      setNow((before) => (isSameTick(before, clock.now(), interval) ? before : clock.now()));
      cancel = clock.after(interval - (clock.now() % interval), tick);
    };
    tick();
    return () => {
      cancel();
    };
  }, [clock, interval]);
  return now;
}

/** Returns the time of the service in ms, which its records are dated by; it ticks like {@link useNow}. */
export function useServiceNow(interval: number | undefined): number {
  return useDeck().clock.serviceNow(useNow(interval));
}

function isSameTick(before: number, now: number, interval: number): boolean {
  return Math.floor(before / interval) === Math.floor(now / interval);
}
