import type { Atoms } from '../../contract/decimal.ts';
import type { ChargedRun, RunKey } from './charged-runs.ts';

/** A run that is charged. */
export interface LiveRun extends RunKey {
  readonly price: Atoms;
  /** Wall-clock time of its begin. */
  readonly beganAt: number;
  /** Monotonic time of its begin. */
  readonly since: number;
  /** Monotonic time of its end. */
  endedAt: number | undefined;
  /** Whole ms that are charged. */
  ranMs: number;
  isStored: boolean;
}

/** The present by the wall clock and by the monotonic one, in ms. */
export interface Times {
  readonly now: number;
  readonly monotonic: number;
}

/** Returns a run that began now, or at a wall-clock time in the past, and is not charged yet. */
export function beginRun(
  key: RunKey,
  price: Atoms,
  { now, monotonic }: Times,
  startedAt = now,
): LiveRun {
  const beganAt = Math.min(now, startedAt);
  const since = monotonic - (now - beganAt);
  return { ...key, price, beganAt, since, endedAt: undefined, ranMs: 0, isStored: false };
}

/**
 * Ends a run now, or at a wall-clock time in the past. An end before the time for which it is charged
 * is that time.
 */
export function endRun(run: LiveRun, { now, monotonic }: Times, endedAt = now): void {
  run.endedAt = Math.max(run.since + run.ranMs, monotonic - Math.max(0, now - endedAt));
}

/** Returns the record of a run that is charged for `ranMs`, and was seen until then. */
export function chargedRun(
  { id, deployment, service, instance, price, beganAt, ranMs, since }: Omit<LiveRun, 'isStored'>,
  { now, boot }: Pick<Times, 'now'> & { readonly boot: string },
  isOver: boolean,
): ChargedRun {
  const seen = { at: now, monotonic: Math.floor(since + ranMs), boot };
  return { id, deployment, service, instance, price, beganAt, ranMs, seen, isOver };
}
