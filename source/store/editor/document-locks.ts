import type { StoreApi } from 'zustand/vanilla';
import type { Drafts } from '../drafts/drafts.ts';
import type { DraftLocks, Locked } from '../drafts/locks.ts';
import { type DraftPlace, placeKey } from '../drafts/places.ts';

interface OpenDocuments {
  readonly opening: { readonly place: DraftPlace } | undefined;
  readonly document: { readonly place: DraftPlace } | undefined;
}

export interface DocumentLocks {
  /** Locks a document that is about to open. */
  lock(place: DraftPlace, takeOver: boolean): Promise<Locked>;
  /** Unlocks a document that was closed, after its text was stored; does nothing while it is open. */
  release(place: DraftPlace): Promise<void>;
}

/**
 * Creates the locks of the editor's documents. Each write of the open document's draft checks the lock
 * and calls `onTakenOver` once when another console has it.
 */
export function createDocumentLocks(options: {
  readonly locks: DraftLocks;
  readonly drafts: Pick<Drafts, 'state' | 'flush'>;
  readonly state: StoreApi<OpenDocuments>;
  readonly onTakenOver: (place: DraftPlace, pid: number) => void;
}): DocumentLocks {
  const { locks, drafts, state, onTakenOver } = options;
  /** The document whose loss was reported. */
  let reported: OpenDocuments['document'];

  function isOpen(place: DraftPlace): boolean {
    const { opening, document } = state.getState();
    const key = placeKey(place);
    return [opening, document].some((one) => one !== undefined && placeKey(one.place) === key);
  }

  async function check(document: NonNullable<OpenDocuments['document']>): Promise<void> {
    const pid = await locks.otherHolder(document.place);
    if (pid === undefined || reported === document) return;
    if (state.getState().document !== document) return;
    reported = document;
    onTakenOver(document.place, pid);
  }

  drafts.state.subscribe((now, before) => {
    const { document } = state.getState();
    if (document === undefined || document === reported) return;
    const key = placeKey(document.place);
    const head = now.drafts.get(key);
    if (head !== undefined && head !== before.drafts.get(key)) void check(document);
  });

  return {
    lock: (place, takeOver) => locks.lock(place, takeOver),
    async release(place) {
      await drafts.flush();
      if (!isOpen(place)) await locks.unlock(place);
    },
  };
}
