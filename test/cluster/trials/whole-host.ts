import { clusterLabels } from '../../../source/host/cluster/cluster-labels.ts';
import { isRunning } from '../../../source/host/cluster/instances.ts';
import { generationOf, isTrial } from '../../../source/host/cluster/plan.ts';
import { listServices, listTasks } from '../../../source/host/engine/swarm.ts';
import type { EngineTask } from '../../../source/host/engine/swarm-api.ts';
import type { DeploymentStatus } from '../../../source/host/supervisor/deployment-status.ts';
import { fieldOf } from '../../host/support/bodies.ts';
import type { Caller } from '../../host/support/temporary-host.ts';
import { client, servicesOf, waitForBed } from '../bed.ts';

const isUp = ({ state, desired }: EngineTask) => state === 'running' && desired === 'running';

const deploymentOf = ({ labels }: Pick<EngineTask, 'labels'>) =>
  labels[clusterLabels.deployment] ?? '';

/** Resolves with the label of all that a host runs, once it runs this deployment. */
export async function hostLabelOf(deployment: string): Promise<string> {
  return await waitForBed(async () => {
    const [service] = await servicesOf(deployment);
    if (service === undefined) throw new Error('the host runs nothing');
    return `${clusterLabels.host}=${service.labels[clusterLabels.host]}`;
  });
}

/** Resolves with the tasks with a label that run and are to run. */
export async function presentTasks(label: string): Promise<readonly EngineTask[]> {
  return (await listTasks(client, label)).filter(isUp);
}

/**
 * Resolves with the ids of all deployments once each is active, and the engine runs their instances of
 * one version, no more and no others. Deployments have one instance unless `counts` has another number.
 */
export async function untilWhole(
  owner: Caller,
  label: string,
  counts: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  return await waitForBed(async () => {
    const listed = fieldOf(await owner.call('listDeployments'), 'deployments');
    const deployments = listed as readonly Pick<DeploymentStatus, 'id' | 'state'>[];
    const tasks = (await listTasks(client, label)).filter(isRunning);
    const services = await listServices(client, label);
    const wrong = deployments.filter(({ id, state }) => {
      const own = tasks.filter((task) => deploymentOf(task) === id);
      const count = counts.get(id) ?? 1;
      const isWhole = own.length === count && own.every(isUp) && !own.some(isTrial);
      return state !== 'active' || !isWhole || new Set(own.map(generationOf)).size > 1;
    });
    if (wrong.length > 0) throw new Error(`${wrong.length} are not whole: ${wrong[0]?.state}`);
    const ids = new Set(deployments.map(({ id }) => id));
    if (services.length !== ids.size) {
      throw new Error(`${services.length} services of ${ids.size} deployments`);
    }
    return ids;
  });
}

/** Resolves with how many of the instances that ran have been replaced by others of their version. */
export async function countReplaced(label: string, before: readonly EngineTask[]): Promise<number> {
  const now = await presentTasks(label);
  const different = new Map(before.map((task) => [task.id, task]));
  return [...different.values()].filter(
    (task) =>
      !isTrial(task) &&
      !now.some(({ id }) => id === task.id) &&
      now.some(
        (other) =>
          deploymentOf(other) === deploymentOf(task) && generationOf(other) === generationOf(task),
      ),
  ).length;
}
