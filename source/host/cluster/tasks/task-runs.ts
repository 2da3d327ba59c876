import { randomUUID } from 'node:crypto';
import type { EngineTask } from '../../engine/swarm-api.ts';
import type { ChargedRun } from '../../money/charged-runs.ts';
import type { LeftRun } from '../../runtime/runtime.ts';
import { hasEnded, isRunning } from '../instances.ts';

/** Separates a task from what tells its runs apart: each host charges a run of its own. */
const separator = '.';

/** Returns the id of a charged run of a task. */
export function runId(task: string): string {
  return `${task}${separator}${randomUUID().slice(0, 8)}`;
}

/** Returns the id of the charged run of a task that no host saw run: the same for each host. */
export function unseenRunId(task: string): string {
  return `${task}${separator}unseen`;
}

/** Returns the runs of an earlier host whose tasks run, or ended at a time that the engine knows. */
export function leftRuns(
  unended: readonly Pick<ChargedRun, 'id'>[],
  tasks: readonly EngineTask[],
): readonly LeftRun[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return unended.flatMap(({ id }): readonly LeftRun[] => {
    const task = byId.get(id.split(separator)[0] ?? '');
    if (task === undefined) return [];
    if (isRunning(task)) return [{ id }];
    return hasEnded(task) ? [{ id, endedAt: Date.parse(task.at) }] : [];
  });
}
