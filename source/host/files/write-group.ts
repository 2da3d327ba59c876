import { fstatSync } from 'node:fs';
import { forEachConcurrently } from './disk.ts';
import { parsePath } from './confine.ts';
import { requireFolderPath } from './placing.ts';
import { type StagedFile, toFileRecord } from './staged-file.ts';
import { type FolderPath, openFolderPath } from './way.ts';
import type { QueuedWrite } from './write-queue.ts';
import type { WrittenFile, WrittenFiles } from './written-files.ts';

/** The writes to one path, in the order of their arrival. */
interface WriteTarget {
  readonly service: string;
  readonly folder: readonly string[];
  readonly name: string;
  readonly path: string;
  readonly writes: QueuedWrite[];
}

/** Writes to one path whose last content is on the disk, and not in its tree yet. */
export interface StoredTarget extends WriteTarget {
  readonly file: WrittenFile;
}

/** Most folders that are synced while files are placed in the next ones. */
const maxFoldersInSync = 8;

/**
 * Stores the contents of writes to one deployment, synced concurrently; of several writes to a path
 * only the last one. Rejects the writes that can't be stored, and resolves with the others by path.
 */
export async function storeWrites(
  writes: readonly QueuedWrite[],
  files: WrittenFiles,
): Promise<readonly StoredTarget[]> {
  const targets = targetsOf(writes);
  const stored = new Map<WriteTarget, WrittenFile>();
  await forEachConcurrently(targets, async (target) => {
    const file = await storeContent(target, files);
    if (file !== undefined) stored.set(target, file);
  });
  // In the order of arrival, as a file may stand where a later write needs a folder.
  return targets.flatMap((target) => {
    const file = stored.get(target);
    return file === undefined ? [] : [{ ...target, file }];
  });
}

/**
 * Moves stored files into their trees, and answers their writes once they are on the disk: each
 * folder is synced once. An error of one file fails no other, but an error that syncing a folder
 * reports fails all writes to that folder.
 *
 * @param rootOf returns the root of a service's tree.
 */
export async function placeWrites(
  targets: readonly StoredTarget[],
  files: WrittenFiles,
  rootOf: (service: string) => string,
): Promise<void> {
  const folders = Map.groupBy(targets, ({ service, folder }) => [service, ...folder].join('/'));
  const syncs: Promise<void>[] = [];
  for (const inFolder of folders.values()) {
    const [{ service, folder } = { service: '', folder: [] }] = inFolder;
    const placed = await placeInFolder(rootOf(service), folder, inFolder, files);
    if (placed !== undefined) syncs.push(syncPlaced(placed, files));
    if (syncs.length >= maxFoldersInSync) await syncs.shift();
  }
  await Promise.all(syncs);
}

/** Groups writes by path in the order of their arrival; rejects those with an invalid path. */
function targetsOf(writes: readonly QueuedWrite[]): readonly WriteTarget[] {
  const targets = new Map<string, WriteTarget>();
  for (const write of writes) {
    const { service, path } = write;
    try {
      const segments = parsePath(path);
      const key = `${service}/${path}`;
      let target = targets.get(key);
      if (target === undefined) {
        const [folder, name] = [segments.slice(0, -1), segments.at(-1) ?? ''];
        target = { service, folder, name, path, writes: [] };
        targets.set(key, target);
      }
      target.writes.push(write);
    } catch (error) {
      write.answer.reject(error);
    }
  }
  return [...targets.values()];
}

/**
 * Stores the last content; when that fails, the write before it is the last one. Resolves with
 * undefined when none can be stored.
 */
async function storeContent(
  { writes }: WriteTarget,
  files: WrittenFiles,
): Promise<WrittenFile | undefined> {
  for (let last = writes.at(-1); last !== undefined; last = writes.at(-1)) {
    try {
      return await files.write(last.content);
    } catch (error) {
      writes.pop();
      last.answer.reject(error);
    }
  }
  return undefined;
}

/** Files that were moved to an open folder. */
interface PlacedFiles {
  readonly folder: FolderPath;
  readonly placed: readonly PlacedFile[];
  readonly refused: readonly RefusedFile[];
}

interface PlacedFile {
  readonly target: StoredTarget;
  readonly record: StagedFile;
  /** The file that was at the path and may be written again. */
  readonly replaced: WrittenFile | undefined;
}

interface RefusedFile {
  readonly target: StoredTarget;
  readonly error: unknown;
}

/** Moves files to a folder. Rejects all writes when there is no such folder. */
async function placeInFolder(
  root: string,
  segments: readonly string[],
  targets: readonly StoredTarget[],
  files: WrittenFiles,
): Promise<PlacedFiles | undefined> {
  const placed: PlacedFile[] = [];
  const refused: RefusedFile[] = [];
  let folder: FolderPath;
  try {
    folder = requireFolderPath(segments, await openFolderPath(root, segments, { make: true }));
  } catch (error) {
    for (const target of targets) rejectAll(target, error);
    await Promise.all(targets.map(({ file }) => files.drop(file)));
    return undefined;
  }
  await forEachConcurrently(targets, async (target) => {
    try {
      placed.push(await place(folder, target, files));
    } catch (error) {
      refused.push({ target, error });
    }
  });
  return { folder, placed, refused };
}

async function place(
  { end }: FolderPath,
  target: StoredTarget,
  files: WrittenFiles,
): Promise<PlacedFile> {
  const { service, name, path, file } = target;
  const record = toFileRecord(path, fstatSync(file.handle.fd));
  const replaced = await files.place(file, { folder: end, name, service, path });
  return { target, record, replaced };
}

/** Syncs a folder and answers the writes to its files. Never rejects. */
async function syncPlaced(
  { folder, placed, refused }: PlacedFiles,
  files: WrittenFiles,
): Promise<void> {
  try {
    if (placed.length > 0) await folder.end.sync();
    else await folder.prune();
    for (const { target, record } of placed) {
      for (const { content, answer } of target.writes) {
        answer.resolve({ ...record, size: Buffer.byteLength(content) });
      }
    }
    files.free(placed.flatMap(({ replaced }) => replaced ?? []));
  } catch (error) {
    for (const { target } of placed) rejectAll(target, error);
    for (const { replaced } of placed) if (replaced !== undefined) await files.drop(replaced);
  } finally {
    for (const { target, error } of refused) rejectAll(target, error);
    await Promise.all(refused.map(({ target }) => files.drop(target.file)));
    await folder[Symbol.asyncDispose]();
  }
}

function rejectAll({ writes }: WriteTarget, error: unknown) {
  for (const { answer } of writes) answer.reject(error);
}
