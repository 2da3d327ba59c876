import { vi } from 'vitest';

/**
 * Milliseconds after which something does not come any more, on a machine several times slower than
 * an ordinary one too; less than a test may take.
 */
export const patience = 60_000;

/**
 * Waits until `check` gives a value instead of throwing, and gives that value; throws what it threw
 * last. No test measures this time: a loaded machine has all the time it needs.
 */
export function waitFor<T>(
  check: () => T | Promise<T>,
  { interval = 10, timeout = patience } = {},
): Promise<T> {
  return vi.waitFor(check, { interval, timeout });
}
