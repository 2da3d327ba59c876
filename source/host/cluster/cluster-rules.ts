import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import {
  readServicePlacements,
  type ServicePlacement,
} from '../../contract/sdl/service-placements.ts';
import type { ServiceRefusal, ServiceRules } from '../runtime/runtime.ts';
import { refuseWithoutImage } from '../runtime/service-refusals.ts';
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

/** Names of labels, and values, that a constraint of a swarm may have (swarmkit, `constraint.go`). */
const labelName = /^[a-z0-9_.-]+$/i;
const labelValue = /^[a-z0-9:\-_\s.*()?+[\]\\^$|/]+$/i;

/** Returns the reason why no node can run a service; undefined when some can. */
export function refuseAttributes(
  service: string,
  placements: readonly ServicePlacement[],
  nodes: Nodes,
): ServiceRefusal | undefined {
  for (const { name, attributes } of placements) {
    const odd = Object.entries(attributes).find(([key, value]) => !isLabel(key, value));
    if (odd !== undefined) return refuseOdd(service, name, odd);
    if (!nodes.haveLabels(attributes)) return refuseMissing(service, name, attributes);
  }
  return undefined;
}

function isLabel(name: string, value: string): boolean {
  return labelName.test(name) && labelValue.test(value);
}

function refuseOdd(
  service: string,
  placement: string,
  [name, value]: readonly [string, string],
): ServiceRefusal {
  return {
    expected: 'attributes that labels of nodes may have',
    sentence:
      `Placement ${placement} of service ${service} has the attribute ${name}: ${value}, which no label ` +
      'of a node on a swarm may have. Use letters, digits, hyphens, dots and underscores.',
  };
}

function refuseMissing(
  service: string,
  placement: string,
  attributes: ServicePlacement['attributes'],
): ServiceRefusal {
  const labels = Object.entries(attributes).map(([name, value]) => `${name}=${value}`);
  const update = labels.map((label) => `--label-add ${label}`).join(' ');
  return {
    expected: `a node with ${labels.join(' and ')}`,
    sentence:
      `Placement ${placement} of service ${service} wants a node with ${labels.join(' and ')}, and the ` +
      `swarm has none. Label one with "docker node update ${update} NODE".`,
  };
}
