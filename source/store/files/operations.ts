import { keyName } from '../prompts/key-names.ts';
import { deleteFiles } from './deletion.ts';
import { copyFile, moveFile } from './move.ts';
import { failed, type FileOutcome, refusal } from './outcome.ts';
import { type AgreedRestore, restoreBatch } from './restore.ts';
import type { RestoreOutcome } from './restore-outcome.ts';
import type { RestoredDrafts } from './restore-draft.ts';
import type { FileWriteOptions } from './trashing.ts';
import type { AgreedInBatch } from './transfer-check.ts';
import type { FilesPlace } from './files.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import type { LocalPlace } from '../drafts/places.ts';
import { compareWithTrash, type TrashDifference } from './trash-difference.ts';
import type { TrashBatch, TrashEntry } from '../drafts/trash.ts';

export interface FileOperationsOptions extends FileWriteOptions {
  /** Receives the report of each write, and delays restarts while an operation runs. */
  readonly writes: FileWrites;
  readonly drafts: RestoredDrafts;
  /** Called when a file has moved to another path on the service. */
  readonly moved?: ((from: LocalPlace, to: LocalPlace) => void) | undefined;
}

/** Writes to the files of a service. Copies each file to the trash before it replaces or deletes it. */
export interface FileOperations {
  /** Copies a file and creates the folders above the copy. */
  copy(from: LocalPlace, to: string, agreed?: AgreedInBatch): Promise<FileOutcome>;
  /** Renames a file or moves it to another folder of the service. */
  move(from: LocalPlace, to: string, agreed?: AgreedInBatch): Promise<FileOutcome>;
  /**
   * Adds a move that an earlier run requested to what can be undone, unless that run has added it.
   * @param since time of its request, ms since the epoch.
   */
  foundMoved(from: LocalPlace, to: string, since: number): Promise<void>;
  delete(place: FilesPlace, paths: readonly string[], agreed?: AgreedInBatch): Promise<FileOutcome>;
  /** Deletes all files below a folder, by a fresh listing. */
  deleteFolder(place: FilesPlace, folder: string, agreed?: AgreedInBatch): Promise<FileOutcome>;
  /** Returns an id that joins several operations to one batch of the trash, so that one undo reverts all. */
  newBatch(): string;
  /** Returns the newest changes of all services that can be undone, newest first; all by default. */
  undoable(most?: number): Promise<readonly TrashBatch[]>;
  /**
   * Compares the file on the service with its version in the trash.
   * @param expected digest of the last change from here.
   */
  compare(entry: TrashEntry, expected: string | undefined): Promise<TrashDifference>;
  /** Undoes changes of a service: by default the newest batch of the trash. */
  putBack(place: FilesPlace, agreed?: AgreedRestore): Promise<RestoreOutcome>;
}

/** Creates the file operations; those of one service run one after the other. */
export function createFileOperations(options: FileOperationsOptions): FileOperations {
  const { client, writes } = options;

  /** The newest operation of each service. */
  const lastOperations = new Map<string, Promise<unknown>>();

  /**
   * Runs an operation after the earlier ones of its service and delays restarts meanwhile. An
   * operation may restore a trash copy only after the one that made it has deleted the file.
   */
  const enqueue = async <T>(
    { deploymentId, service }: FilesPlace,
    action: () => Promise<T>,
  ): Promise<T> => {
    const end = writes.operation(deploymentId);
    const key = JSON.stringify([deploymentId, service]);
    const outcome = (lastOperations.get(key) ?? Promise.resolve()).then(action).finally(end);
    const last = outcome.catch(() => undefined);
    lastOperations.set(key, last);
    try {
      return await outcome;
    } finally {
      if (lastOperations.get(key) === last) lastOperations.delete(key);
    }
  };

  let batches = 0;
  const newBatch = () => `${options.clock.now()} ${(batches += 1)}`;

  const inBatch = ({ batch = newBatch() }: AgreedInBatch) => ({ ...options, batch });

  return {
    newBatch,

    copy: (from, to, agreed = {}) =>
      enqueue(from, () => copyFile(inBatch(agreed), from, to, agreed)),

    move: (from, to, agreed = {}) =>
      enqueue(from, async () => {
        const move = inBatch(agreed);
        const outcome = await moveFile(move, from, to, agreed);
        if (!outcome.ok) return outcome;
        options.moved?.(from, { ...from, path: to });
        await recordMove(move, from, to);
        return outcome;
      }),

    async foundMoved(from, to, since) {
      options.moved?.(from, { ...from, path: to });
      const known = (await options.trash.batches({ of: from })).flat();
      const isKnown = known.some(
        ({ path, movedTo, at }) => path === from.path && movedTo === to && at >= since,
      );
      if (!isKnown) await recordMove(inBatch({}), from, to, since);
    },

    delete: (place, paths, agreed = {}) =>
      enqueue(place, () =>
        deleteFiles(inBatch(agreed), place, [...new Set(paths)], agreed.unkept === true),
      ),

    deleteFolder: (place, folder, agreed = {}) =>
      enqueue(place, async () => {
        const listed = await client.list(place.deploymentId, place.service);
        if (!listed.ok) return failed(folder, 'deleted', listed.error);
        const paths = listed.value
          .filter(({ value }) => value.directory !== true && value.path.startsWith(`${folder}/`))
          .map(({ value }) => value.path);
        if (paths.length > 0)
          return deleteFiles(inBatch(agreed), place, paths, agreed.unkept === true);
        const sentence = `There are no files in ${folder}. Nothing was sent.`;
        return refusal(
          'failed',
          folder,
          sentence,
          `${keyName('app.refetch-anywhere', 'F5')} reloads the list.`,
        );
      }),

    undoable: (most) => options.trash.batches({ most }),

    compare: (entry, expected) => compareWithTrash(options, entry, expected),

    putBack: (place, agreed = {}) => enqueue(place, () => restoreBatch(inBatch({}), place, agreed)),
  };
}

/** Adds a move to the trash, so that it can be undone. A full disk keeps no file from being moved. */
async function recordMove(
  { trash, clock, batch }: FileWriteOptions,
  { deploymentId, service, path }: LocalPlace,
  movedTo: string,
  at = clock.now(),
): Promise<void> {
  const bytes = new Uint8Array();
  const place = { deploymentId, service, path };
  await trash.put({ ...place, reason: 'moved', movedTo, bytes, batch, at });
}
