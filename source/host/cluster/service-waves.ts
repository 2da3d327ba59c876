import type { ServiceDefinition } from '../../contract/sdl/definition.ts';

/**
 * Returns the services of a deployment in groups: those of one depend on services of earlier groups
 * only. The dependencies must have no cycles.
 */
export function serviceWaves(
  services: readonly ServiceDefinition[],
): readonly (readonly ServiceDefinition[])[] {
  const byName = new Map(services.map((service) => [service.name, service]));
  const depths = new Map<string, number>();
  const depthOf = (service: ServiceDefinition): number => {
    let depth = depths.get(service.name);
    if (depth === undefined) {
      const below = service.dependsOn.flatMap((name) => byName.get(name) ?? []).map(depthOf);
      depth = Math.max(0, ...below.map((each) => each + 1));
      depths.set(service.name, depth);
    }
    return depth;
  };
  const waves: ServiceDefinition[][] = [];
  for (const service of services) (waves[depthOf(service)] ??= []).push(service);
  return waves;
}
