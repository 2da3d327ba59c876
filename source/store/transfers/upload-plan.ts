import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import type { FilesPlace } from '../files/files.ts';
import type { LeftOut, Walked } from './local-files.ts';
import { claimPaths, foldersAbove } from '../files/path-clash.ts';

/** A local file and where it goes in the service. */
export interface UploadItem {
  readonly file: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** What has the same path in the service: it would be replaced. */
  readonly replaces: Replaced | undefined;
}

export interface Replaced {
  /** Bytes, where the listing says. */
  readonly size: number | undefined;
  /** False for what is known to be too large to be kept before it is replaced. */
  readonly kept: boolean;
}

/** What an upload is going to do, before anything is sent. */
export interface UploadPlan {
  readonly place: FilesPlace;
  /** Folder in the service; empty for its root. */
  readonly target: string;
  readonly items: readonly UploadItem[];
  readonly leftOut: readonly LeftOut[];
}

/** What is done with files that are there already: one answer for all of them. */
export type Decision = 'replace' | 'skip' | 'cancel';

/** Larger contents are not kept before they are replaced, bytes. */
export const keptAtMost = 10 * 2 ** 20;

/** Plans an upload of what was found on this machine to a folder of a service. */
export function planUpload(options: {
  readonly place: FilesPlace;
  readonly target: string;
  readonly walked: Walked;
  /** What the service lists. */
  readonly existing: readonly FileRecord[];
}): UploadPlan {
  const { place, walked } = options;
  const target = options.target.replaceAll(/^\/+|\/+$/g, '');
  const there = new Map<string, FileRecord>();
  const folders = new Set<string>();
  for (const record of options.existing) {
    const path = record.path.replace(/\/$/, '');
    if (record.directory === true) folders.add(path);
    else there.set(path, record);
    for (const folder of foldersAbove(path)) folders.add(folder);
  }
  const clash = claimPaths((path) => path);
  const leftOut: LeftOut[] = [...walked.leftOut];
  const items: UploadItem[] = [];
  for (const { file, path: below, size } of walked.files) {
    const path = target === '' ? below : `${target}/${below}`;
    const record = there.get(path);
    const reason = obstacle(path, folders, there) ?? clash(path);
    if (reason !== undefined) leftOut.push({ path: file, reason });
    else items.push({ file, path, size, replaces: record && replaced(record) });
  }
  return { place, target, items, leftOut };
}

function obstacle(
  path: string,
  folders: ReadonlySet<string>,
  there: ReadonlyMap<string, FileRecord>,
): string | undefined {
  if (!isRequestablePath(path)) return 'no URL leads to its name';
  if (folders.has(path)) return 'the service has a folder of its name';
  const file = foldersAbove(path).find((folder) => there.has(folder));
  return file === undefined ? undefined : `${file} is a file in the service`;
}

function replaced({ size }: FileRecord): Replaced {
  return { size, kept: size === undefined || size <= keptAtMost };
}

/** The items that are to be sent, once it is decided about those that replace something. */
export function itemsToSend({ items }: UploadPlan, decision: Decision): readonly UploadItem[] {
  if (decision === 'cancel') return [];
  return decision === 'replace' ? items : items.filter((item) => item.replaces === undefined);
}

/** Bounds of one request. */
export interface BatchLimits {
  readonly parts: number;
  /** Contents, bytes; a single larger file still goes, on its own. */
  readonly bytes: number;
}

/**
 * Few enough that little is open when an answer is lost, and below what services are known to take;
 * enough that the way there and back does not count.
 */
export const usualLimits: BatchLimits = { parts: 1000, bytes: 256 * 2 ** 20 };

/** The first of the items that go into one request together; one at least. */
export function nextBatch(
  items: readonly UploadItem[],
  limits: BatchLimits,
): readonly UploadItem[] {
  let bytes = 0;
  let count = 0;
  for (const { size } of items) {
    bytes += size;
    if (count > 0 && (count >= limits.parts || bytes > limits.bytes)) break;
    count += 1;
  }
  return items.slice(0, count);
}

/** Bounds after a service refused these items together as too large. */
export function halvedLimits(refused: readonly UploadItem[]): BatchLimits {
  const bytes = refused.reduce((sum, { size }) => sum + size, 0);
  return { parts: Math.ceil(refused.length / 2), bytes: Math.floor(bytes / 2) };
}
