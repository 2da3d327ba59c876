import type { DeploymentState, ServiceEndpoint } from '../../contract/deployments.ts';
import type { HostClock } from '../clock.ts';
import { engineReason } from '../engine/engine-error.ts';
import type { Keeper } from '../supervisor/backend.ts';
import { type ServiceStatus, worstState, serviceStatus } from '../supervisor/service-status.ts';
import { instancesOf, type ClusterInstance, isRunning } from './instances.ts';
import { ObservedDeployment } from './observed-deployment.ts';
import type { Orchestrator, Snapshot } from './orchestrator.ts';
import { generationOf, isTrial, planService } from './plan.ts';
import { RolloutFailure, type RolloutParts, rollOut } from './rollout.ts';
import { othersEnded, removeServices, type TakeDownParts, takeDown } from './take-down.ts';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { EngineTask } from '../engine/swarm-api.ts';
import { readServicePlacements } from '../../contract/sdl/service-placements.ts';
import { pinnedParts } from './volumes/pinned-parts.ts';
import { serviceWaves } from './service-waves.ts';
import { planVersion, storeVersion, findVersion } from './version-plan.ts';

export interface ClusterKeeperOptions extends RolloutParts, Omit<TakeDownParts, 'pause'> {
  readonly orchestrator: Orchestrator;
  readonly clock: HostClock;
  /** Resolves when a rollout may begin: those of hundreds of deployments begin one after the other. */
  readonly awaitTurn: () => Promise<void>;
  readonly onChange: () => void;
  /** Returns the generation to which a restart that fails goes back. */
  readonly applied: () => number | undefined;
  /** Called with the generation to which the next restart goes back; undefined for none. */
  readonly onApplied: (generation: number | undefined) => void;
  /** Called when a restart was undone, with the generation that is to run again and a few words. */
  readonly onRolledBack: (generation: number, reason: string) => void;
}

const firstRetryMs = 1000;
const maxRetryMs = 60_000;

/** Attempts to replace a version that runs, when the engine or a registry refuses. */
const maxAttempts = 3;

/**
 * Keeps a deployment on a cluster, whose engine restarts instances and outlives the host. Converges to
 * the wanted generation; what runs is known from the snapshots that its backend passes on.
 */
export class ClusterKeeper implements Keeper {
  readonly #parts: ClusterKeeperOptions;
  #wanted: number | undefined;
  /** The generation that the engine was told to run; undefined before, and for none. */
  #applied: number | 'none' | undefined;
  #convergence: Promise<void> | undefined;
  #isReplacing = false;
  #failure: string | undefined;
  readonly #observed: ObservedDeployment;
  /** Aborted at the end of the host, which leaves everything as it is. */
  readonly #left = new AbortController();
  /** Wakes a pause when another generation is wanted. */
  #wake: () => void = () => undefined;

  constructor(parts: ClusterKeeperOptions) {
    this.#parts = parts;
    this.#observed = new ObservedDeployment(parts.record.id, parts.clock);
  }

  run(generation: number): Promise<void> {
    const recorded = this.#parts.applied();
    const isBegun = recorded !== undefined && recorded !== generation;
    this.#isReplacing = isBegun || this.#appliesAnother(generation);
    return this.#want(generation);
  }

  stop(): Promise<void> {
    this.#isReplacing = false;
    return this.#want(undefined);
  }

  /**
   * Ends all work at the end of the host; the next one goes on with it. Resolves with what is left to do,
   * a few words; with undefined when nothing is.
   */
  async leave(): Promise<string | undefined> {
    this.#left.abort();
    this.#wake();
    const convergence = this.#convergence;
    if (convergence === undefined) return undefined;
    await convergence;
    if (this.#isConverged) return undefined;
    return `the ${this.#wanted === undefined ? 'end' : 'restart'} of ${this.#parts.record.name}`;
  }

  state(): DeploymentState {
    if (this.#isReplacing) return 'restarting';
    return worstState(this.services().map(({ state }) => state));
  }

  services(): readonly ServiceStatus[] {
    return this.#parts.record.services.map((service) => {
      const generation = typeof this.#applied === 'number' ? this.#applied : this.#wanted;
      const tasks = this.#observed
        .tasksOf(service)
        // Instances of two versions stand for the service until one of them is in place.
        .filter((task) => this.#isReplacing || generationOf(task) === generation);
      const restarts = (instance: number) =>
        this.#observed.crashes.count(service.name, instance, generation);
      const { nodes } = this.#observed;
      const instances =
        this.#applied === 'none' ? [] : instancesOf(tasks, nodes, service.count, restarts);
      const status = clusterServiceStatus(service, instances);
      if (this.#failure === undefined || status.running > 0) return status;
      return { ...status, state: 'failed', reason: this.#failure };
    });
  }

  /** True when the engine has nothing of the deployment any more. */
  get hasStopped(): boolean {
    return this.#applied === 'none' && this.#convergence === undefined;
  }

  /** Takes over what the engine has of the deployment now. */
  observe(snapshot: Snapshot): void {
    if (this.#observed.observe(snapshot)) this.#parts.onChange();
    if (this.#hasTrials) this.#convergence ??= this.#converge();
  }

  #appliesAnother(generation: number): boolean {
    return typeof this.#applied === 'number' && this.#applied !== generation;
  }

  #want(generation: number | undefined): Promise<void> {
    this.#wanted = generation;
    this.#parts.onChange();
    this.#wake();
    this.#convergence ??= this.#converge();
    return this.#convergence;
  }

  /** True while the engine has instances that tried out a version which has come to its end. */
  get #hasTrials(): boolean {
    return (
      typeof this.#applied === 'number' &&
      this.#applied === this.#wanted &&
      this.#observed.services.some(isTrial)
    );
  }

  get #isConverged(): boolean {
    return this.#applied === (this.#wanted ?? 'none') && !this.#hasTrials;
  }

  async #converge(): Promise<void> {
    await Promise.resolve();
    let retryMs = firstRetryMs;
    let attempt = 0;
    let tried: number | undefined;
    while (!this.#left.signal.aborted && !this.#isConverged) {
      const wanted = this.#wanted;
      attempt = wanted === tried ? attempt + 1 : 1;
      tried = wanted;
      try {
        if (wanted === undefined) await this.#end();
        else if (this.#hasTrials) await this.#endTrials();
        else await this.#apply(wanted, attempt);
        retryMs = firstRetryMs;
      } catch (error) {
        if (this.#wanted !== wanted || this.#left.signal.aborted) continue;
        this.#failure = engineReason(error);
        this.#eventOfAll(
          `cannot ${wanted === undefined ? 'stop' : 'start'}: ${this.#failure}; ` +
            `tries again in ${retryMs / 1000} s`,
        );
        this.#parts.onChange();
        await this.#pause(retryMs);
        retryMs = Math.min(maxRetryMs, retryMs * 2);
      }
    }
    this.#isReplacing = false;
    this.#convergence = undefined;
    this.#parts.onChange();
  }

  /** Runs a generation, or the one before when it fails. */
  async #apply(generation: number, attempt: number): Promise<void> {
    const signal = this.#untilWoken();
    const before = await this.#findKept(generation);
    try {
      await this.#parts.awaitTurn();
      await rollOut(this.#parts, this.#observed, { generation, before }, signal);
      if (before !== undefined) {
        this.#parts.onApplied(generation);
        await this.#awaitEndOfOthers(generation, signal);
      }
      this.#settle(generation);
    } catch (error) {
      const isFinal = error instanceof RolloutFailure || attempt >= maxAttempts;
      if (before === undefined || !isFinal || signal.aborted) throw error;
      await this.#goBack(before, engineReason(error), signal);
    }
  }

  /** Returns the generation to go back to, and records it for a host that goes on after this one. */
  async #findKept(generation: number): Promise<number | undefined> {
    const { record, orchestrator, applied, onApplied } = this.#parts;
    // Services that were created a moment ago are in no earlier snapshot.
    this.observe(await orchestrator.snapshot());
    const recorded = applied();
    if (recorded === generation) return undefined;
    // An earlier host began this rollout, after whatever it left.
    if (this.#applied === undefined && recorded !== undefined) return recorded;
    const kept = keptVersion(this.#observed, record.services, generation, recorded);
    if (kept !== recorded) onApplied(kept);
    return kept;
  }

  /** Returns a signal that is aborted when another generation is wanted, and at the host's end. */
  #untilWoken(): AbortSignal {
    const woken = new AbortController();
    this.#wake = () => {
      woken.abort();
    };
    return AbortSignal.any([woken.signal, this.#left.signal]);
  }

  async #goBack(generation: number, reason: string, signal: AbortSignal): Promise<void> {
    await rollBack(this.#parts, this.#observed, generation, signal);
    if (signal.aborted) return;
    this.#wanted = generation;
    this.#parts.onRolledBack(generation, reason);
    this.#eventOfAll(`restart undone, the version before runs: ${reason}`);
    await this.#awaitEndOfOthers(generation, signal);
    this.#settle(generation);
  }

  /** A restart is over when replaced instances answer and write no more. */
  async #awaitEndOfOthers(generation: number, signal: AbortSignal): Promise<void> {
    // Nothing is left to do for another host.
    this.#applied = generation;
    await othersEnded(this.#parts, this.#observed, generation, signal);
    signal.throwIfAborted();
  }

  #settle(generation: number): void {
    this.#applied = generation;
    this.#failure = undefined;
    this.#isReplacing = false;
    this.#parts.onChange();
  }

  /** Ends the instances that tried a version out. */
  async #endTrials(): Promise<void> {
    const trials = this.#observed.services.filter(isTrial);
    await removeServices(this.#parts, this.#observed, trials, this.#untilWoken());
    this.#observed.forget(trials);
  }

  async #end(): Promise<void> {
    const pause = (ms: number) => this.#pause(ms);
    await takeDown({ ...this.#parts, pause }, this.#observed, this.#left.signal);
    this.#applied = 'none';
    this.#failure = undefined;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.schedule(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #eventOfAll(text: string): void {
    for (const { name } of this.#parts.record.services) this.#parts.onEvent(name, text);
  }
}

/** Returns the status of a service with where its instances run; a stopped service has none. */
export function clusterServiceStatus(
  service: ServiceDefinition,
  instances: readonly ClusterInstance[],
): ServiceStatus {
  return {
    ...serviceStatus(service, instances),
    endpoints: instances.flatMap(endpointsOf),
    instanceStates: instances.map(({ state, place, startedAt, restarts, reason }, index) => ({
      instance: index + 1,
      state,
      ...place,
      startedAt: startedAt === undefined ? undefined : new Date(startedAt).toISOString(),
      restarts,
      reason,
    })),
  };
}

function endpointsOf({ place, ports }: ClusterInstance, index: number): readonly ServiceEndpoint[] {
  if (place === undefined) return [];
  const { node, address } = place;
  const instance = index + 1;
  return [...ports].map(([target, port]) => ({ instance, node, address, port, target }));
}

/**
 * Returns the generation to which a rollout goes back when it fails; undefined when nothing of the
 * deployment runs, so that there is nothing to keep.
 *
 * @param recorded the last generation that a rollout has put in place.
 */
function keptVersion(
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

/**
 * Tells the engine to run the generation before again, after a rollout that failed. Services whose
 * instances were not replaced yet are left alone. The image of the generation is the one it had, also
 * when its tag has another one now.
 */
async function rollBack(
  parts: RolloutParts & { readonly orchestrator: Pick<Orchestrator, 'snapshot'> },
  observed: ObservedDeployment,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  const { record, readSdl, orchestrator, volumeNodes } = parts;
  const placements = readServicePlacements(readSdl());
  // A service that was updated a moment ago is an older one in earlier snapshots.
  observed.observe(await orchestrator.snapshot());
  const pinning = { deployment: record.id, nodes: observed.nodes, volumeNodes };
  for (const wave of serviceWaves(record.services)) {
    for (const part of wave.flatMap((each) =>
      pinnedParts(pinning, each, placements.get(each.name)),
    )) {
      signal.throwIfAborted();
      const present = observed.serviceOf(part);
      if (present !== undefined && generationOf(present) === generation) continue;
      const version =
        findVersion(present, generation) ??
        (await storeVersion(parts, part.service, generation, signal));
      await orchestrator.apply(planService(planVersion(parts, part, version)));
    }
  }
}
