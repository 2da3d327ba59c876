/** Reads the services and ports of a deployment from its SDL. */
import type { Service } from '../../contract/deployments.ts';
import { composeYaml } from '../../contract/sdl/yaml-text.ts';
import { isRecord, type JsonRecord } from './fields.ts';

/**
 * Returns the services of an SDL in its order: the keys of its top-level `services`. Returns none for
 * invalid YAML, which only the service may reject.
 */
export function readSdlServices(sdl: string): readonly Service[] {
  return Object.keys(readServices(sdl)).flatMap((name) => (name === '' ? [] : [{ name }]));
}

/** Returns the exposed ports of each service, such as `3000 as 80, global`. */
export function readSdlPorts(sdl: string): ReadonlyMap<string, readonly string[]> {
  const ports = new Map<string, readonly string[]>();
  for (const [name, service] of Object.entries(readServices(sdl))) {
    const expose = isRecord(service) ? service['expose'] : undefined;
    if (!Array.isArray(expose)) continue;
    const texts = expose.map(formatPort).filter((text) => text !== undefined);
    if (texts.length > 0) ports.set(name, texts);
  }
  return ports;
}

function formatPort(exposed: unknown): string | undefined {
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

function readServices(sdl: string): JsonRecord {
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
