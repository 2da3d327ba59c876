import type { SdlPartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ContainerRuntime } from './container.ts';
import type { EngineFinder } from '../engine/engine-finder.ts';
import type { EngineVolumeSizes } from '../volumes/volume-use.ts';
import type { RuntimeName } from './names.ts';
import type { ProcessRuntime } from './process.ts';
import type {
  InstanceRun,
  LeftRun,
  RunFailure,
  RunRequest,
  Runtime,
  ServiceRefusal,
  ServiceRules,
} from './runtime.ts';
import type { VolumeSource } from './volume-source.ts';
import { hasCommand, refuseEmpty, refuseWithoutEngine } from './service-refusals.ts';

export interface ChoiceParts {
  readonly processes: ProcessRuntime;
  readonly containers: ContainerRuntime;
  readonly finder: EngineFinder;
  /** Returns true when an earlier host with this data folder may have left containers. */
  readonly mayHaveContainers: () => boolean;
  /** Called before each container start; throws when the host can't write its records. */
  readonly onContainerStart: () => void;
}

/** The kind of a service: a command as a process, or an image as a container. */
export type Workload = 'command' | 'image';

/**
 * Runs each service on the runtime that the host's options select; an image only as a container.
 */
export class SelectingRuntime implements Runtime, ServiceRules {
  readonly #name: Exclude<RuntimeName, 'swarm'>;
  readonly #parts: ChoiceParts;

  constructor(name: Exclude<RuntimeName, 'swarm'>, parts: ChoiceParts) {
    this.#name = name;
    this.#parts = parts;
  }

  /** Kinds of services that can run now; images depend on the last search for an engine. */
  get workloads(): readonly Workload[] {
    if (this.#name === 'process') return ['command'];
    if (this.#name === 'container') return ['image'];
    return this.#parts.finder.answers ? ['command', 'image'] : ['command'];
  }

  /** The volumes of containers, for a backup. */
  get volumeSource(): VolumeSource {
    return this.#parts.containers.volumeSource;
  }

  checkService(service: ServiceDefinition): ServiceRefusal | undefined {
    const { processes, containers } = this.#parts;
    if (this.#name === 'process') return processes.checkService(service);
    if (this.#name === 'container') return containers.checkService(service);
    return service.image === undefined && !hasCommand(service) ? refuseEmpty(service) : undefined;
  }

  /** A host for containers only accepts every image, and retries until an engine answers. */
  async checkAvailability(
    services: readonly ServiceDefinition[],
  ): Promise<ReadonlyMap<string, ServiceRefusal>> {
    const images = services.filter(({ image }) => image !== undefined);
    if (this.#name !== 'auto' || images.length === 0) return new Map();
    const { finder } = this.#parts;
    // An engine that answered before may be slow now; a start finds out.
    if (finder.answers || !('failure' in (await finder.find()))) return new Map();
    return new Map(images.map((service) => [service.name, refuseWithoutEngine(service)]));
  }

  ignores(part: SdlPartName): boolean {
    const { processes, containers } = this.#parts;
    if (this.#name === 'process') return processes.ignores(part);
    return containers.ignores(part) && (this.#name === 'container' || processes.ignores(part));
  }

  async start(request: RunRequest): Promise<InstanceRun | RunFailure> {
    const { processes, containers, onContainerStart } = this.#parts;
    const { service } = request;
    // Checked again here, so that no caller can run an image as a process.
    const refusal = this.checkService(service);
    if (refusal !== undefined) return { failure: refusal.sentence };
    if (service.image === undefined) return await processes.start(request);
    try {
      onContainerStart();
    } catch {
      // Without the record, the next host would not search for the container.
      return { failure: "the host can't write its records" };
    }
    return await containers.start(request);
  }

  async release(deployment: string): Promise<void> {
    await this.#parts.containers.release(deployment);
  }

  /** Resolves with the sizes of an engine's volumes. Never rejects. */
  async measureVolumes(signal: AbortSignal): Promise<EngineVolumeSizes> {
    const { containers, mayHaveContainers } = this.#parts;
    return mayHaveContainers() ? await containers.measureVolumes(signal) : () => undefined;
  }

  /**
   * Removes the volumes that an engine has of a deployment whose data is not kept any more; those that
   * can't be removed now are removed later. Never rejects.
   */
  async removeVolumes(deployment: string): Promise<void> {
    if (this.#parts.mayHaveContainers()) await this.#parts.containers.removeVolumes(deployment);
  }

  async endOrphans(graceMs: number): Promise<readonly LeftRun[]> {
    const { processes, containers, mayHaveContainers } = this.#parts;
    const left = await Promise.all([
      processes.endOrphans(graceMs),
      this.#name !== 'process' || mayHaveContainers() ? containers.endOrphans(graceMs) : [],
    ]);
    return left.flat();
  }
}
