import { shorten } from '../engine/engine-error.ts';
import type { EngineTask } from '../engine/swarm-api.ts';
import { failedCrashes, type InstanceStatus } from '../supervisor/service-status.ts';
import { describeReplacement } from './node-loss.ts';
import type { Nodes, TaskPlace } from './nodes.ts';

/** States in which the container of a task runs. */
const runningState = 'running';

/** States in which a task has ended. */
const endStates = new Set(['complete', 'failed', 'shutdown', 'rejected', 'orphaned', 'remove']);

/** States of tasks that ended on their own: an instance is restarted whenever it exits. */
const crashStates = new Set(['complete', 'failed', 'rejected']);

/** State of a task that a node could not start, as for a missing image. */
const rejectedState = 'rejected';

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

/** An instance of a service, with where it runs. */
export interface ClusterInstance extends InstanceStatus {
  /** Its node; undefined until it has one. */
  readonly place: TaskPlace | undefined;
  /** The engine's reason why it does not run, or the lost node that it ran on before; a few words. */
  readonly reason: string | undefined;
  /** Ports of the node, by the port of the container. */
  readonly ports: ReadonlyMap<number, number>;
}

const noPorts: ReadonlyMap<number, number> = new Map();

/**
 * Returns the status of each instance of a service from the tasks that its engine remembers, which are
 * the present and a few former ones of each replica.
 *
 * @param restarts returns the number of restarts of an instance.
 */
export function instancesOf(
  tasks: readonly EngineTask[],
  nodes: Nodes,
  count: number,
  restarts: (instance: number) => number,
): readonly ClusterInstance[] {
  return Array.from({ length: count }, (_, index) => {
    const slot = index + 1;
    const own = tasks.filter((task) => task.slot === slot).toSorted(newestFirst);
    return instanceOf(own, nodes, restarts(slot));
  });
}

function instanceOf(tasks: readonly EngineTask[], nodes: Nodes, restarts: number): ClusterInstance {
  const answering = tasks.filter((task) => !nodes.isLost(task));
  // During an update the next task starts while the present one runs.
  const running = answering.find(isRunning);
  // The engine believes that tasks of a lost node run, also when later ones have come and gone.
  const latest = tasks.find((task) => task !== running && (isRunning(task) || hasEnded(task)));
  const lastLost = latest !== undefined && isLostRun(latest, nodes) ? latest : undefined;
  const lost = running === undefined ? lastLost : undefined;
  const present = running ?? lost ?? answering.find((task) => !hasEnded(task));
  const ended = tasks.filter(hasEnded);
  const ports = running?.ports ?? noPorts;
  const [port] = ports.values();
  return {
    state: lost === undefined ? stateOf(running, ended) : 'node lost',
    startedAt: running === undefined ? undefined : Date.parse(running.at),
    restarts,
    exitCode: ended.map(({ exitCode }) => exitCode).find((code) => code !== undefined) ?? null,
    port,
    failure: undefined,
    reason:
      running === undefined ? reasonOf(tasks) : lastLost && describeReplacement(lastLost, nodes),
    place: present === undefined ? undefined : nodes.placeOf(present),
    ports,
  };
}

/** Returns what holds back the task to come, or why the last one did not start. */
function reasonOf(tasks: readonly EngineTask[]): string | undefined {
  const next = tasks.find((task) => !hasEnded(task) && !isRunning(task));
  const last = tasks.find(hasEnded);
  const error = next?.error ?? (last?.state === rejectedState ? last.error : undefined);
  return error === undefined ? undefined : shorten(error);
}

/** Returns true for a run whose end nobody knows, because its node was lost. */
function isLostRun(task: EngineTask, nodes: Nodes): boolean {
  return isRunning(task) && nodes.isLost(task);
}

function stateOf(
  running: EngineTask | undefined,
  ended: readonly EngineTask[],
): InstanceStatus['state'] {
  if (running !== undefined) return 'active';
  const stopped = ended.findIndex((task) => !hasCrashed(task));
  const crashes = stopped === -1 ? ended.length : stopped;
  if (crashes >= failedCrashes) return 'failed';
  return ended.length > 0 ? 'restarting' : 'starting';
}

function newestFirst(a: EngineTask, b: EngineTask): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt);
}
