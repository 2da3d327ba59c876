import { readFileSync } from 'node:fs';

/** The host's source of time. Injected, so that tests of money and expiry need not wait. */
export interface HostClock {
  /** Wall clock in ms since the epoch, for timestamps and expiry. */
  now(): number;
  /**
   * Monotonic time in ms since an arbitrary point, for durations. On Linux the processes of one boot
   * share that point (CLOCK_MONOTONIC).
   */
  monotonic(): number;
  /** Calls `action` once after `ms`; the returned function cancels the call. */
  schedule(ms: number, action: () => void): () => void;
}

export const systemClock: HostClock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  schedule(ms, action) {
    const timer = setTimeout(action, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Calls `action` every `ms` until the returned function is called. */
export function startInterval(clock: HostClock, ms: number, action: () => void): () => void {
  let cancel = clock.schedule(ms, tick);
  function tick() {
    cancel = clock.schedule(ms, tick);
    action();
  }
  return () => {
    cancel();
  };
}

/** Returns an id of the machine's boot; empty where the system has none. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
