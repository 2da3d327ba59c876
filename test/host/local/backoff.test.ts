import { describe, expect, it } from 'vitest';
import {
  type CrashStreak,
  addCrash,
  healthyMs,
  isFailed,
  noCrashes,
  restartDelayMs,
} from '../../../source/host/local/instance.ts';

function afterRuns(...runs: readonly number[]): CrashStreak {
  return runs.reduce((crashes, ranMs) => addCrash(crashes, ranMs), noCrashes);
}

describe('the delay before the next start', () => {
  it('doubles from 1 s to 60 s', () => {
    const pauses = Array.from({ length: 9 }, (_, index) =>
      restartDelayMs(afterRuns(...Array.from({ length: index + 1 }, () => 10))),
    );
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000));
  });

  it('starts over after a healthy minute', () => {
    expect(restartDelayMs(afterRuns(1, 1, 1, 1, healthyMs))).toBe(1000);
    expect(restartDelayMs(afterRuns(1, 1, 1, 1, healthyMs - 1))).toBe(16_000);
  });

  it('is that of a failed service from the third consecutive crash', () => {
    expect(isFailed(afterRuns(1, 1))).toBe(false);
    expect(isFailed(afterRuns(1, 1, 1))).toBe(true);
    expect(isFailed(afterRuns(1, 1, 1, healthyMs))).toBe(false);
  });
});
