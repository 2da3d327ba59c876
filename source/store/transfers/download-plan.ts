import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import type { FilesPlace } from '../files/files.ts';
import type { LeftOut, LocalNaming } from './local-files.ts';
import { localName, sameName } from './local-name.ts';
import { claimPaths } from '../files/path-clash.ts';

/** A file of a service and where it goes below the chosen folder. */
export interface DownloadItem {
  readonly path: string;
  /** Names below the chosen folder: none is empty, `.` or `..`, and none holds a separator. */
  readonly segments: readonly string[];
  /** Bytes, where the listing says. */
  readonly size: number | undefined;
}

export interface DownloadRequest {
  readonly place: FilesPlace;
  /** Files and folders of the service; an empty path stands for all of it. */
  readonly paths: readonly string[];
  /** The chosen folder of this machine, absolute. */
  readonly folder: string;
  /** What a single path is to be called there, where not as in the service. */
  readonly name?: string | undefined;
}

/** What a download is going to do, before anything is fetched. */
export interface DownloadPlan {
  readonly place: FilesPlace;
  readonly folder: string;
  readonly items: readonly DownloadItem[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Plans a download of files and of folders with all below them. Names come from the service and are
 * trusted with nothing: what could leave the chosen folder is left out.
 */
export function planDownload(
  { place, paths, folder, name }: DownloadRequest,
  listed: readonly FileRecord[],
  naming: LocalNaming,
): DownloadPlan {
  const clash = claimPaths((path) => sameName(path, naming));
  const items: DownloadItem[] = [];
  const leftOut: LeftOut[] = [];
  const files = listed.filter((record) => record.directory !== true);
  const wanted = new Set<string>();
  for (const top of paths.map((path) => path.replace(/\/$/, ''))) {
    for (const { path, size } of files) {
      const below = belowTop(path, top, paths.length === 1 ? name : undefined);
      if (below === undefined || wanted.has(path)) continue;
      wanted.add(path);
      const local = localName(below, naming);
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

/** The path that a file gets when what is at `top` is put into a folder; undefined for others. */
function belowTop(path: string, top: string, name: string | undefined): string | undefined {
  if (top === '') return path;
  if (path !== top && !path.startsWith(`${top}/`)) return undefined;
  const own = name ?? top.slice(top.lastIndexOf('/') + 1);
  return own + path.slice(top.length);
}
