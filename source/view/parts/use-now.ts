import { useEffect, useState } from 'react';
import { useDeck } from './context.ts';

/**
 * The time in ms, renewed every `interval` ms; not at all when `interval` is undefined. All clocks
 * of an interval tick at once, so that no two places on the screen tell different seconds.
 */
export function useNow(interval: number | undefined): number {
  const { clock } = useDeck();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (interval === undefined) return undefined;
    let cancel = () => {};
    const tick = () => {
      // Drawn just now, it need not be drawn again for the same second.
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

function isSameTick(before: number, now: number, interval: number): boolean {
  return Math.floor(before / interval) === Math.floor(now / interval);
}
