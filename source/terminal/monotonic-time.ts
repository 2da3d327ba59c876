/**
 * Returns the milliseconds since the program started, by a monotonic clock. Node loads nine modules
 * when the global `performance` is first read, which the first frame would wait for.
 */
export function monotonicTime(): number {
  return process.uptime() * 1000;
}
