import type { Service } from '../../contract/deployments.ts';
import { composeYaml } from '../../contract/sdl/yaml-text.ts';
import { isRecord, type JsonRecord } from './fields.ts';

/**
 * The services that a service definition names, in its order: the keys of its top-level `services`.
 * A text that is no YAML, or names none, gives none: it is the service's to judge, not ours.
 */
export function servicesOfSdl(sdl: string): readonly Service[] {
  return Object.keys(definitionsOf(sdl)).flatMap((name) => (name === '' ? [] : [{ name }]));
}

/** What each service exposes, where the definition says so: `3000 as 80, global`. */
export function portsOfSdl(sdl: string): ReadonlyMap<string, readonly string[]> {
  const ports = new Map<string, readonly string[]>();
  for (const [name, service] of Object.entries(definitionsOf(sdl))) {
    const exposed = isRecord(service) ? service['expose'] : undefined;
    if (!Array.isArray(exposed)) continue;
    const told = exposed.map(portText).filter((text) => text !== undefined);
    if (told.length > 0) ports.set(name, told);
  }
  return ports;
}

function portText(exposed: unknown): string | undefined {
  if (!isRecord(exposed)) return undefined;
  const { port, as, to } = exposed;
  if (!isPort(port)) return undefined;
  const outside = isPort(as) && as !== port ? ` as ${as}` : '';
  const isGlobal = Array.isArray(to) && to.some((one) => isRecord(one) && one['global'] === true);
  return `${port}${outside}${isGlobal ? ', global' : ''}`;
}

function isPort(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function definitionsOf(sdl: string): JsonRecord {
  let document: unknown;
  try {
    const composed = composeYaml(sdl);
    document = composed.errors.length === 0 ? composed.document?.toJS() : undefined;
  } catch {
    return {};
  }
  const services = isRecord(document) ? document['services'] : undefined;
  return isRecord(services) ? services : {};
}
