import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { describeEnd } from './tasks/describe-task.ts';
import { hasCrashed, hasEnded, isRunning } from './instances.ts';

/** The outcome of a new version: not known yet, it runs, or why it failed. */
export type RolloutVerdict = 'waiting' | 'steady' | { readonly failure: string };

/** Time for which all instances must run without an end. */
const steadyMs = 2500;

/**
 * The same for a trial. Programs on busy nodes fail only some seconds after their start, and this is
 * the last moment at which nothing of the version before has ended.
 */
const trialMs = 10_000;

/** Starts of one instance after whose ends a version has failed; the first may be too early for what it needs. */
const failedStarts = 3;

/** Time in which all instances must run, and while nodes pull an image. */
const deadlineMs = 120_000;
const pullingDeadlineMs = 600_000;

/** Engine's state of a task that no node has taken. */
const pendingState = 'pending';

/** Engine's state of a task whose image is pulled. */
const pullingState = 'preparing';

/** Judges a new version of a service by the snapshots after its rollout began. */
export class RolloutWatch {
  readonly #count: number;
  readonly #beganAt: number;
  readonly #isTrial: boolean;
  readonly #steadyMs: number;
  #steady: { readonly ids: string; readonly since: number } | undefined;

  /**
   * @param count number of instances.
   * @param beganAt monotonic time in ms.
   * @param isTrial true for the one more instance that tries the version out.
   */
  constructor(count: number, beganAt: number, isTrial = false) {
    this.#count = count;
    this.#beganAt = beganAt;
    this.#isTrial = isTrial;
    this.#steadyMs = isTrial ? trialMs : steadyMs;
  }

  /**
   * Returns what has become of the version by a snapshot.
   *
   * @param tasks tasks of the version.
   * @param update the engine's progress in the replacement of the version before.
   * @param now monotonic time in ms.
   */
  judge(
    tasks: readonly EngineTask[],
    update: EngineService['update'],
    now: number,
  ): RolloutVerdict {
    const crashed = tasks.filter(hasCrashed);
    const newest = newestOf(crashed);
    const running = tasks.filter((task) => isRunning(task) && task.desired === 'running');
    const slots = new Set(running.map(({ slot }) => slot));
    if (update === 'paused') {
      return { failure: newest === undefined ? 'an instance failed' : describeEnd(newest) };
    }
    if (newest !== undefined) {
      const starts = crashed.filter(({ slot }) => slot === newest.slot).length;
      if (starts >= failedStarts) {
        return { failure: `${describeEnd(newest)} after each of ${starts} starts` };
      }
    }
    const ids = JSON.stringify(running.map(({ id }) => id).toSorted());
    if (this.#steady?.ids !== ids) this.#steady = { ids, since: now };
    if (
      slots.size >= this.#count &&
      update !== 'updating' &&
      now - this.#steady.since >= this.#steadyMs
    ) {
      return 'steady';
    }
    const isPulling = tasks.some(({ state }) => state === pullingState);
    if (now - this.#beganAt < (isPulling ? pullingDeadlineMs : deadlineMs)) return 'waiting';
    const seconds = Math.round((now - this.#beganAt) / 1000);
    const held = newestOf(tasks.filter((task) => !hasEnded(task) && !isRunning(task)));
    const hasNoNode = this.#isTrial && held?.state === pendingState;
    const reason = held?.error ?? newest?.error ?? (hasNoNode ? undefined : held?.state);
    const problem = hasNoNode
      ? `got no node in ${seconds} s for the one more instance that a restart needs`
      : `does not run after ${seconds} s`;
    return { failure: reason === undefined ? problem : `${problem}: ${reason}` };
  }
}

function newestOf(tasks: readonly EngineTask[]): EngineTask | undefined {
  return tasks.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))[0];
}
