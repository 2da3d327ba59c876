/** Time as the host sees it. Handed in, so that money and expiry are tested without waiting. */
export interface HostClock {
  /** Wall clock, ms since the epoch: timestamps and expiry. */
  now(): number;
  /** Never runs backwards, ms since any point: durations. */
  monotonic(): number;
  /** Runs `action` once after `ms`; the returned function cancels it. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: HostClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Calls `action` every `ms` until the returned function is called. */
export function every(clock: HostClock, ms: number, action: () => void): () => void {
  let cancel = clock.after(ms, tick);
  function tick() {
    cancel = clock.after(ms, tick);
    action();
  }
  return () => {
    cancel();
  };
}
