import type { ServiceEndpoint } from '../../contract/deployments.ts';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import { type ServiceStatus, serviceStatus } from '../supervisor/service-status.ts';
import type { ClusterInstance } from './instances.ts';

/** Returns the status of a service with where its instances run; a stopped service has none. */
export function clusterServiceStatus(
  service: ServiceDefinition,
  instances: readonly ClusterInstance[],
): ServiceStatus {
  return {
    ...serviceStatus(service, instances),
    endpoints: instances.flatMap(endpointsOf),
    instanceStates: instances.map(({ state, place, startedAt, restarts, reason }, index) => ({
      instance: index + 1,
      state,
      ...place,
      startedAt: startedAt === undefined ? undefined : new Date(startedAt).toISOString(),
      restarts,
      reason,
    })),
  };
}

function endpointsOf({ place, ports }: ClusterInstance, index: number): readonly ServiceEndpoint[] {
  if (place === undefined) return [];
  const { node, address } = place;
  const instance = index + 1;
  return [...ports].map(([target, port]) => ({ instance, node, address, port, target }));
}
