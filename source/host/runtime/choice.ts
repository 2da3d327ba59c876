import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ContainerRuntime } from './container.ts';
import type { EngineFinder } from '../engine/engine-finder.ts';
import type { RuntimeName } from './names.ts';
import type { ProcessRuntime } from './process.ts';
import type {
  HostRuntime,
  InstanceRun,
  RunFailure,
  RunRequest,
  ServiceRefusal,
} from './runtime.ts';
import { hasCommand, refuseEmpty, refuseWithoutEngine } from './service-refusals.ts';

export interface ChoiceParts {
  readonly processes: ProcessRuntime;
  readonly containers: ContainerRuntime;
  readonly finder: EngineFinder;
  /** Whether an earlier host on this folder may have left containers. */
  readonly mayHaveContainers: () => boolean;
  /** Called before the first container is made. */
  readonly onContainers: () => void;
}

/** The kind of a service: a command as a process, or an image as a container. */
export type Workload = 'command' | 'image';

/** Runs each service as its host was told. An image is always a container, never a process. */
export class ChosenRuntime implements HostRuntime {
  readonly #name: RuntimeName;
  readonly #parts: ChoiceParts;

  constructor(name: RuntimeName, parts: ChoiceParts) {
    this.#name = name;
    this.#parts = parts;
  }

  /** Returns what services may be made of here; images by the last search for an engine. */
  get workloads(): readonly Workload[] {
    if (this.#name === 'process') return ['command'];
    if (this.#name === 'container') return ['image'];
    return this.#parts.finder.answers ? ['command', 'image'] : ['command'];
  }

  refusal(service: ServiceDefinition): ServiceRefusal | undefined {
    const { processes, containers } = this.#parts;
    if (this.#name === 'process') return processes.refusal(service);
    if (this.#name === 'container') return containers.refusal(service);
    return service.image === undefined && !hasCommand(service) ? refuseEmpty(service) : undefined;
  }

  /** A host for containers alone takes any image, and tries again until an engine answers. */
  async shortage(
    services: readonly ServiceDefinition[],
  ): Promise<ReadonlyMap<string, ServiceRefusal>> {
    const images = services.filter(({ image }) => image !== undefined);
    if (this.#name !== 'auto' || images.length === 0) return new Map();
    const { finder } = this.#parts;
    // One that answered lately may be slow to answer again; a start finds out.
    if (finder.answers || !('failure' in (await finder.find()))) return new Map();
    return new Map(images.map((service) => [service.name, refuseWithoutEngine(service)]));
  }

  ignores(part: PartName): boolean {
    const { processes, containers } = this.#parts;
    if (this.#name === 'process') return processes.ignores(part);
    return containers.ignores(part) && (this.#name === 'container' || processes.ignores(part));
  }

  async start(request: RunRequest): Promise<InstanceRun | RunFailure> {
    const { processes, containers, onContainers } = this.#parts;
    const { service } = request;
    // Checked again here: no caller may make a process of an image.
    const refusal = this.refusal(service);
    if (refusal !== undefined) return { failure: refusal.sentence };
    if (service.image === undefined) return await processes.start(request);
    try {
      onContainers();
    } catch {
      // The next host would not look for it.
      return { failure: 'the host cannot write its records' };
    }
    return await containers.start(request);
  }

  async release(deployment: string): Promise<void> {
    await this.#parts.containers.release(deployment);
  }

  async endOrphans(graceMs: number): Promise<void> {
    const { processes, containers, mayHaveContainers } = this.#parts;
    await Promise.all([
      processes.endOrphans(graceMs),
      this.#name !== 'process' || mayHaveContainers() ? containers.endOrphans(graceMs) : undefined,
    ]);
  }
}
