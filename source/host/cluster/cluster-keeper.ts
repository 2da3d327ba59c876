import type { DeploymentState } from '../../contract/deployments.ts';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { readResourceLimits } from '../../contract/sdl/resources.ts';
import type { HostClock } from '../clock.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import { engineReason } from '../engine/engine-error.ts';
import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import type { Files } from '../files/files.ts';
import type { Keeper } from '../supervisor/backend.ts';
import { type ServiceStatus, serviceStatus, worstState } from '../supervisor/service-status.ts';
import { clusterLabels } from './cluster-labels.ts';
import { Crashes } from './crashes.ts';
import { hasEnded, instancesOf, isRunning } from './instances.ts';
import type { ImageStore, StoredImage } from './image-store.ts';
import type { Orchestrator, Snapshot } from './orchestrator.ts';
import { networkName, planService, storedImageOf } from './plan.ts';
import { serviceWaves } from './service-waves.ts';
import { SnapshotWatch } from './snapshot-watch.ts';
import type { TaskReaders } from './task-readers.ts';

export interface ClusterKeeperOptions {
  readonly record: DeploymentRecord;
  /** Returns the text of the deployment's definition. */
  readonly readSdl: () => string;
  readonly orchestrator: Orchestrator;
  readonly images: ImageStore;
  readonly readers: TaskReaders;
  readonly files: Pick<Files, 'runFolder'>;
  readonly clock: HostClock;
  /** Id of the host, unique on the cluster. */
  readonly host: string;
  readonly graceMs: number;
  readonly overcommit: number;
  readonly onChange: () => void;
  /** Logs an event of a service, a few words. */
  readonly onEvent: (service: string, text: string) => void;
}

const firstRetryMs = 1000;
const maxRetryMs = 60_000;

/** Time beyond the grace period in which stopped tasks end; those of a lost node never do. */
const stopMs = 30_000;

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
  #services: readonly EngineService[] = [];
  #tasks: readonly EngineTask[] = [];
  #seen = '';
  readonly #crashes = new Crashes();
  readonly #snapshots: SnapshotWatch;
  /** Aborted at the end of the host, which leaves everything as it is. */
  readonly #left = new AbortController();
  /** Wakes a pause when another generation is wanted. */
  #wake: () => void = () => undefined;

  constructor(parts: ClusterKeeperOptions) {
    this.#parts = parts;
    this.#snapshots = new SnapshotWatch(parts.clock);
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
      const tasks = this.#tasksOf(service).filter(
        ({ labels }) => labels[clusterLabels.generation] === String(generation),
      );
      const restarts = (instance: number) =>
        this.#crashes.count(service.name, instance, generation);
      const instances = this.#applied === 'none' ? [] : instancesOf(tasks, service.count, restarts);
      const status = serviceStatus(service, instances);
      if (this.#failure === undefined || status.running > 0) return status;
      return { ...status, state: 'failed', reason: this.#failure };
    });
  }

  /** True when the engine has nothing of the deployment any more. */
  get hasStopped(): boolean {
    return this.#applied === 'none' && this.#convergence === undefined;
  }

  /** Takes over what the engine has of the deployment now. */
  observe({ services, tasks }: Snapshot): void {
    const isOwn = ({ labels }: EngineService | EngineTask) =>
      labels[clusterLabels.deployment] === this.#id;
    this.#services = services.filter(isOwn);
    this.#tasks = tasks.filter(isOwn);
    this.#crashes.add(this.#tasks);
    this.#snapshots.notify();
    const seen = JSON.stringify(this.#tasks.map(({ id, state, ports }) => [id, state, [...ports]]));
    if (seen !== this.#seen) this.#parts.onChange();
    this.#seen = seen;
  }

  get #id(): string {
    return this.#parts.record.id;
  }

  #tasksOf({ name }: ServiceDefinition): readonly EngineTask[] {
    return this.#tasks.filter(({ labels }) => labels[clusterLabels.service] === name);
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
    const { record, readSdl, orchestrator, host, graceMs, overcommit, onEvent } = this.#parts;
    const unwanted = new AbortController();
    this.#wake = () => {
      unwanted.abort();
    };
    const { signal } = unwanted;
    const resources = readResourceLimits(readSdl());
    await orchestrator.ensureNetwork(networkName(host, record.number), record.id);
    for (const [depth, wave] of serviceWaves(record.services).entries()) {
      for (const service of wave) {
        if (depth > 0) await this.#dependenciesRan(service, signal);
        signal.throwIfAborted();
        const image =
          this.#imageOf(service, generation) ?? (await this.#store(service, generation, signal));
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
  #imageOf({ name }: ServiceDefinition, generation: number): StoredImage | undefined {
    const left = this.#services.find(
      ({ labels }) =>
        labels[clusterLabels.service] === name &&
        labels[clusterLabels.generation] === String(generation),
    );
    return left === undefined ? undefined : storedImageOf(left);
  }

  #store(
    { name, image = '' }: ServiceDefinition,
    generation: number,
    signal: AbortSignal,
  ): Promise<StoredImage> {
    const { record, images, files, onEvent } = this.#parts;
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
  async #dependenciesRan(
    { name, dependsOn }: ServiceDefinition,
    signal: AbortSignal,
  ): Promise<void> {
    const { record, onEvent } = this.#parts;
    const awaited = record.services.filter((service) => dependsOn.includes(service.name));
    const haveRun = () =>
      awaited.every((each) => this.#tasksOf(each).filter(isRunning).length >= each.count);
    if (haveRun()) return;
    onEvent(name, `waits for ${dependsOn.join(', ')}`);
    await this.#snapshots.until(haveRun, signal);
  }

  /** Ends all tasks, reads their output to its end, and removes the services. */
  async #end(): Promise<void> {
    const { record, orchestrator, readers, host, graceMs } = this.#parts;
    // Services that were created a moment ago are in no earlier snapshot.
    this.observe(await orchestrator.snapshot());
    for (const wave of serviceWaves(record.services).toReversed()) {
      const names = new Set(wave.map(({ name }) => name));
      const services = this.#services.filter(({ labels }) =>
        names.has(labels[clusterLabels.service] ?? ''),
      );
      await Promise.all(services.map((service) => orchestrator.park(service)));
      const ids = new Set(services.map(({ id }) => id));
      const haveEnded = () =>
        this.#tasks
          .filter(({ service }) => ids.has(service))
          .every((task) => hasEnded(task) || (task.desired === 'running' && !isRunning(task)));
      if (services.length > 0) {
        await this.#snapshots.untilOrLate(haveEnded, graceMs + stopMs, this.#left.signal);
      }
      this.#left.signal.throwIfAborted();
      await readers.finish(record.id, names);
      this.#left.signal.throwIfAborted();
      await Promise.all(services.map((service) => orchestrator.remove(service)));
    }
    await this.#removeNetwork(networkName(host, record.number));
    this.#services = [];
    this.#tasks = [];
  }

  /** The engine detaches the last tasks some time after the removal of their service. */
  async #removeNetwork(name: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#parts.orchestrator.removeNetwork(name);
        return;
      } catch (error) {
        if (attempt === 30 || this.#left.signal.aborted) throw error;
        await this.#pause(firstRetryMs);
      }
    }
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
