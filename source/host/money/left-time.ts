import type { LeftRun } from '../runtime/runtime.ts';
import type { Moment } from './charged-runs.ts';

/** Returns the ms that a run went on after its last recorded moment. */
export function msSince(seen: Moment, left: LeftRun | undefined, found: Moment): number {
  if (left === undefined) return 0;
  const isSameBoot = seen.boot !== '' && seen.boot === found.boot;
  const passed = isSameBoot ? found.monotonic - seen.monotonic : found.at - seen.at;
  const untilEnd = left.endedAt === undefined ? passed : Math.min(passed, left.endedAt - seen.at);
  return Math.max(0, Math.floor(untilEnd));
}
