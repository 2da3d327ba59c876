import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { LocalFiles } from '../store/transfers/local-files.ts';
import type { WriteResult } from '../store/drafts/places.ts';
import type { PendingRestart } from '../store/restarts/journal.ts';
import type { DraftLocksFolder } from './draft-locks.ts';
import type { DraftKeeper } from '../store/drafts/drafts.ts';
import type { Trash } from '../store/drafts/trash.ts';
import type { ProofRecords } from '../store/proof/proof-record.ts';

/** A service's local files: drafts, trash, and the files of this machine. */
export interface LocalState {
  readonly drafts: DraftKeeper;
  readonly locks: DraftLocksFolder;
  readonly trash: Trash;
  readonly local: LocalFiles;
}

/**
 * Local state of one service: pending restarts, drafts and trash. The modules that read and write it
 * are loaded on first use, because they load half of Node.
 */
export interface StateStore {
  /** Restarts left pending by consoles that have exited. */
  readonly owed: readonly PendingRestart[];
  readonly drafts: DraftKeeper;
  readonly locks: DraftLocksFolder;
  readonly trash: Trash;
  readonly proofs: ProofRecords;
  writeOwed(entries: readonly PendingRestart[]): Promise<WriteResult>;
  here(): Promise<LocalState>;
}

/**
 * Opens the state of one service; `service` is its base URL or data folder. `takesOver` is false to
 * leave the restarts of exited consoles to the next one, because this one can't send them.
 */
export async function openStateStore(
  stateFolder: string,
  service: string,
  { takesOver = true } = {},
): Promise<StateStore> {
  let isLoaded = false;
  const here = once(async (): Promise<LocalState> => {
    isLoaded = true;
    const [
      { createDraftsFolder },
      { createDraftLocks },
      { createTrashFolder },
      { createLocalFiles },
    ] = await Promise.all([
      import('./drafts-folder.ts'),
      import('./draft-locks.ts'),
      import('./trash-folder.ts'),
      import('./local-files.ts'),
    ]);
    return {
      drafts: createDraftsFolder(stateFolder, service),
      locks: createDraftLocks(stateFolder, service),
      trash: createTrashFolder(stateFolder, service),
      local: createLocalFiles(),
    };
  });
  const journal = once(async () => {
    const { createRestartJournal } = await import('./restart-journal.ts');
    return createRestartJournal(stateFolder, service);
  });
  const proofs = once(async () => {
    const { createProofRecords } = await import('./proof-records.ts');
    return createProofRecords(stateFolder, service);
  });
  const mayHold = (kind: string): boolean => holdsSomething(path.join(stateFolder, kind));
  return {
    owed: takesOver && mayHold('restarts') ? await (await journal()).read() : [],
    writeOwed: async (entries) => (await journal()).write(entries),
    here,
    proofs: {
      abandoned: async () => (mayHold('proofs') ? (await proofs()).abandoned() : []),
      read: async (id) => (mayHold('proofs') ? (await proofs()).read(id) : []),
      write: async (record) => (await proofs()).write(record),
    },
    drafts: {
      list: async () => (mayHold('drafts') ? (await here()).drafts.list() : []),
      read: async (place) => (await here()).drafts.read(place),
      write: async (draft) => (await here()).drafts.write(draft),
      remove: async (place) => (await here()).drafts.remove(place),
    },
    locks: {
      lock: async (place, takeOver) => (await here()).locks.lock(place, takeOver),
      unlock: async (place) => (await here()).locks.unlock(place),
      otherHolder: async (place) => (await here()).locks.otherHolder(place),
      // Nothing was locked before the modules were loaded.
      unlockAll: async () => (isLoaded ? (await here()).locks.unlockAll() : undefined),
    },
    trash: {
      put: async (file) => (await here()).trash.put(file),
      batches: async (query) => (mayHold('trash') ? (await here()).trash.batches(query) : []),
      take: async (id) => (await here()).trash.take(id),
      remove: async (id) => (await here()).trash.remove(id),
      claim: async (ids) => (await here()).trash.claim(ids),
      release: async (ids) => (await here()).trash.release(ids),
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Returns whether the folder of any service holds a file. */
function holdsSomething(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      (service) => readdirSync(path.join(folder, service)).length > 0,
    );
  } catch {
    return false;
  }
}
