import type { ServicePlacement } from '../../contract/sdl/service-placements.ts';
import type { ServiceRefusal } from '../runtime/runtime.ts';
import type { Nodes } from './nodes.ts';

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
