import type { DeploymentRecord } from '../deployment-record.ts';
import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import { hasEnded, isRunning } from './instances.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import type { Orchestrator } from './orchestrator.ts';
import { generationOf, isTrial, networkName } from './plan.ts';
import { serviceWaves } from './service-waves.ts';
import type { TaskReaders } from './tasks/task-readers.ts';

export interface TakeDownParts {
  readonly record: DeploymentRecord;
  readonly orchestrator: Pick<Orchestrator, 'park' | 'remove' | 'removeNetwork' | 'snapshot'>;
  readonly readers: Pick<TaskReaders, 'finish'>;
  /** Id of the host, unique on the cluster. */
  readonly host: string;
  readonly graceMs: number;
  /** Waits between attempts, in ms. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Time beyond the grace period in which stopped tasks end. */
const stopMs = 30_000;

const detachMs = 1000;
const detachAttempts = 30;

/**
 * Ends all tasks of a deployment, reads their output to its end, and removes the services and their
 * network. Rejects when the signal is aborted, and leaves the rest as it is.
 */
export async function takeDown(
  parts: TakeDownParts,
  observed: ObservedDeployment,
  signal: AbortSignal,
): Promise<void> {
  const { record, orchestrator } = parts;
  // Services that were created a moment ago are in no earlier snapshot.
  observed.observe(await orchestrator.snapshot());
  for (const wave of serviceWaves(record.services).toReversed()) {
    const names = new Set(wave.map(({ name }) => name));
    const services = observed.services.filter(({ labels }) =>
      names.has(labels[clusterLabels.service] ?? ''),
    );
    await removeServices(parts, observed, services, signal);
  }
  await removeNetwork(parts, signal);
  observed.forget(observed.services);
}

/** Ends all tasks of services, reads their output to its end, and removes the services. */
export async function removeServices(
  { orchestrator, readers, graceMs }: Omit<TakeDownParts, 'pause' | 'host' | 'record'>,
  observed: ObservedDeployment,
  services: readonly EngineService[],
  signal: AbortSignal,
): Promise<void> {
  if (services.length === 0) return;
  await Promise.all(services.map((service) => orchestrator.park(service)));
  const ids = new Set(services.map(({ id }) => id));
  const haveEnded = () =>
    observed.tasks
      .filter(({ service }) => ids.has(service))
      .every(
        (task) =>
          hasEnded(task) ||
          observed.nodes.isLost(task) ||
          (task.desired === 'running' && !isRunning(task)),
      );
  await observed.snapshots.untilOrLate(haveEnded, graceMs + stopMs, signal);
  signal.throwIfAborted();
  await readers.finish(ids);
  signal.throwIfAborted();
  await Promise.all(services.map((service) => orchestrator.remove(service)));
}

/**
 * Resolves when no instance of another generation runs, which an engine stops some time after it has started
 * the next one; when it can't end one in time; or when the signal is aborted.
 */
export async function othersEnded(
  { graceMs }: Pick<TakeDownParts, 'graceMs'>,
  observed: ObservedDeployment,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  const isOther = (task: EngineTask) => !isTrial(task) && generationOf(task) !== generation;
  const haveEnded = () =>
    !observed.tasks.some(
      (task) => isOther(task) && isRunning(task) && !observed.nodes.isLost(task),
    );
  if (haveEnded()) return;
  await observed.snapshots.untilOrLate(haveEnded, graceMs + stopMs, signal);
}

/** The engine detaches the last tasks some time after the removal of their service. */
async function removeNetwork(
  { record, orchestrator, host, pause }: TakeDownParts,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await orchestrator.removeNetwork(networkName(host, record.number));
      return;
    } catch (error) {
      if (attempt === detachAttempts || signal.aborted) throw error;
      await pause(detachMs);
    }
  }
}
