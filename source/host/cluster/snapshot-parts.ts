import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import type { Snapshot } from './orchestrator.ts';

/** The part of a snapshot that belongs to one deployment. */
export type SnapshotPart = Pick<Snapshot, 'services' | 'tasks'>;

const nothing: SnapshotPart = { services: [], tasks: [] };

/** Parts by deployment: hundreds of deployments look for theirs in the same snapshot. */
const parts = new WeakMap<Snapshot, ReadonlyMap<string, SnapshotPart>>();

/** Returns the part of a snapshot that belongs to a deployment, the same object each time. */
export function partOf(snapshot: Snapshot, deployment: string): SnapshotPart {
  let known = parts.get(snapshot);
  if (known === undefined) parts.set(snapshot, (known = divide(snapshot)));
  return known.get(deployment) ?? nothing;
}

function divide(snapshot: Snapshot): ReadonlyMap<string, SnapshotPart> {
  const services = Map.groupBy(snapshot.services, deploymentOf);
  const tasks = Map.groupBy(snapshot.tasks, deploymentOf);
  const ids = new Set([...services.keys(), ...tasks.keys()]);
  return new Map(
    [...ids].map((id) => [id, { services: services.get(id) ?? [], tasks: tasks.get(id) ?? [] }]),
  );
}

/** Returns the id of the deployment that a service or a task belongs to; empty for none. */
export function deploymentOf({ labels }: EngineService | EngineTask): string {
  return labels[clusterLabels.deployment] ?? '';
}
