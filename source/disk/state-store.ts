import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { LocalFiles } from '../store/transfers/local-files.ts';
import type { WriteResult } from '../store/drafts/places.ts';
import type { PendingRestart } from '../store/restarts/journal.ts';
import type { DraftLocksFolder } from './drafts-folder.ts';
import type { DraftKeeper } from '../store/drafts/drafts.ts';
import type { Trash } from '../store/drafts/trash.ts';
import type { ProofRecords } from '../store/proof/proof-record.ts';
import type { Locked } from '../store/drafts/locks.ts';
import { earlyPart, lazyPart, loadedOr } from '../system/lazy-part.ts';

const folderParts = earlyPart(() =>
  Promise.all([
    import('./drafts-folder.ts'),
    import('./drafts-folder.ts'),
    import('./trash-folder.ts'),
    import('./local-files.ts'),
  ]),
);
const journalPart = earlyPart(() => import('./restart-journal.ts'));
const proofsPart = earlyPart(() => import('./proof-records.ts'));

/** A service's local files: drafts, trash, and the files of this machine. */
export interface LocalState {
  readonly drafts: DraftKeeper;
  readonly locks: DraftLocksFolder;
  readonly trash: Trash;
  readonly local: LocalFiles;
}

/**
 * Local state of one service: pending restarts, drafts and trash. The modules that read and write it
 * are loaded after the start, because they load half of Node.
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
  const here = lazyPart(async (): Promise<LocalState> => {
    const [
      { createDraftsFolder },
      { createDraftLocks },
      { createTrashFolder },
      { createLocalFiles },
    ] = await folderParts();
    isLoaded = true;
    return {
      drafts: createDraftsFolder(stateFolder, service),
      locks: createDraftLocks(stateFolder, service),
      trash: createTrashFolder(stateFolder, service),
      local: createLocalFiles(),
    };
  });
  const journal = lazyPart(async () => {
    const { createRestartJournal } = await journalPart();
    return createRestartJournal(stateFolder, service);
  });
  const proofs = lazyPart(async () => {
    const { createProofRecords } = await proofsPart();
    return createProofRecords(stateFolder, service);
  });
  const mayHold = (kind: string): boolean => holdsSomething(path.join(stateFolder, kind));
  return {
    owed: takesOver && mayHold('restarts') ? await (await journal()).read() : [],
    writeOwed: (entries) => loadedOr(failedWrite, async () => (await journal()).write(entries)),
    here,
    proofs: {
      abandoned: async () => (mayHold('proofs') ? (await proofs()).abandoned() : []),
      read: async (id) => (mayHold('proofs') ? (await proofs()).read(id) : []),
      write: (record) => loadedOr(nothing, async () => (await proofs()).write(record)),
    },
    drafts: {
      list: async () => (mayHold('drafts') ? (await here()).drafts.list() : []),
      read: async (place) => (await here()).drafts.read(place),
      write: (draft) => loadedOr(failedWrite, async () => (await here()).drafts.write(draft)),
      remove: (place) => loadedOr(failedWrite, async () => (await here()).drafts.remove(place)),
    },
    locks: {
      // Without its part the work goes on without a lock, as on a read-only disk.
      lock: (place, takeOver) =>
        loadedOr(unlocked, async () => (await here()).locks.lock(place, takeOver)),
      unlock: (place) => loadedOr(nothing, async () => (await here()).locks.unlock(place)),
      otherHolder: (place) =>
        loadedOr(nothing, async () => (await here()).locks.otherHolder(place)),
      // Nothing was locked before the modules were loaded.
      unlockAll: async () => (isLoaded ? (await here()).locks.unlockAll() : undefined),
    },
    trash: {
      put: (file) => loadedOr(failedWrite, async () => (await here()).trash.put(file)),
      batches: async (query) => (mayHold('trash') ? (await here()).trash.batches(query) : []),
      take: async (id) => (await here()).trash.take(id),
      remove: (id) => loadedOr(failedWrite, async () => (await here()).trash.remove(id)),
      claim: async (ids) => (await here()).trash.claim(ids),
      release: async (ids) => (await here()).trash.release(ids),
    },
  };
}

const failedWrite = (sentence: string): Extract<WriteResult, { ok: false }> => ({
  ok: false,
  sentence,
});
const unlocked = (): Locked => ({ ok: true });
const nothing = (): undefined => undefined;

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
