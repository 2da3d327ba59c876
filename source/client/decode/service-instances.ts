/** Decodes where the instances of a service run, as our host on a cluster sends it. */
import type { ServiceEndpoint, ServiceInstance } from '../../contract/deployments.ts';
import { type FieldType, isRecord } from './fields.ts';

/** Endpoints as our host sends them; other shapes are shown as they came. */
export const endpointsField: FieldType<readonly ServiceEndpoint[]> = {
  expected: 'a list of endpoints',
  decode: (value) => (Array.isArray(value) && value.every(isEndpoint) ? value : undefined),
};

/** Instances as our host sends them; other shapes are shown as they came. */
export const instanceStatesField: FieldType<readonly ServiceInstance[]> = {
  expected: 'a list of instances',
  decode: (value) => (Array.isArray(value) && value.every(isInstance) ? value : undefined),
};

function isEndpoint(value: unknown): value is ServiceEndpoint {
  if (!isRecord(value)) return false;
  const { instance, node, address, port, target } = value;
  return (
    isText(node) &&
    isText(address) &&
    isCount(port) &&
    [instance, target].every((number) => number === undefined || isCount(number))
  );
}

function isInstance(value: unknown): value is ServiceInstance {
  if (!isRecord(value)) return false;
  const { instance, state, node, address, startedAt, restarts, reason } = value;
  return (
    isCount(instance) &&
    isText(state) &&
    [node, address, startedAt, reason].every((text) => text === undefined || isText(text)) &&
    (restarts === undefined || isCount(restarts))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
