import path from 'node:path';
import type { RunFailure } from '../runtime/runtime.ts';

/** Folder of the host's own Node, which services see. */
export const programFolder = path.dirname(process.execPath);

/** A volume as a sandbox mounts it. */
export interface SandboxVolume {
  readonly mount: string;
  readonly readOnly: boolean;
  /** Path of its folder; undefined for a volume in memory. */
  readonly folder?: string | undefined;
  /** Size of a volume in memory; by default half of the machine's. */
  readonly bytes?: number | undefined;
}

/**
 * Returns the failure of a run whose volumes would hide the programs of this machine, or lie in their
 * folder, which is read-only; undefined for other volumes.
 */
export function refuseVolumes(volumes: readonly SandboxVolume[]): RunFailure | undefined {
  const refused = volumes.find(
    ({ mount }) => isBelow(programFolder, mount) || isBelow(mount, programFolder),
  );
  if (refused === undefined) return undefined;
  const { mount } = refused;
  return {
    failure: `can't mount a volume at ${mount}, as ${programFolder} has programs; mount it elsewhere`,
  };
}

/** Returns the arguments of bubblewrap that mount volumes. */
export function volumeArguments(volumes: readonly SandboxVolume[]): readonly string[] {
  return volumes.flatMap(({ mount, readOnly, folder, bytes }) => [
    // Bubblewrap creates missing parents for their owner only, who isn't the service's user.
    ...parents(mount).flatMap((parent) => ['--dir', parent]),
    ...(folder === undefined
      ? memoryArguments(mount, bytes, readOnly)
      : [readOnly ? '--ro-bind' : '--bind', folder, mount]),
  ]);
}

function memoryArguments(
  mount: string,
  bytes: number | undefined,
  readOnly: boolean,
): readonly string[] {
  return [
    ...(bytes === undefined ? [] : ['--size', String(bytes)]),
    '--perms',
    '1777',
    '--tmpfs',
    mount,
    ...(readOnly ? ['--remount-ro', mount] : []),
  ];
}

/** Returns the parent folders, the highest first, without the root. */
export function parents(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === path.dirname(above) ? [] : [...parents(above), above];
}

/** Returns true for a folder and all that is below it. */
export function isBelow(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative));
}
