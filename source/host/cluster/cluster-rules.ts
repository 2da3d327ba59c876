import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { readServicePlacements } from '../../contract/sdl/service-placements.ts';
import type { ServiceRefusal, ServiceRules } from '../runtime/runtime.ts';
import { refuseWithoutImage } from '../runtime/service-refusals.ts';
import { refuseAttributes } from './attribute-refusals.ts';
import type { Nodes } from './nodes.ts';

/** The rules by which a host on a cluster accepts services. */
export class ClusterRules implements ServiceRules {
  readonly #readNodes: () => Promise<Nodes | undefined>;

  /** @param readNodes resolves with the nodes; with undefined when no manager answers soon. */
  constructor(readNodes: () => Promise<Nodes | undefined>) {
    this.#readNodes = readNodes;
  }

  checkService(service: ServiceDefinition): ServiceRefusal | undefined {
    return service.image === undefined ? refuseWithoutImage(service) : undefined;
  }

  /** A swarm starts what it can't start now as soon as it can; it waits in vain for a label. */
  async checkAvailability(
    services: readonly ServiceDefinition[],
    sdl: string,
  ): Promise<ReadonlyMap<string, ServiceRefusal>> {
    const placements = readServicePlacements(sdl);
    const wanted = services.flatMap(({ name }) => {
      const own = placements.get(name) ?? [];
      const isPlaced = own.some(({ attributes }) => Object.keys(attributes).length > 0);
      return isPlaced ? [[name, own] as const] : [];
    });
    const nodes = wanted.length === 0 ? undefined : await this.#readNodes();
    if (nodes === undefined) return new Map();
    return new Map(
      wanted.flatMap(([name, own]) => {
        const refusal = refuseAttributes(name, own, nodes);
        return refusal === undefined ? [] : [[name, refusal] as const];
      }),
    );
  }

  ignores(): boolean {
    return true;
  }
}
