import type { EngineTask } from '../engine/swarm-api.ts';
import type { InstanceStatus } from '../supervisor/service-status.ts';

/** States in which the container of a task runs. */
const runningState = 'running';

/** States in which a task has ended. */
const endStates = new Set(['complete', 'failed', 'shutdown', 'rejected', 'orphaned', 'remove']);

/** States of tasks that ended on their own: an instance is restarted whenever it exits. */
const crashStates = new Set(['complete', 'failed', 'rejected']);

/** Consecutive failed tasks of a replica after which it counts as failed. */
const failedTasks = 3;

/** Returns true while the container of a task runs. */
export function isRunning({ state }: EngineTask): boolean {
  return state === runningState;
}

/** Returns true when the container of a task has ended, or never will start. */
export function hasEnded({ state }: EngineTask): boolean {
  return endStates.has(state);
}

/** Returns true when a task has ended on its own. */
export function hasCrashed({ state }: EngineTask): boolean {
  return crashStates.has(state);
}

/**
 * Returns the status of each instance of a service from the tasks that its engine remembers, which are
 * the present and a few former ones of each replica.
 *
 * @param restarts returns the number of restarts of an instance.
 */
export function instancesOf(
  tasks: readonly EngineTask[],
  count: number,
  restarts: (instance: number) => number,
): readonly InstanceStatus[] {
  return Array.from({ length: count }, (_, index) => {
    const slot = index + 1;
    const own = tasks.filter((task) => task.slot === slot).toSorted(newestFirst);
    return instanceOf(own, restarts(slot));
  });
}

function instanceOf(tasks: readonly EngineTask[], restarts: number): InstanceStatus {
  // During an update the next task starts while the present one runs.
  const present = tasks.find(isRunning) ?? tasks.find((task) => !hasEnded(task));
  const ended = tasks.filter(hasEnded);
  const stopped = ended.findIndex((task) => !hasCrashed(task));
  const crashes = stopped === -1 ? ended.length : stopped;
  const [port] = present?.ports.values() ?? [];
  return {
    state: stateOf(present, crashes, ended.length),
    startedAt: present !== undefined && isRunning(present) ? Date.parse(present.at) : undefined,
    restarts,
    exitCode: ended.map(({ exitCode }) => exitCode).find((code) => code !== undefined) ?? null,
    port,
    failure: undefined,
  };
}

function stateOf(
  present: EngineTask | undefined,
  crashes: number,
  ended: number,
): InstanceStatus['state'] {
  if (present !== undefined && isRunning(present)) return 'active';
  if (crashes >= failedTasks) return 'failed';
  return ended > 0 ? 'restarting' : 'starting';
}

function newestFirst(a: EngineTask, b: EngineTask): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt);
}
