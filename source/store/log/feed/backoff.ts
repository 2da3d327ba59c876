const first = 250;
const longest = 10_000;

/**
 * Milliseconds to wait before try `attempt` (1 for the first repetition): 0.25 s doubling to 10 s,
 * of which `random`, in [0, 1), takes up to half away, so that many consoles do not come back at once.
 */
export function backoffDelay(attempt: number, random: number): number {
  const most = Math.min(longest, first * 2 ** Math.max(0, attempt - 1));
  return most * (1 - random / 2);
}
