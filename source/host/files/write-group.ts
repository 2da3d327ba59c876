import { forEachConcurrently, writeTemporaryFile } from './disk.ts';
import { parsePath } from './confine.ts';
import { assertReplaceable, requireFolderPath } from './placing.ts';
import { type StagedFile, toFileRecord } from './staged-file.ts';
import { type FolderPath, openFolderPath } from './way.ts';
import type { QueuedWrite } from './write-queue.ts';

/** The writes to one path, in the order of their arrival. */
export interface WriteTarget {
  readonly service: string;
  readonly folder: readonly string[];
  readonly name: string;
  readonly path: string;
  readonly writes: QueuedWrite[];
  /** Path of the temporary file with the content of the last write. */
  temporary: string;
}

/** Most folders that are synced while files are placed in the next ones. */
const maxFoldersInSync = 8;

/**
 * Stores the contents of writes to one deployment, synced concurrently; of several writes to a path
 * only the last one. Rejects the writes that can't be stored, and resolves with the others by path.
 *
 * @param arriving existing folder for temporary files on the file system of the trees.
 */
export async function storeWrites(
  writes: readonly QueuedWrite[],
  arriving: string,
): Promise<readonly WriteTarget[]> {
  const targets = targetsOf(writes);
  await forEachConcurrently(targets, (target) => storeContent(target, arriving));
  return targets.filter((target) => target.writes.length > 0);
}

/**
 * Moves stored files into their trees, and answers their writes once they are on the disk: each
 * folder is synced once. An error of one file fails no other, but an error that syncing a folder
 * reports fails all writes to that folder.
 *
 * @param rootOf returns the root of a service's tree.
 */
export async function placeWrites(
  targets: readonly WriteTarget[],
  rootOf: (service: string) => string,
): Promise<void> {
  const folders = Map.groupBy(targets, ({ service, folder }) => [service, ...folder].join('/'));
  const syncs: Promise<void>[] = [];
  for (const inFolder of folders.values()) {
    const [{ service, folder } = { service: '', folder: [] }] = inFolder;
    const placed = await placeInFolder(rootOf(service), folder, inFolder);
    if (placed !== undefined) syncs.push(syncPlaced(placed));
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
        target = { service, folder, name, path, writes: [], temporary: '' };
        targets.set(key, target);
      }
      target.writes.push(write);
    } catch (error) {
      write.answer.reject(error);
    }
  }
  return [...targets.values()];
}

/** Stores the last content. When that fails, the write before it is the last one. */
async function storeContent(target: WriteTarget, arriving: string): Promise<void> {
  for (let last = target.writes.at(-1); last !== undefined; last = target.writes.at(-1)) {
    const { content, answer } = last;
    try {
      target.temporary = await writeTemporaryFile(arriving, (file) => file.writeFile(content));
      return;
    } catch (error) {
      target.writes.pop();
      answer.reject(error);
    }
  }
}

/** Files that were moved to an open folder, with their records, and those that can't be moved. */
interface PlacedFiles {
  readonly folder: FolderPath;
  readonly placed: readonly (readonly [WriteTarget, StagedFile | undefined])[];
  readonly refused: readonly (readonly [WriteTarget, unknown])[];
}

/** Moves files to a folder. Rejects all writes when there is no such folder. */
async function placeInFolder(
  root: string,
  segments: readonly string[],
  targets: readonly WriteTarget[],
): Promise<PlacedFiles | undefined> {
  const placed: [WriteTarget, StagedFile | undefined][] = [];
  const refused: [WriteTarget, unknown][] = [];
  let folder: FolderPath;
  try {
    folder = requireFolderPath(segments, await openFolderPath(root, segments, { make: true }));
  } catch (error) {
    for (const target of targets) rejectAll(target, error);
    return undefined;
  }
  await forEachConcurrently(targets, async (target) => {
    try {
      placed.push([target, await place(folder, target)]);
    } catch (error) {
      refused.push([target, error]);
    }
  });
  return { folder, placed, refused };
}

async function place(
  { end }: FolderPath,
  { name, path, temporary }: WriteTarget,
): Promise<StagedFile | undefined> {
  await assertReplaceable(end, name, path);
  await end.moveIn(temporary, name);
  const stats = await end.stat(name);
  return stats === undefined ? undefined : toFileRecord(path, stats);
}

/** Syncs a folder and answers the writes to its files. Never rejects. */
async function syncPlaced({ folder, placed, refused }: PlacedFiles): Promise<void> {
  try {
    if (placed.length > 0) await folder.end.sync();
    else await folder.prune();
    for (const [{ writes }, record] of placed) {
      for (const { content, answer } of writes) {
        answer.resolve(record && { ...record, size: Buffer.byteLength(content) });
      }
    }
  } catch (error) {
    for (const [target] of placed) rejectAll(target, error);
  } finally {
    for (const [target, error] of refused) rejectAll(target, error);
    await folder[Symbol.asyncDispose]();
  }
}

function rejectAll({ writes }: WriteTarget, error: unknown) {
  for (const { answer } of writes) answer.reject(error);
}
