import type { PartName, ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ContainerRuntime } from './container.ts';
import type { EngineFinder } from './container-engine.ts';
import type { RuntimeName } from './names.ts';
import type { ProcessRuntime } from './process.ts';
import type { Run, RunFailure, RunRequest, Runtime } from './runtime.ts';

export interface ChoiceParts {
  readonly processes: ProcessRuntime;
  readonly containers: ContainerRuntime;
  readonly finder: EngineFinder;
  /** Whether an earlier host on this folder may have left containers. */
  readonly mayHaveContainers: () => boolean;
  /** Called before the first container is made. */
  readonly onContainers: () => void;
}

/** Runs each service in the way that the host was told. */
export class ChosenRuntime implements Runtime {
  readonly #name: RuntimeName;
  readonly #parts: ChoiceParts;

  constructor(name: RuntimeName, parts: ChoiceParts) {
    this.#name = name;
    this.#parts = parts;
  }

  refusal(service: ServiceDefinition): string | undefined {
    const { processes, containers, finder } = this.#parts;
    if (this.#name === 'container') return containers.refusal(service);
    const refused = processes.refusal(service);
    if (this.#name === 'process' || refused === undefined) return refused;
    if (containers.refusal(service) !== undefined) return 'a command, or an image';
    if (finder.answers) return undefined;
    // For the next who asks: an engine may have been started since.
    void finder.find();
    return 'a command: no container engine answers that could run its image';
  }

  ignores(part: PartName): boolean {
    const { processes, containers } = this.#parts;
    if (this.#name === 'process') return processes.ignores(part);
    return containers.ignores(part) && (this.#name === 'container' || processes.ignores(part));
  }

  async start(request: RunRequest): Promise<Run | RunFailure> {
    const { processes, containers, onContainers } = this.#parts;
    const isProcess =
      this.#name === 'process' ||
      (this.#name === 'auto' && processes.refusal(request.service) === undefined);
    if (isProcess) return await processes.start(request);
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
