import type { EngineVolume } from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineError } from './engine-error.ts';
import { arrayItems, objectFields, stringFields } from './fields.ts';

/**
 * Creates a volume with the engine's default driver, or finds the one that has this name
 * (`VolumeCreate`). Resolves with its labels, which may then be others.
 */
export async function createEngineVolume(
  client: EngineClient,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<EngineVolume['Labels']> {
  const json = { Name: name, Labels: labels };
  const created = objectFields(await client.request('POST', '/volumes/create', { json }));
  if (created['Name'] !== name) {
    throw new EngineError("the container engine's answer to VolumeCreate is not valid");
  }
  return stringFields(created['Labels']);
}

/** Removes a volume that no container uses; rejects with a 409 when one does (`VolumeDelete`). */
export async function removeEngineVolume(client: EngineClient, name: string): Promise<void> {
  await client.command('DELETE', `/volumes/${encodeURIComponent(name)}`, { silenceMs: removeMs });
}

/** Deadline of a removal, as a volume may have many files. */
const removeMs = 120_000;

/** Resolves with the volumes that have a label (`VolumeList`). */
export async function listEngineVolumes(
  client: EngineClient,
  label: string,
): Promise<readonly EngineVolume[]> {
  const query = { filters: JSON.stringify({ label: [label] }) };
  const { Volumes } = objectFields(await client.request('GET', '/volumes', { query }));
  return arrayItems(Volumes).flatMap((item) => {
    const { Name, Labels } = objectFields(item);
    return typeof Name === 'string' ? { Name, Labels: stringFields(Labels) } : [];
  });
}

/** Deadline of reading the sizes, for which an engine reads all files of its volumes. */
const sizesMs = 60_000;

/**
 * Resolves with the sizes in bytes of all volumes by name, as far as the engine reports them
 * (`SystemDataUsage`). From v1.42 on Docker measures nothing else for it.
 */
export async function readVolumeSizes(
  client: EngineClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const call = { query: { type: 'volume' }, silenceMs: sizesMs, signal };
  const { Volumes } = objectFields(await client.request('GET', '/system/df', call));
  const sizes = new Map<string, number>();
  for (const item of arrayItems(Volumes)) {
    const { Name, UsageData } = objectFields(item);
    const { Size } = objectFields(UsageData);
    // Docker answers with -1 for a volume that it can't measure.
    if (typeof Name === 'string' && typeof Size === 'number' && Size >= 0) sizes.set(Name, Size);
  }
  return sizes;
}
