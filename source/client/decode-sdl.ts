import { parse } from 'yaml';
import type { Service } from '../contract/deployments.ts';
import { isRecord } from './decode-fields.ts';

/**
 * The services that a service definition names, in its order: the keys of its top-level `services`.
 * A text that is no YAML, or names none, gives none: it is the service's to judge, not ours.
 */
export function servicesOfSdl(sdl: string): readonly Service[] {
  let document: unknown;
  try {
    document = parse(sdl, { logLevel: 'silent' });
  } catch {
    return [];
  }
  const services = isRecord(document) ? document['services'] : undefined;
  if (!isRecord(services)) return [];
  return Object.keys(services).flatMap((name) => (name === '' ? [] : [{ name }]));
}
