/** Stores the definitions of deployments, apart from the records that every list reads. */
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

/** Returns the SDL of a deployment that must exist and is not archived. */
export function readSdl(storage: Storage, deployment: number): string {
  const row = storage.prepare('select sdl from definitions where deployment = ?').get(deployment);
  if (row === undefined) throw new RangeError('no such deployment');
  return String(row['sdl']);
}
