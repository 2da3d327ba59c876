import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import {
  readServicePlacements,
  type ServicePlacement,
} from '../../contract/sdl/service-placements.ts';
import type { HostClock } from '../clock.ts';
import type { EngineService, EngineTask, ServiceSpec } from '../engine/swarm-api.ts';
import { refuseAttributes } from './cluster-rules.ts';
import { isRunning } from './instances.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import type { Orchestrator } from './orchestrator.ts';
import { generationOf, guardPlan, networkName, planService, planTrial } from './plan.ts';
import { RolloutWatch, type RolloutVerdict } from './rollout-watch.ts';
import { pinnedParts } from './volumes/pinned-parts.ts';
import { hasPersistentVolumes, type ServicePart } from './service-parts.ts';
import { serviceWaves } from './service-waves.ts';
import { planVersion, storeVersion, findVersion, type VersionParts } from './version-plan.ts';

export interface RolloutParts extends VersionParts {
  /** Returns the text of the deployment's definition. */
  readonly readSdl: () => string;
  readonly orchestrator: Pick<Orchestrator, 'apply' | 'ensureNetwork' | 'park'>;
  readonly clock: Pick<HostClock, 'monotonic'>;
}

/** A new version does not run; the message has the reason in a few words. */
export class RolloutFailure extends Error {}

/** The version that a rollout puts in place, and the one that it may go back to. */
export interface WantedVersion {
  readonly generation: number;
  /** The generation that is known to run; undefined when none is, or when it is the wanted one. */
  readonly before: number | undefined;
}

/** A rollout under way. */
interface Rollout extends RolloutParts, WantedVersion {
  readonly observed: ObservedDeployment;
  readonly placements: ReadonlyMap<string, readonly ServicePlacement[]>;
  readonly signal: AbortSignal;
}

/**
 * Tells the engine to run a generation of a deployment's files, each service once what it depends on
 * runs. Services that have the generation already are left alone.
 *
 * In place of a version that is known to run, one more instance of each service tries the new one
 * out first, then the instances are replaced one by one, and the function resolves when all run. It
 * rejects with a {@link RolloutFailure} when they don't, and with another error when the signal is
 * aborted or the engine or a registry refuses.
 */
export async function rollOut(
  parts: RolloutParts,
  observed: ObservedDeployment,
  version: WantedVersion,
  signal: AbortSignal,
): Promise<void> {
  const { record, readSdl, orchestrator, host } = parts;
  const placements = readServicePlacements(readSdl());
  const rollout: Rollout = { ...parts, ...version, observed, placements, signal };
  for (const service of record.services) assertNodes(rollout, service);
  await orchestrator.ensureNetwork(networkName(host, record.number), record.id);
  for (const [depth, wave] of serviceWaves(record.services).entries()) {
    if (depth > 0) for (const service of wave) await dependenciesRan(rollout, service);
    await rollOutWave(rollout, wave);
  }
}

/** Throws before anything is changed when a service that is to be replaced would find no node. */
function assertNodes(rollout: Rollout, service: ServiceDefinition): void {
  const { observed, generation, placements } = rollout;
  const present = observed.servicesOf(service);
  if (present.length > 0 && present.every((each) => generationOf(each) === generation)) return;
  const refusal = refuseAttributes(
    service.name,
    placements.get(service.name) ?? [],
    observed.nodes,
  );
  if (refusal !== undefined) throw new RolloutFailure(refusal.sentence);
}

/** The first failure ends the others. */
async function rollOutWave(rollout: Rollout, wave: readonly ServiceDefinition[]): Promise<void> {
  const others = new AbortController();
  const signal = AbortSignal.any([rollout.signal, others.signal]);
  const failures: unknown[] = [];
  const rollouts = wave.map(async (service) => {
    try {
      await rollOutService({ ...rollout, signal }, service);
    } catch (error) {
      failures.push(error);
      others.abort();
    }
  });
  await Promise.all(rollouts);
  if (failures.length > 0) throw failures[0];
}

/** Replaces the placements one after another: they share an image. */
async function rollOutService(rollout: Rollout, service: ServiceDefinition): Promise<void> {
  const { record, observed, volumeNodes, placements } = rollout;
  const pinning = { deployment: record.id, nodes: observed.nodes, volumeNodes };
  for (const part of pinnedParts(pinning, service, placements.get(service.name))) {
    await rollOutPart(rollout, part);
  }
}

async function rollOutPart(rollout: Rollout, part: ServicePart): Promise<void> {
  const { observed, generation, before, orchestrator, onEvent, signal } = rollout;
  const { service } = part;
  signal.throwIfAborted();
  const present = observed.serviceOf(part);
  const isThere = present !== undefined && generationOf(present) === generation;
  const version =
    (isThere ? findVersion(present, generation) : undefined) ??
    (await storeVersion(rollout, service, generation, signal));
  signal.throwIfAborted();
  const planned = planVersion(rollout, part, version);
  const spec = planService(planned);
  if (before === undefined) {
    const done = await orchestrator.apply(spec);
    if (done === 'updated') onEvent(service.name, 'restarts instance by instance');
    return;
  }
  const isReplacing = present !== undefined && !isThere;
  const trial = isReplacing ? await tryOut(rollout, part, planTrial(planned)) : undefined;
  const watch = new RolloutWatch(service.count, rollout.clock.monotonic());
  const done = await orchestrator.apply(guardPlan(spec, findVersion(present, before)));
  if (done === 'updated') onEvent(service.name, 'restarts instance by instance');
  if (trial !== undefined) await orchestrator.park(trial);
  await runs(rollout, service, watch, () => observed.serviceOf(part));
}

/** Runs one more instance. Resolves with its service when it has run for some time. */
async function tryOut(
  rollout: Rollout,
  part: ServicePart,
  spec: ServiceSpec,
): Promise<EngineService | undefined> {
  const { observed, orchestrator, onEvent } = rollout;
  const { service } = part;
  // Two instances can't have one volume.
  if (hasPersistentVolumes(service)) return undefined;
  onEvent(service.name, 'tries the new version in one more instance');
  const watch = new RolloutWatch(1, rollout.clock.monotonic(), true);
  await orchestrator.apply(spec);
  return await runs(rollout, service, watch, () => observed.trialOf(part));
}

/** Resolves with a service of the engine when its instances run on the wanted generation. */
async function runs(
  { observed, clock, generation, signal }: Rollout,
  { name }: ServiceDefinition,
  watch: RolloutWatch,
  find: () => EngineService | undefined,
): Promise<EngineService | undefined> {
  const judge = (): RolloutVerdict => {
    const service = find();
    const isNew = service !== undefined && generationOf(service) === generation;
    const tasks = observed.tasks.filter(
      (task) =>
        task.service === service?.id &&
        generationOf(task) === generation &&
        !observed.nodes.isLost(task),
    );
    return watch.judge(tasks, isNew ? service.update : 'updating', clock.monotonic());
  };
  const verdict = await observed.snapshots.decide(() => {
    const reached = judge();
    return reached === 'waiting' ? undefined : reached;
  }, signal);
  if (verdict !== 'steady') throw new RolloutFailure(`${name} ${verdict.failure}`);
  return find();
}

/** Resolves when each instance of the dependencies of a service runs. */
async function dependenciesRan(
  { record, observed, onEvent, signal }: Rollout,
  { name, dependsOn }: ServiceDefinition,
): Promise<void> {
  const awaited = record.services.filter((service) => dependsOn.includes(service.name));
  const runs = (task: EngineTask) => isRunning(task) && !observed.nodes.isLost(task);
  const haveRun = () =>
    awaited.every((each) => observed.tasksOf(each).filter(runs).length >= each.count);
  if (haveRun()) return;
  onEvent(name, `waits for ${dependsOn.join(', ')}`);
  await observed.snapshots.until(haveRun, signal);
}
