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
    if (service.image === undefined) return refuseWithoutImage(service);
    return (service.volumes ?? []).length > 0 ? refuseVolumes(service) : undefined;
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

/** Tasks move between nodes, and a volume does not: the next node would have an empty one. */
function refuseVolumes({ name }: ServiceDefinition): ServiceRefusal {
  return {
    expected: 'no volumes: instances move between the nodes of a swarm',
    sentence:
      `Service ${name} has volumes, and its instances move between the nodes of a swarm, which don't ` +
      'share them. Keep its data elsewhere, or run it on a host with --runtime container.',
  };
}
