import type { WriteResult, LocalPlace } from './places.ts';

/**
 * A change that can be undone: a copy of a service's file from before the file was deleted or replaced,
 * a discarded draft, or a move.
 */
export interface TrashedFile extends LocalPlace {
  /** `saved` is a file that the editor replaced; a file that was `moved` from `path` has no copy. */
  readonly reason: 'deleted' | 'replaced' | 'saved' | 'discarded' | 'moved';
  readonly bytes: Uint8Array;
  /** The service's text that a discarded draft is based on; undefined for a new file. */
  readonly base?: Uint8Array | undefined;
  /** Digest of the content that replaced the file; any other content is a later change. */
  readonly written?: string | undefined;
  /** The path that a file was moved to. */
  readonly movedTo?: string | undefined;
  /** The local id of a discarded definition, whose path is its name. */
  readonly newDeployment?: string | undefined;
  /** Time of a request to create a discarded definition that was not answered. */
  readonly sentAt?: number | undefined;
  /** Identifies the files that one command removed together; unique on this console. */
  readonly batch?: string | undefined;
  /** Time of the copy, ms since the epoch. */
  readonly at: number;
}

/** A file in the trash without its content; its base stays on the disk, too. */
export interface TrashEntry extends Omit<TrashedFile, 'bytes' | 'base'> {
  readonly id: string;
  /** Size in bytes. */
  readonly size: number;
}

/** The result of adding a file to the trash. */
export type Trashed =
  | { readonly ok: true; readonly id: string }
  | Extract<WriteResult, { readonly ok: false }>;

/** The entries that one command made, newest first; at least one. */
export type TrashBatch = readonly [TrashEntry, ...TrashEntry[]];

/** The batches to list. */
export interface BatchQuery {
  /** Number of batches; all of them by default. */
  readonly most?: number | undefined;
  /** Lists the entries of one service of a deployment only. */
  readonly of?: Omit<LocalPlace, 'path'> | undefined;
}

/** Stores deleted and replaced files, discarded drafts and moves on this machine for a limited time. */
export interface Trash {
  /** Adds a file; may remove the oldest files to make room. */
  put(file: TrashedFile): Promise<Trashed>;
  /** Returns the newest batches, newest first. */
  batches(query?: BatchQuery): Promise<readonly TrashBatch[]>;
  /** Returns a file with its bytes and leaves it in the trash; undefined when it is damaged. */
  take(id: string): Promise<TrashedFile | undefined>;
  remove(id: string): Promise<WriteResult>;
  /**
   * Keeps other consoles from undoing changes until `release`. Resolves with false, and claims none,
   * while another running console has claimed one of them.
   */
  claim(ids: readonly string[]): Promise<boolean>;
  release(ids: readonly string[]): Promise<void>;
}
