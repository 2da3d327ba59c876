import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { EngineTask } from '../engine/swarm-api.ts';
import { isRunning } from './instances.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import { generationOf } from './plan.ts';

/**
 * Returns the generation to which a rollout goes back when it fails; undefined when nothing of the
 * deployment runs, so that there is nothing to keep.
 *
 * @param recorded the last generation that a rollout has put in place.
 */
export function keptVersion(
  observed: Pick<ObservedDeployment, 'nodes' | 'servicesOf' | 'tasksOf'>,
  services: readonly Pick<ServiceDefinition, 'name'>[],
  wanted: number,
  recorded: number | undefined,
): number | undefined {
  const runs = (task: EngineTask) => isRunning(task) && !observed.nodes.isLost(task);
  if (!services.every((service) => observed.tasksOf(service).some(runs))) return undefined;
  const present = new Set(
    services.flatMap((service) => observed.servicesOf(service)).map(generationOf),
  );
  const [only] = present;
  const kept = recorded ?? (present.size === 1 ? only : undefined);
  return kept === wanted ? undefined : kept;
}
