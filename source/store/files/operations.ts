import { deleteFiles } from './deletion.ts';
import { copyFile, moveFile } from './move.ts';
import { failed, type FileOutcome, refusal } from './outcome.ts';
import { type AgreedRestore, restoreFiles } from './restore.ts';
import type { RestoredDrafts } from './restore-draft.ts';
import type { FileWriteOptions } from './trashing.ts';
import type { Agreed } from './transfer-check.ts';
import type { FilesPlace } from './files.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import type { LocalPlace } from '../drafts/places.ts';
import type { TrashEntry } from '../drafts/trash.ts';

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
  copy(from: LocalPlace, to: string, agreed?: Agreed): Promise<FileOutcome>;
  /** Renames a file or moves it to another folder of the service. */
  move(from: LocalPlace, to: string, agreed?: Agreed): Promise<FileOutcome>;
  delete(place: FilesPlace, paths: readonly string[], agreed?: Agreed): Promise<FileOutcome>;
  /** Deletes all files below a folder, by a fresh listing. */
  deleteFolder(place: FilesPlace, folder: string, agreed?: Agreed): Promise<FileOutcome>;
  /** Returns the entry of the trash that {@link restoreFiles} would upload. */
  lastKept(place: FilesPlace): Promise<TrashEntry | undefined>;
  /** Restores the file that was deleted or replaced last in this service. */
  putBack(place: FilesPlace, agreed?: AgreedRestore): Promise<FileOutcome>;
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
  const enqueue = async (
    { deploymentId, service }: FilesPlace,
    action: () => Promise<FileOutcome>,
  ): Promise<FileOutcome> => {
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

  return {
    copy: (from, to, agreed = {}) => enqueue(from, () => copyFile(options, from, to, agreed)),

    move: (from, to, agreed = {}) =>
      enqueue(from, async () => {
        const outcome = await moveFile(options, from, to, agreed);
        if (outcome.ok) options.moved?.(from, { ...from, path: to });
        return outcome;
      }),

    delete: (place, paths, { unkept = false } = {}) =>
      enqueue(place, () => deleteFiles(options, place, [...new Set(paths)], unkept)),

    deleteFolder: (place, folder, { unkept = false } = {}) =>
      enqueue(place, async () => {
        const listed = await client.list(place.deploymentId, place.service);
        if (!listed.ok) return failed(folder, 'deleted', listed.error);
        const paths = listed.value
          .filter(({ value }) => value.directory !== true && value.path.startsWith(`${folder}/`))
          .map(({ value }) => value.path);
        if (paths.length > 0) return deleteFiles(options, place, paths, unkept);
        const sentence = `There are no files in ${folder}. Nothing was sent.`;
        return refusal('failed', folder, sentence, 'F5 reloads the list.');
      }),

    lastKept: ({ deploymentId, service }) => options.trash.last(deploymentId, service),

    putBack: (place, agreed) => enqueue(place, () => restoreFiles(options, place, agreed)),
  };
}
