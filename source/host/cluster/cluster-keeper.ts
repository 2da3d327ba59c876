import type { DeploymentState } from '../../contract/deployments.ts';
import type { HostClock } from '../clock.ts';
import { engineReason } from '../engine/engine-error.ts';
import type { Keeper } from '../supervisor/backend.ts';
import { type ServiceStatus, worstState } from '../supervisor/service-status.ts';
import { clusterLabels } from './cluster-labels.ts';
import { clusterServiceStatus } from './cluster-service-status.ts';
import { instancesOf } from './instances.ts';
import { ObservedDeployment } from './observed-deployment.ts';
import type { Orchestrator, Snapshot } from './orchestrator.ts';
import { type RolloutParts, rollOut } from './rollout.ts';
import { type TakeDownParts, takeDown } from './take-down.ts';

export interface ClusterKeeperOptions extends RolloutParts, Omit<TakeDownParts, 'pause'> {
  readonly orchestrator: Orchestrator;
  readonly clock: HostClock;
  readonly onChange: () => void;
}

const firstRetryMs = 1000;
const maxRetryMs = 60_000;

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
    this.#isReplacing = typeof this.#applied === 'number' && this.#applied !== generation;
    return this.#want(generation);
  }

  stop(): Promise<void> {
    this.#isReplacing = false;
    return this.#want(undefined);
  }

  /** Ends all work at the end of the host; the next one goes on with it. */
  leave(): void {
    this.#left.abort();
    this.#wake();
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
        .filter(({ labels }) => labels[clusterLabels.generation] === String(generation));
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
  }

  #want(generation: number | undefined): Promise<void> {
    this.#wanted = generation;
    this.#parts.onChange();
    this.#wake();
    this.#convergence ??= this.#converge();
    return this.#convergence;
  }

  async #converge(): Promise<void> {
    await Promise.resolve();
    let retryMs = firstRetryMs;
    while (!this.#left.signal.aborted && this.#applied !== (this.#wanted ?? 'none')) {
      const wanted = this.#wanted;
      try {
        await (wanted === undefined ? this.#end() : this.#apply(wanted));
        this.#applied = wanted ?? 'none';
        this.#failure = undefined;
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

  async #apply(generation: number): Promise<void> {
    const unwanted = new AbortController();
    this.#wake = () => {
      unwanted.abort();
    };
    await rollOut(this.#parts, this.#observed, generation, unwanted.signal);
  }

  async #end(): Promise<void> {
    const pause = (ms: number) => this.#pause(ms);
    await takeDown({ ...this.#parts, pause }, this.#observed, this.#left.signal);
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
