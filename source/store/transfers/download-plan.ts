import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import type { FilesPlace } from '../files/files.ts';
import type { ExcludedPath, LocalNameRules } from './local-files.ts';
import { parseLocalName, localNameKey } from './local-name.ts';
import { claimPaths } from '../files/path-clash.ts';

/** A file of a service and its place below the chosen folder. */
export interface DownloadItem {
  readonly path: string;
  /** Names below the chosen folder; never empty, `.` or `..`, and without separators. */
  readonly segments: readonly string[];
  /** Bytes; undefined if the listing does not say. */
  readonly size: number | undefined;
}

export interface DownloadRequest {
  readonly place: FilesPlace;
  /** Files and folders of the service; an empty path means everything. */
  readonly paths: readonly string[];
  /** Absolute path of the chosen local folder. */
  readonly folder: string;
  /** Local name of a single path, if it differs from the name in the service. */
  readonly name?: string | undefined;
}

/** The files that a download will fetch. */
export interface DownloadPlan {
  readonly place: FilesPlace;
  readonly folder: string;
  readonly items: readonly DownloadItem[];
  readonly leftOut: readonly ExcludedPath[];
}

/**
 * Plans a download of files and of folders with their contents. Names from the service are not
 * trusted: a path that could leave the chosen folder is left out.
 */
export function planDownload(
  { place, paths, folder, name }: DownloadRequest,
  listed: readonly FileRecord[],
  naming: LocalNameRules,
): DownloadPlan {
  const clash = claimPaths((path) => localNameKey(path, naming));
  const items: DownloadItem[] = [];
  const leftOut: ExcludedPath[] = [];
  const files = listed.filter((record) => record.directory !== true);
  const planned = new Set<string>();
  for (const top of paths.map((path) => path.replace(/\/$/, ''))) {
    for (const { path, size } of files) {
      const below = targetPath(path, top, paths.length === 1 ? name : undefined);
      if (below === undefined || planned.has(path)) continue;
      planned.add(path);
      const local = parseLocalName(below, naming);
      const reason = local.ok
        ? isRequestablePath(path)
          ? clash(below)
          : 'no URL leads to its name'
        : local.reason;
      if (local.ok && reason === undefined) items.push({ path, segments: local.segments, size });
      else leftOut.push({ path, reason: reason ?? '' });
    }
  }
  return { place, folder, items, leftOut };
}

/** Returns the local path of a file at or below `top`; undefined for other files. */
function targetPath(path: string, top: string, name: string | undefined): string | undefined {
  if (top === '') return path;
  if (path !== top && !path.startsWith(`${top}/`)) return undefined;
  const targetName = name ?? top.slice(top.lastIndexOf('/') + 1);
  return targetName + path.slice(top.length);
}
