import type { VolumeDefinition } from '../../contract/sdl/definition.ts';

/**
 * Returns the bytes that an instance may store outside of its volumes: the rest of the storage of its
 * compute profile, which has an entry for each volume. All of it when the volumes leave no rest.
 */
export function ownStorage(
  storage: number | undefined,
  volumes: readonly VolumeDefinition[] = [],
): number | undefined {
  if (storage === undefined) return undefined;
  const rest = volumes.reduce((sum, { size = 0 }) => sum - size, storage);
  return rest > 0 ? rest : storage;
}
