const firstDelay = 250;
const longestDelay = 10_000;

/** Retries whose delays are left out while the service limits requests without saying how long. */
export const limitedRetries = 2;

/**
 * Returns the milliseconds to wait before retry `attempt`, counted from 1. The delay doubles from
 * 0.25 s to 10 s. `random`, in [0, 1), takes up to half of it away, so that many consoles do not
 * reconnect at once.
 */
export function backoffDelay(attempt: number, random: number): number {
  const delay = Math.min(longestDelay, firstDelay * 2 ** Math.max(0, attempt - 1));
  return delay * (1 - random / 2);
}
