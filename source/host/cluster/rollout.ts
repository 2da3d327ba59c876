import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { readResourceLimits } from '../../contract/sdl/resources.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Files } from '../files/files.ts';
import type { EngineTask } from '../engine/swarm-api.ts';
import { clusterLabels } from './cluster-labels.ts';
import type { ImageStore, StoredImage } from './image-store.ts';
import { isRunning } from './instances.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import type { Orchestrator } from './orchestrator.ts';
import { networkName, planService, storedImageOf } from './plan.ts';
import { serviceWaves } from './service-waves.ts';

export interface RolloutParts {
  readonly record: DeploymentRecord;
  /** Returns the text of the deployment's definition. */
  readonly readSdl: () => string;
  readonly orchestrator: Pick<Orchestrator, 'apply' | 'ensureNetwork'>;
  readonly images: Pick<ImageStore, 'store'>;
  readonly files: Pick<Files, 'runFolder'>;
  /** Id of the host, unique on the cluster. */
  readonly host: string;
  readonly graceMs: number;
  readonly overcommit: number;
  /** Logs an event of a service, a few words. */
  readonly onEvent: (service: string, text: string) => void;
}

/**
 * Tells the engine to run a generation of a deployment's files, each service once what it depends on
 * runs. Services that have the generation already are left alone. Rejects when the signal is aborted.
 */
export async function rollOut(
  parts: RolloutParts,
  observed: ObservedDeployment,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  const { record, readSdl, orchestrator, host, graceMs, overcommit, onEvent } = parts;
  const resources = readResourceLimits(readSdl());
  await orchestrator.ensureNetwork(networkName(host, record.number), record.id);
  for (const [depth, wave] of serviceWaves(record.services).entries()) {
    for (const service of wave) {
      if (depth > 0) await dependenciesRan(parts, observed, service, signal);
      signal.throwIfAborted();
      const image =
        imageOf(observed, service, generation) ??
        (await storeImage(parts, service, generation, signal));
      signal.throwIfAborted();
      const spec = planService({
        host,
        deployment: record.id,
        number: record.number,
        service,
        resources: resources.get(service.name) ?? {},
        image: image.reference,
        hasFiles: image.hasFiles,
        generation,
        graceMs,
        overcommit,
      });
      const done = await orchestrator.apply(spec);
      if (done === 'updated') onEvent(service.name, 'restarts instance by instance');
    }
  }
}

/** Returns the image of a service that has this generation already, as another host left it. */
function imageOf(
  { services }: ObservedDeployment,
  { name }: ServiceDefinition,
  generation: number,
): StoredImage | undefined {
  const left = services.find(
    ({ labels }) =>
      labels[clusterLabels.service] === name &&
      labels[clusterLabels.generation] === String(generation),
  );
  return left === undefined ? undefined : storedImageOf(left);
}

function storeImage(
  { record, images, files, onEvent }: RolloutParts,
  { name, image = '' }: ServiceDefinition,
  generation: number,
  signal: AbortSignal,
): Promise<StoredImage> {
  return images.store({
    image,
    tree: files.runFolder({ deployment: record.id, service: name }, generation),
    onEvent: (text) => {
      onEvent(name, text);
    },
    signal,
  });
}

/** Resolves when each instance of the dependencies of a service runs. */
async function dependenciesRan(
  { record, onEvent }: RolloutParts,
  observed: ObservedDeployment,
  { name, dependsOn }: ServiceDefinition,
  signal: AbortSignal,
): Promise<void> {
  const awaited = record.services.filter((service) => dependsOn.includes(service.name));
  const runs = (task: EngineTask) => isRunning(task) && !observed.nodes.isLost(task);
  const haveRun = () =>
    awaited.every((each) => observed.tasksOf(each).filter(runs).length >= each.count);
  if (haveRun()) return;
  onEvent(name, `waits for ${dependsOn.join(', ')}`);
  await observed.snapshots.until(haveRun, signal);
}
