import type { Service } from '../contract/deployments.ts';
import { composeYaml } from '../contract/sdl/yaml-text.ts';
import { isRecord } from './decode-fields.ts';

/**
 * The services that a service definition names, in its order: the keys of its top-level `services`.
 * A text that is no YAML, or names none, gives none: it is the service's to judge, not ours.
 */
export function servicesOfSdl(sdl: string): readonly Service[] {
  let document: unknown;
  try {
    const composed = composeYaml(sdl);
    document = composed.errors.length === 0 ? composed.document?.toJS() : undefined;
  } catch {
    return [];
  }
  const services = isRecord(document) ? document['services'] : undefined;
  if (!isRecord(services)) return [];
  return Object.keys(services).flatMap((name) => (name === '' ? [] : [{ name }]));
}
