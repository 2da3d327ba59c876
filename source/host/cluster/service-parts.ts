import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ResourceLimits } from '../../contract/sdl/resources.ts';
import type { ServicePlacement } from '../../contract/sdl/service-placements.ts';

/** The instances of a service in one placement: one service of the engine. */
export interface ServicePart {
  /** The service with the number of instances in this placement. */
  readonly service: ServiceDefinition;
  /** Name of the placement; undefined for the only one. */
  readonly placement: string | undefined;
  readonly resources: ResourceLimits;
  /** Demands on the nodes, in the words of the engine. */
  readonly constraints: readonly string[];
  /** Number of instances in the placements before. */
  readonly offset: number;
}

/** Returns the parts of a service, in the order of its placements. */
export function partsOf(
  service: ServiceDefinition,
  placements: readonly ServicePlacement[] = [],
): readonly ServicePart[] {
  let offset = 0;
  return placements.map(({ name, count, attributes, resources }) => {
    const part = {
      service: { ...service, count },
      placement: placements.length === 1 ? undefined : name,
      resources,
      constraints: constraintsOf(attributes),
      offset,
    };
    offset += count;
    return part;
  });
}

/** Returns the constraints that nodes with the attributes as labels meet. */
function constraintsOf(attributes: ServicePlacement['attributes']): readonly string[] {
  return Object.entries(attributes).map(([name, value]) => `node.labels.${name}==${value}`);
}

/** Returns the name of a part, unique in its deployment. */
export function partName({
  service,
  placement,
}: Pick<ServicePart, 'placement' | 'service'>): string {
  return placement === undefined ? service.name : `${service.name} (${placement})`;
}

/** Returns true for a service with volumes that outlive its runs, which bind it to their node. */
export function hasPersistentVolumes({
  volumes = [],
}: Pick<ServiceDefinition, 'volumes'>): boolean {
  return volumes.some(({ kind }) => kind === 'persistent');
}
