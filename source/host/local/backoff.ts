import { failedCrashes } from '../failed-crashes.ts';

const initialMs = 1000;
const maxMs = 60_000;

/** Milliseconds after which a run counts as healthy; the next crash starts a new streak. */
export const healthyMs = 60_000;

/** Crashes of an instance since its last healthy run. */
export interface CrashStreak {
  readonly count: number;
}

export const noCrashes: CrashStreak = { count: 0 };

/** Returns the crash streak after a run of `ranMs` ended. */
export function addCrash(before: CrashStreak, ranMs: number): CrashStreak {
  return { count: ranMs >= healthyMs ? 1 : before.count + 1 };
}

/** Returns the delay before the next start: 1, 2, 4 … 60 s. */
export function restartDelayMs({ count: inARow }: CrashStreak): number {
  return Math.min(maxMs, initialMs * 2 ** Math.max(0, inARow - 1));
}

/** Returns true when an instance counts as failed. */
export function isFailed({ count: inARow }: CrashStreak): boolean {
  return inARow >= failedCrashes;
}
