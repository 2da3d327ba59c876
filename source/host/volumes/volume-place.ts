/** The folder of one volume, which a service may have changed since its last run. */
import path from 'node:path';
import { Folder } from '../files/folder.ts';
import { removeTree } from '../files/tree-removal.ts';
import { FolderPath, openFolderPath } from '../files/way.ts';

/** The place of a volume's folder. */
export interface VolumePlace {
  /** A folder that only the host can write to. */
  readonly root: string;
  /** Segments from there to the volume's folder. */
  readonly segments: readonly string[];
}

/** Returns the path of the volume's folder. */
export function placePath({ root, segments }: VolumePlace): string {
  return path.join(root, ...segments);
}

/**
 * Creates the folder of a volume when it is missing, and empties it first unless it is `persistent`.
 * Resolves with false when another entry is at the place of a persistent folder.
 */
export async function createVolume(place: VolumePlace, isPersistent: boolean): Promise<boolean> {
  const { root, segments } = place;
  const parent = await openFolderPath(root, segments.slice(0, -1), { make: true });
  if (!(parent instanceof FolderPath)) return false;
  await using parents = parent;
  const name = segments.at(-1) ?? '';
  if (!isPersistent) await removeTree(parents.end, name);
  // Not opened, as a service may have denied all access to its volume.
  const existing = await parents.end.stat(name);
  if (existing !== undefined) return existing.isDirectory();
  await using folder = await parents.end.create(name);
  return folder instanceof Folder;
}
