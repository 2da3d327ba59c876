import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ServiceRefusal, ServiceRules } from '../runtime/runtime.ts';
import { refuseWithoutImage } from '../runtime/service-refusals.ts';

/** The rules by which a host on a cluster accepts services. */
export const clusterRules: ServiceRules = {
  checkService(service) {
    if (service.image === undefined) return refuseWithoutImage(service);
    return (service.volumes ?? []).length > 0 ? refuseVolumes(service) : undefined;
  },
  // A swarm starts what it can't start now as soon as it can.
  checkAvailability: async () => new Map(),
  ignores: () => true,
};

/** Tasks move between nodes, and a volume does not: the next node would have an empty one. */
function refuseVolumes({ name }: ServiceDefinition): ServiceRefusal {
  return {
    expected: 'no volumes: instances move between the nodes of a swarm',
    sentence:
      `Service ${name} has volumes, and its instances move between the nodes of a swarm, which don't ` +
      'share them. Keep its data elsewhere, or run it on a host with --runtime container.',
  };
}
