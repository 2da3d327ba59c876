import type { FilesClient } from '../../client/files.ts';
import type { Clock } from '../time/clock.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { EditorStore } from '../editor/editor.ts';
import type { FilesStore } from '../files/files.ts';
import { createDownloads, type DownloadsStore } from '../transfers/downloads.ts';
import { createFileOperations, type FileOperations } from '../files/operations.ts';
import type { RestoredDrafts } from '../files/restore-draft.ts';
import type { LocalFiles } from '../transfers/local-files.ts';
import type { FileWrites, UploadWrites } from '../drafts/file-writes.ts';
import type { Trash } from '../drafts/trash.ts';
import { createUploads, type UploadsStore } from '../transfers/uploads.ts';

/** Operations, uploads and downloads of files. */
export interface FileWork {
  readonly operations: FileOperations;
  readonly uploads: UploadsStore;
  readonly downloads: DownloadsStore;
  readonly local: LocalFiles;
}

export interface FileWorkOptions {
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly trash: Trash;
  readonly local: LocalFiles;
  readonly writes: FileWrites & UploadWrites;
  readonly drafts: RestoredDrafts & Pick<Drafts, 'moved'>;
  readonly editor: Pick<EditorStore, 'noteMoved' | 'noteWritten'>;
  readonly files: Pick<FilesStore, 'noteMoved'>;
}

/** Creates the stores of file work, whose writes start restart countdowns. */
export function createFileWork(options: FileWorkOptions): FileWork {
  const { editor, files, drafts, writes } = options;
  return {
    operations: createFileOperations({
      ...options,
      writes: {
        ...writes,
        fileChanged(file) {
          editor.noteWritten(file);
          return writes.fileChanged(file);
        },
      },
      moved(from, to) {
        void drafts.moved(from, to);
        editor.noteMoved(from, to);
        files.noteMoved(from, to);
      },
    }),
    uploads: createUploads(options),
    downloads: createDownloads(options),
    local: options.local,
  };
}
