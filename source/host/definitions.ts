/** Stores the definitions of deployments, apart from the records that every list reads. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ServiceDefinition } from '../contract/sdl/definition.ts';
import type { Storage } from './records/storage.ts';

/** Writes the definition of a deployment, or replaces it. */
export function writeDefinition(
  storage: Storage,
  deployment: number,
  sdl: string,
  services: readonly ServiceDefinition[],
): void {
  storage
    .prepare('insert or replace into definitions (deployment, sdl, services) values (?, ?, ?)')
    .run(deployment, sdl, JSON.stringify(services));
}

/**
 * Compresses the definition of a deployment that never starts again, whose services are then those
 * of its record.
 */
export function archiveDefinition(storage: Storage, deployment: number): void {
  const sdl = readSdl(storage, deployment);
  storage
    .prepare('insert or replace into archived_definitions (deployment, deflated_sdl) values (?, ?)')
    .run(deployment, deflateRawSync(sdl));
  storage.prepare('delete from definitions where deployment = ?').run(deployment);
}

/** Returns the SDL of a deployment that must exist. */
export function readSdl(storage: Storage, deployment: number): string {
  const row = storage.prepare('select sdl from definitions where deployment = ?').get(deployment);
  if (row !== undefined) return String(row['sdl']);
  const deflated = storage
    .prepare('select deflated_sdl from archived_definitions where deployment = ?')
    .get(deployment)?.['deflated_sdl'];
  if (!(deflated instanceof Uint8Array)) throw new RangeError('no such deployment');
  return inflateRawSync(deflated).toString();
}
