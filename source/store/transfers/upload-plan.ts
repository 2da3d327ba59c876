import { isExactFilename } from '../../contract/exact-filename.ts';
import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import type { FilesPlace } from '../files/files.ts';
import type { ExcludedPath, WalkResult } from './local-files.ts';
import { claimPaths, foldersAbove } from '../files/path-clash.ts';

/** A local file and its path in the service. */
export interface UploadItem {
  readonly file: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** The file of the service with the same path, which would be replaced. */
  readonly replaces: ReplacedFile | undefined;
}

export interface ReplacedFile {
  /** Bytes; undefined if the listing does not say. */
  readonly size: number | undefined;
  /** False when the file is too large for the trash. */
  readonly kept: boolean;
}

/** The files that an upload will send. */
export interface UploadPlan {
  readonly place: FilesPlace;
  /** Folder in the service; empty for its root. */
  readonly target: string;
  readonly items: readonly UploadItem[];
  readonly leftOut: readonly ExcludedPath[];
}

/** Decision about files that exist already; one for all of them. */
export type ConflictDecision = 'replace' | 'skip' | 'cancel';

/** Most bytes of a replaced file that is stored in the trash. */
export const maxStoredBytes = 10 * 2 ** 20;

/** Plans an upload of local files to a folder of a service. */
export function planUpload(options: {
  readonly place: FilesPlace;
  readonly target: string;
  readonly walked: WalkResult;
  /** Files and folders that the service lists. */
  readonly existing: readonly FileRecord[];
}): UploadPlan {
  const { place, walked } = options;
  const target = options.target.replaceAll(/^\/+|\/+$/g, '');
  const existingFiles = new Map<string, FileRecord>();
  const folders = new Set<string>();
  for (const record of options.existing) {
    const path = record.path.replace(/\/$/, '');
    if (record.directory === true) folders.add(path);
    else existingFiles.set(path, record);
    for (const folder of foldersAbove(path)) folders.add(folder);
  }
  const clash = claimPaths((path) => path);
  const leftOut: ExcludedPath[] = [...walked.leftOut];
  const items: UploadItem[] = [];
  for (const { file, path: below, size } of walked.files) {
    const path = target === '' ? below : `${target}/${below}`;
    const record = existingFiles.get(path);
    const reason = targetProblem(path, folders, existingFiles) ?? clash(path);
    if (reason !== undefined) leftOut.push({ path: file, reason });
    else items.push({ file, path, size, replaces: record && replacedFile(record) });
  }
  return { place, target, items, leftOut };
}

function targetProblem(
  path: string,
  folders: ReadonlySet<string>,
  there: ReadonlyMap<string, FileRecord>,
): string | undefined {
  if (!isRequestablePath(path)) return 'no URL leads to its name';
  if (folders.has(path)) return 'the service has a folder with the same name';
  const file = foldersAbove(path).find((folder) => there.has(folder));
  return file === undefined ? undefined : `${file} is a file in the service`;
}

function replacedFile({ size }: FileRecord): ReplacedFile {
  return { size, kept: size === undefined || size <= maxStoredBytes };
}

/** Returns the items to send after the decision about existing files. */
export function itemsToSend(
  { items }: UploadPlan,
  decision: ConflictDecision,
): readonly UploadItem[] {
  if (decision === 'cancel') return [];
  return decision === 'replace' ? items : items.filter((item) => item.replaces === undefined);
}

/** Limits of one request. */
export interface BatchLimits {
  readonly parts: number;
  /** Content bytes; a single larger file is sent alone. */
  readonly bytes: number;
}

/**
 * Default limits: small enough that a lost answer leaves few files uncertain and that known
 * services accept them, and large enough that the round trip does not matter.
 */
export const usualLimits: BatchLimits = { parts: 1000, bytes: 256 * 2 ** 20 };

/** Returns the first items that one request can carry, at least one. */
export function nextBatch(
  items: readonly UploadItem[],
  limits: BatchLimits,
): readonly UploadItem[] {
  let bytes = 0;
  let count = 0;
  for (const { path, size } of items) {
    bytes += size;
    if (!isExactFilename(path)) return items.slice(0, Math.max(1, count));
    if (count > 0 && (count >= limits.parts || bytes > limits.bytes)) break;
    count += 1;
  }
  return items.slice(0, count);
}

/** Returns the limits after a service rejected these items together as too large. */
export function halvedLimits(refused: readonly UploadItem[]): BatchLimits {
  const bytes = refused.reduce((sum, { size }) => sum + size, 0);
  return { parts: Math.ceil(refused.length / 2), bytes: Math.floor(bytes / 2) };
}
