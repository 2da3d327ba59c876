import type { WriteResult, LocalPlace } from './places.ts';

/** A copy of a service's file, made before the file was deleted or replaced, or a discarded draft. */
export interface TrashedFile extends LocalPlace {
  readonly reason: 'deleted' | 'replaced' | 'discarded';
  readonly bytes: Uint8Array;
  /** The service's text that a discarded draft is based on; undefined for a new file. */
  readonly base?: Uint8Array | undefined;
  /** Identifies the files that one command removed together; unique on this console. */
  readonly batch?: string | undefined;
  /** Time of the copy, ms since the epoch. */
  readonly at: number;
}

/** A file in the trash without its content. */
export interface TrashEntry extends Omit<TrashedFile, 'bytes' | 'base'> {
  readonly id: string;
  /** Size in bytes. */
  readonly size: number;
}

/** The result of adding a file to the trash. */
export type Trashed =
  | { readonly ok: true; readonly id: string }
  | Extract<WriteResult, { readonly ok: false }>;

/** Stores deleted and replaced files and discarded drafts on this machine for a limited time. */
export interface Trash {
  /** Adds a file; may remove the oldest files to make room. */
  put(file: TrashedFile): Promise<Trashed>;
  /** Returns the newest entry of a service and the others of its batch, newest first. */
  lastBatch(deploymentId: string, service: string): Promise<readonly TrashEntry[]>;
  /** Returns a file with its bytes and leaves it in the trash; undefined when it is damaged. */
  take(id: string): Promise<TrashedFile | undefined>;
  remove(id: string): Promise<WriteResult>;
}
