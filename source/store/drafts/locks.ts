import type { DraftPlace } from './places.ts';

/** The outcome of a lock; `pid` is the process id of the console that has the document open. */
export type Locked = { readonly ok: true } | { readonly ok: false; readonly pid: number };

/** Locks of the documents in the editors of this machine's consoles, one console a document. */
export interface DraftLocks {
  /**
   * Locks a document for this console. Without `takeOver` it fails while another running console has
   * the lock.
   */
  lock(place: DraftPlace, takeOver?: boolean): Promise<Locked>;
  /** Removes the lock of this console. */
  unlock(place: DraftPlace): Promise<void>;
  /** Resolves with the process id of another running console that has the lock now. */
  otherHolder(place: DraftPlace): Promise<number | undefined>;
}
