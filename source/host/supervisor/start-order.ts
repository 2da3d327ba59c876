import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { Instance } from './instance.ts';

/** A service and its instances. */
export interface Member {
  readonly service: ServiceDefinition;
  readonly instances: readonly Instance[];
  /** Takes what happens to the service as a whole, a few words each time. */
  readonly onEvent: (text: string) => void;
}

/**
 * The services of a deployment, each started behind those it depends on and stopped before them. To
 * start behind a service is to wait until each of its instances has run once; what becomes of them
 * later is no concern of those that waited.
 */
export class StartOrder {
  readonly #members: ReadonlyMap<string, Member>;
  readonly #stops = new Map<string, Promise<void>>();

  /** @param members whose dependencies lead in no circle. */
  constructor(members: readonly Member[]) {
    this.#members = new Map(members.map((member) => [member.service.name, member]));
  }

  instances(service: string): readonly Instance[] {
    return this.#members.get(service)?.instances ?? [];
  }

  /** Starts them all, once; `word` is how their log says so. */
  start(word: 'started' | 'restarted'): void {
    for (const member of this.#members.values()) void this.#startBehind(member, word);
  }

  /** Ends them for good. Settles when nothing of them is left. */
  async stop(graceMs: number): Promise<void> {
    const dependents = new Map<string, string[]>();
    for (const { service } of this.#members.values()) {
      for (const name of service.dependsOn) {
        dependents.set(name, [...(dependents.get(name) ?? []), service.name]);
      }
    }
    const stop = (member: Member): Promise<void> => {
      const { name } = member.service;
      let stopping = this.#stops.get(name);
      if (stopping === undefined) {
        const others = (dependents.get(name) ?? []).flatMap((each) => this.#member(each));
        stopping = stopBehind(member, others.map(stop), graceMs);
        this.#stops.set(name, stopping);
      }
      return stopping;
    };
    await Promise.all([...this.#members.values()].map(stop));
  }

  async #startBehind({ service, instances, onEvent }: Member, word: 'started' | 'restarted') {
    const before = service.dependsOn.flatMap((name) => this.#member(name));
    if (before.length > 0) {
      onEvent(`waits for ${before.map((member) => member.service.name).join(', ')}`);
      const awaited = before.flatMap((member) => member.instances);
      await Promise.all(awaited.map((instance) => instance.firstRun));
    }
    for (const instance of instances) instance.start(word);
  }

  #member(name: string): readonly Member[] {
    const member = this.#members.get(name);
    return member === undefined ? [] : [member];
  }
}

async function stopBehind(
  { instances }: Member,
  dependents: readonly Promise<void>[],
  graceMs: number,
): Promise<void> {
  await Promise.all(dependents);
  await Promise.all(instances.map((instance) => instance.stop(graceMs)));
}
