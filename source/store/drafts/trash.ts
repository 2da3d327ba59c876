import type { WriteResult, LocalPlace } from './places.ts';

/** A file as it was on the service before it was deleted there, or before something replaced it. */
export interface TrashedFile extends LocalPlace {
  readonly reason: 'deleted' | 'replaced';
  readonly bytes: Uint8Array;
  /** When it was put here, ms since the epoch. */
  readonly at: number;
}

/** Which file is in the trash, without its content. */
export interface TrashEntry extends Omit<TrashedFile, 'bytes'> {
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/** What was put into the trash has an id there. */
export type Trashed =
  | { readonly ok: true; readonly id: string }
  | Extract<WriteResult, { readonly ok: false }>;

/** Keeps what was deleted or replaced on this machine, for a while. */
export interface Trash {
  /** Keeps one more file; the oldest ones may go for it. */
  put(file: TrashedFile): Promise<Trashed>;
  /** What was put here last of a service's files and is still here. */
  last(deploymentId: string, service: string): Promise<TrashEntry | undefined>;
  /** The file with its bytes; it stays here until it is removed. */
  take(id: string): Promise<TrashedFile | undefined>;
  remove(id: string): Promise<WriteResult>;
}
