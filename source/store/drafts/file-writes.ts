import type { LocalPlace } from './places.ts';

/** A change of a file that is about to be requested. */
export type IntendedChange =
  | { readonly kind: 'written'; readonly content: Uint8Array }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'moved'; readonly from: string };

/** The restarts of deployments, as writes of files report to them. */
export interface FileWrites {
  /** Holds the restart of a deployment back until the returned function is called. */
  operation(deploymentId: string): () => void;
  /**
   * Notes that a file is about to be written, deleted, or moved to this place, in case this program ends
   * before its answer. Resolves when the note is in the journal, or cannot be written there. It ends with
   * `fileChanged` or `notChanged`; without an answer it stays, and the next start asks the service.
   */
  intend(file: LocalPlace, change: IntendedChange): Promise<void>;
  /** Reports that an intended change of a file did not happen. */
  notChanged(file: LocalPlace): void;
  /**
   * Reports a file that was written, moved or deleted. Resolves when its pending restart is in the
   * journal, or cannot be written there.
   */
  fileChanged(file: LocalPlace): Promise<void>;
}

/** A file that is about to be uploaded. */
export interface IntendedUpload {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Digest of the content; undefined where the file is too large to be read twice, or one of many. */
  readonly digest: string | undefined;
}

/** The files of one request, as they are noted. */
export interface NotedUpload {
  /**
   * Reports that the files were written. Resolves when their pending restart is in the journal, or cannot
   * be written there.
   */
  arrived(): Promise<void>;
  /** Reports that none of the files was written. */
  refused(): void;
}

/** The restarts of deployments, as uploads report to them. */
export interface UploadWrites extends Pick<FileWrites, 'operation'> {
  /**
   * Notes files that are about to be sent in one request, see {@link FileWrites.intend}. Without an answer
   * the note stays.
   */
  intendUpload(
    service: Omit<LocalPlace, 'path'>,
    files: readonly IntendedUpload[],
  ): Promise<NotedUpload>;
}
