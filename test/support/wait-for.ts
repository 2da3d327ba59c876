import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds after which something does not come any more, on a machine several times slower than
 * an ordinary one too; less than a test may take.
 */
export const patience = 60_000;

/** In ms, from one look to the next: each costs a request where a host is asked. */
const pauses = { first: 5, growth: 1.2, longest: 100 };

/**
 * Waits until `check` gives a value instead of throwing, and gives that value; throws what it threw
 * last. No test measures this time: a loaded machine has all the time it needs.
 * @param options `interval`: ms between two looks, for what is there only shortly. Without it they
 * become rarer the longer it takes.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  { interval, timeout = patience }: { interval?: number; timeout?: number } = {},
): Promise<T> {
  const end = performance.now() + timeout;
  for (let pause = interval ?? pauses.first; ; ) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(pause);
    if (interval === undefined) pause = Math.min(pause * pauses.growth, pauses.longest);
  }
}
