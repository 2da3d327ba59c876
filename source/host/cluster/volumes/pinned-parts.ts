import type { ServiceDefinition } from '../../../contract/sdl/definition.ts';
import type { ServicePlacement } from '../../../contract/sdl/service-placements.ts';
import type { Nodes } from '../nodes.ts';
import { hasPersistentVolumes, partName, partsOf, type ServicePart } from '../service-parts.ts';
import type { VolumeNodes } from './volume-nodes.ts';

export interface PinningParts {
  /** Id of the deployment. */
  readonly deployment: string;
  readonly nodes: Nodes;
  readonly volumeNodes: Pick<VolumeNodes, 'find' | 'list' | 'set'>;
}

/**
 * Returns the parts of a service. One with persistent volumes is pinned to the node that has them, which
 * is chosen and recorded before its first start. Throws when no node is ready for it.
 */
export function pinnedParts(
  parts: PinningParts,
  service: ServiceDefinition,
  placements: readonly ServicePlacement[] = [],
): readonly ServicePart[] {
  return partsOf(service, placements).map((part, index) => {
    if (!hasPersistentVolumes(service)) return part;
    return pinnedTo(nodeOf(parts, part, placements[index]?.attributes ?? {}), part);
  });
}

function pinnedTo(node: string, part: ServicePart): ServicePart {
  return { ...part, constraints: [...part.constraints, `node.id==${node}`] };
}

function nodeOf(
  { deployment, nodes, volumeNodes }: PinningParts,
  part: ServicePart,
  attributes: ServicePlacement['attributes'],
): string {
  const name = partName(part);
  const known = volumeNodes.find(deployment, name);
  if (known !== undefined) return known;
  const taken = volumeNodes.list().map(({ node }) => node);
  const chosen = nodes.choose(attributes, (id) => taken.filter((node) => node === id).length);
  if (chosen === undefined) throw new Error('no node is ready for its volumes');
  volumeNodes.set(deployment, name, chosen);
  return chosen;
}
