import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { Instance } from './instance.ts';

/** A service and its instances. */
export interface OrderedService {
  readonly service: ServiceDefinition;
  readonly instances: readonly Instance[];
  /** Logs an event of the service as a whole, a few words. */
  readonly onEvent: (text: string) => void;
}

/**
 * Starts the services of a deployment after their dependencies and stops them before these. A
 * service starts when each instance of its dependencies has run once; later crashes of a dependency
 * do not affect it.
 */
export class StartOrder {
  readonly #members: ReadonlyMap<string, OrderedService>;
  readonly #stops = new Map<string, Promise<void>>();

  /** @param members must have no circular dependencies. */
  constructor(members: readonly OrderedService[]) {
    this.#members = new Map(members.map((member) => [member.service.name, member]));
  }

  instances(service: string): readonly Instance[] {
    return this.#members.get(service)?.instances ?? [];
  }

  /** Starts all services, once. `word` describes the start in their logs. */
  start(word: 'started' | 'restarted'): void {
    for (const member of this.#members.values()) void this.#startAfterDependencies(member, word);
  }

  /** Stops all services for good. Resolves when all instances have ended. */
  async stop(graceMs: number): Promise<void> {
    const dependents = new Map<string, string[]>();
    for (const { service } of this.#members.values()) {
      for (const name of service.dependsOn) {
        dependents.set(name, [...(dependents.get(name) ?? []), service.name]);
      }
    }
    const stop = (member: OrderedService): Promise<void> => {
      const { name } = member.service;
      let stopping = this.#stops.get(name);
      if (stopping === undefined) {
        const others = (dependents.get(name) ?? []).flatMap((other) => this.#member(other));
        stopping = stopAfter(others.map(stop), member, graceMs);
        this.#stops.set(name, stopping);
      }
      return stopping;
    };
    await Promise.all([...this.#members.values()].map(stop));
  }

  async #startAfterDependencies(
    { service, instances, onEvent }: OrderedService,
    word: 'started' | 'restarted',
  ) {
    const dependencies = service.dependsOn.flatMap((name) => this.#member(name));
    if (dependencies.length > 0) {
      onEvent(`waits for ${dependencies.map((member) => member.service.name).join(', ')}`);
      const awaited = dependencies.flatMap((member) => member.instances);
      await Promise.all(awaited.map((instance) => instance.firstRun));
    }
    for (const instance of instances) instance.start(word);
  }

  #member(name: string): readonly OrderedService[] {
    const member = this.#members.get(name);
    return member === undefined ? [] : [member];
  }
}

async function stopAfter(
  dependents: readonly Promise<void>[],
  { instances }: OrderedService,
  graceMs: number,
): Promise<void> {
  await Promise.all(dependents);
  await Promise.all(instances.map((instance) => instance.stop(graceMs)));
}
