import { deleteFiles } from './deletion.ts';
import { copyFile, moveFile } from './move.ts';
import { failed, type FileOutcome, outcomeOf, refusal } from './outcome.ts';
import { type AgreedRestore, restoreFiles } from './restore.ts';
import type { TrashingOptions } from './trashing.ts';
import { type Agreed, checkTransfer } from './transfer-check.ts';
import { writeFile } from './write.ts';
import type { FilesPlace } from './files.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import type { LocalPlace } from '../drafts/places.ts';
import type { TrashEntry } from '../drafts/trash.ts';

export type { FileOutcome } from './outcome.ts';

export interface FileOperationsOptions extends TrashingOptions {
  /** Takes the report of each write, before its operation ends. */
  readonly writes: FileWrites;
  /** A file has another path on the service. */
  readonly moved?: ((from: LocalPlace, to: LocalPlace) => void) | undefined;
}

/** What can be done with the files of a service. Nothing is replaced or deleted without a copy. */
export interface FileOperations {
  /** Makes a file, and by its path the folders above it. What exists is never replaced. */
  create(place: LocalPlace, text?: string): Promise<FileOutcome>;
  copy(from: LocalPlace, to: string, agreed?: Agreed): Promise<FileOutcome>;
  /** Renames a file, also into another folder of the service. */
  move(from: LocalPlace, to: string, agreed?: Agreed): Promise<FileOutcome>;
  delete(place: FilesPlace, paths: readonly string[], agreed?: Agreed): Promise<FileOutcome>;
  /** Deletes all files below a folder, as a fresh listing has them. */
  deleteFolder(place: FilesPlace, folder: string, agreed?: Agreed): Promise<FileOutcome>;
  /** What {@link restoreFiles} would upload. */
  lastKept(place: FilesPlace): Promise<TrashEntry | undefined>;
  /** Uploads again what was deleted or replaced last in this service. */
  putBack(place: FilesPlace, agreed?: AgreedRestore): Promise<FileOutcome>;
}

export function createFileOperations(options: FileOperationsOptions): FileOperations {
  const { client, writes } = options;

  /** By service: what was asked for last there. */
  const lasts = new Map<string, Promise<unknown>>();

  /**
   * Holds a restart back for as long as files are being changed. One operation after the other in a
   * service: what one has put into the trash is only for the next when the file itself is gone.
   */
  const holding = async (
    { deploymentId, service }: FilesPlace,
    action: () => Promise<FileOutcome>,
  ): Promise<FileOutcome> => {
    const end = writes.operation(deploymentId);
    const key = JSON.stringify([deploymentId, service]);
    const outcome = (lasts.get(key) ?? Promise.resolve()).then(action).finally(end);
    const last = outcome.catch(() => undefined);
    lasts.set(key, last);
    try {
      return await outcome;
    } finally {
      if (lasts.get(key) === last) lasts.delete(key);
    }
  };

  return {
    create: (place, text = '') =>
      holding(place, async () => {
        const { path } = place;
        const way = await checkTransfer(options, place, 'created', {});
        if (!way.ok) return way.refusal;
        const result = await writeFile(client, place, new TextEncoder().encode(text));
        if (result.ok) void writes.fileChanged(place);
        return outcomeOf(result, path, 'created', `Created ${path}.`);
      }),

    copy: (from, to, agreed = {}) => holding(from, () => copyFile(options, from, to, agreed)),

    move: (from, to, agreed = {}) =>
      holding(from, async () => {
        const outcome = await moveFile(options, from, to, agreed);
        if (outcome.ok) options.moved?.(from, { ...from, path: to });
        return outcome;
      }),

    delete: (place, paths, { unkept = false } = {}) =>
      holding(place, () => deleteFiles(options, place, [...new Set(paths)], unkept)),

    deleteFolder: (place, folder, { unkept = false } = {}) =>
      holding(place, async () => {
        const listed = await client.list(place.deploymentId, place.service);
        if (!listed.ok) return failed(folder, 'deleted', listed.error);
        const paths = listed.value
          .filter(({ value }) => value.directory !== true && value.path.startsWith(`${folder}/`))
          .map(({ value }) => value.path);
        if (paths.length > 0) return deleteFiles(options, place, paths, unkept);
        const sentence = `There are no files in ${folder}. Nothing was sent.`;
        return refusal('failed', folder, sentence, 'F5 lists the files again.');
      }),

    lastKept: ({ deploymentId, service }) => options.trash.last(deploymentId, service),

    putBack: (place, agreed) => holding(place, () => restoreFiles(options, place, agreed)),
  };
}
