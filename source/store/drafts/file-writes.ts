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
