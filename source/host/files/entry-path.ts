import { existsSync } from 'node:fs';

/** True when paths can go through open folders, as on Linux. */
export const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd');

/** The name of an entry; as bytes when it was read from a folder, as it may not be UTF-8. */
export type EntryName = string | Buffer;

/**
 * Returns the path of an entry of an open folder, or with `.` of the folder itself. On Linux the
 * path stays valid when the folder is moved or replaced; on other systems it begins with the
 * folder's path.
 */
export function entryPath<Name extends EntryName>(
  folder: { readonly descriptor: number; readonly path: Name },
  name: Name,
): Name;
export function entryPath(
  folder: { readonly descriptor: number; readonly path: EntryName },
  name: EntryName,
): EntryName {
  const base = hasDescriptorPaths ? `/proc/self/fd/${folder.descriptor}` : folder.path;
  if (name === '.') return base;
  if (typeof base === 'string' && typeof name === 'string') return `${base}/${name}`;
  return Buffer.concat([Buffer.from(base), Buffer.from('/'), Buffer.from(name)]);
}
