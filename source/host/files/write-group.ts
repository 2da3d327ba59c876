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

/** A target whose writes can't be placed, and why. */
export type RefusedTarget = readonly [WriteTarget, unknown];

/**
 * Stores the contents of writes to one deployment concurrently. Rejects the writes that can't be
 * stored, and resolves with the other targets.
 *
 * @param arriving existing folder for temporary files on the file system of the trees.
 * @param isDurable true when the contents must be on the disk before this resolves.
 */
export async function storeContents(
  targets: readonly WriteTarget[],
  arriving: string,
  isDurable: boolean,
): Promise<readonly WriteTarget[]> {
  await forEachConcurrently(targets, (target) => storeContent(target, arriving, isDurable));
  return targets.filter((target) => target.writes.length > 0);
}

/**
 * Moves stored files into their trees, and answers their writes: an error of one file fails no
 * other. Resolves with the targets whose writes must be rejected.
 *
 * @param rootOf returns the root of a service's tree.
 * @param isDurable true when the files must be on the disk before they are answered. Each folder is
 *   then synced once, and an error that syncing a folder reports fails all writes to that folder.
 */
export async function placeWrites(
  targets: readonly WriteTarget[],
  rootOf: (service: string) => string,
  isDurable: boolean,
): Promise<readonly RefusedTarget[]> {
  const folders = Map.groupBy(targets, ({ service, folder }) => [service, ...folder].join('/'));
  const refused: RefusedTarget[] = [];
  const syncs: Promise<void>[] = [];
  for (const inFolder of folders.values()) {
    const [{ service, folder } = { service: '', folder: [] }] = inFolder;
    const placed = await placeInFolder(rootOf(service), folder, inFolder, refused);
    if (placed !== undefined) syncs.push(answerPlaced(placed, isDurable, refused));
    if (syncs.length >= maxFoldersInSync) await syncs.shift();
  }
  await Promise.all(syncs);
  return refused;
}

/** Groups writes by path in the order of their arrival; rejects those with an invalid path. */
export function targetsOf(writes: readonly QueuedWrite[]): readonly WriteTarget[] {
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
async function storeContent(
  target: WriteTarget,
  arriving: string,
  isDurable: boolean,
): Promise<void> {
  for (let last = target.writes.at(-1); last !== undefined; last = target.writes.at(-1)) {
    const { content, answer } = last;
    try {
      target.temporary = await writeTemporaryFile(
        arriving,
        (file) => file.writeFile(content),
        isDurable,
      );
      return;
    } catch (error) {
      target.writes.pop();
      answer.reject(error);
    }
  }
}

/** Files that were moved to an open folder, with their records. */
interface PlacedFiles {
  readonly folder: FolderPath;
  readonly placed: readonly (readonly [WriteTarget, StagedFile | undefined])[];
}

/** Moves files to a folder. Refuses all of them when there is no such folder. */
async function placeInFolder(
  root: string,
  segments: readonly string[],
  targets: readonly WriteTarget[],
  refused: RefusedTarget[],
): Promise<PlacedFiles | undefined> {
  const placed: [WriteTarget, StagedFile | undefined][] = [];
  let folder: FolderPath;
  try {
    folder = requireFolderPath(segments, await openFolderPath(root, segments, { make: true }));
  } catch (error) {
    for (const target of targets) refused.push([target, error]);
    return undefined;
  }
  await forEachConcurrently(targets, async (target) => {
    try {
      placed.push([target, await place(folder, target)]);
    } catch (error) {
      refused.push([target, error]);
    }
  });
  return { folder, placed };
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

/** Answers the writes to the files of a folder, after syncing it if need be. Never rejects. */
async function answerPlaced(
  { folder, placed }: PlacedFiles,
  isDurable: boolean,
  refused: RefusedTarget[],
): Promise<void> {
  try {
    if (placed.length === 0) await folder.prune();
    else if (isDurable) await folder.end.sync();
    for (const [{ writes }, record] of placed) {
      for (const { content, answer } of writes) {
        answer.resolve(record && { ...record, size: Buffer.byteLength(content) });
      }
    }
  } catch (error) {
    for (const [target] of placed) refused.push([target, error]);
  } finally {
    await folder[Symbol.asyncDispose]();
  }
}
