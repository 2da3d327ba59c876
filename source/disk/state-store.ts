import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { LocalState } from './kept-here.ts';
import type { WriteResult } from '../store/drafts/places.ts';
import type { PendingRestart } from '../store/restarts/journal.ts';
import type { DraftKeeper } from '../store/drafts/drafts.ts';
import type { Trash } from '../store/drafts/trash.ts';

/**
 * What earlier runs left on this machine, and where this one keeps things. What reads and writes it
 * is loaded only when there is something to read or write: it loads half of Node.
 */
export interface StateStore {
  /** What consoles owed that run no more. */
  readonly owed: readonly PendingRestart[];
  readonly drafts: DraftKeeper;
  readonly trash: Trash;
  writeOwed(entries: readonly PendingRestart[]): Promise<WriteResult>;
  here(): Promise<LocalState>;
}

export async function openStateStore(stateFolder: string, service: string): Promise<StateStore> {
  const here = once(async () => {
    const { openLocalState } = await import('./kept-here.ts');
    return openLocalState(stateFolder, service);
  });
  const journal = once(async () => {
    const { createRestartJournal } = await import('./restart-journal.ts');
    return createRestartJournal(stateFolder, service);
  });
  const mayHold = (kind: string): boolean => holdsSomething(path.join(stateFolder, kind));
  return {
    owed: mayHold('restarts') ? await (await journal()).read() : [],
    writeOwed: async (entries) => (await journal()).write(entries),
    here,
    drafts: {
      list: async () => (mayHold('drafts') ? (await here()).drafts.list() : []),
      read: async (place) => (await here()).drafts.read(place),
      write: async (draft) => (await here()).drafts.write(draft),
      remove: async (place) => (await here()).drafts.remove(place),
    },
    trash: {
      put: async (file) => (await here()).trash.put(file),
      last: async (deployment, name) => (await here()).trash.last(deployment, name),
      take: async (id) => (await here()).trash.take(id),
      remove: async (id) => (await here()).trash.remove(id),
    },
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** Whether anything lies in one of the folders, one for each service. */
function holdsSomething(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      (service) => readdirSync(path.join(folder, service)).length > 0,
    );
  } catch {
    return false;
  }
}
