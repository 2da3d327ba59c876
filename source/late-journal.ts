import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { RestartJournalFile } from './restart-journal.ts';
import type { Kept } from './store/kept.ts';
import type { OwedRestart } from './store/restart-journal.ts';

/** The journal of restarts, opened. */
export interface OpenJournal {
  /** What consoles left that run no more. */
  readonly left: readonly OwedRestart[];
  write(entries: readonly OwedRestart[]): Promise<Kept>;
}

/**
 * Opens the journal of a service's restarts. What reads and writes it is loaded only when there is
 * something to read or write: most starts have nothing owed, and it loads half of Node.
 */
export async function openJournal(stateFolder: string, service: string): Promise<OpenJournal> {
  let loading: Promise<RestartJournalFile> | undefined;

  async function load(): Promise<RestartJournalFile> {
    const { createRestartJournal } = await import('./restart-journal.ts');
    return createRestartJournal(stateFolder, service);
  }

  const loaded = (): Promise<RestartJournalFile> => (loading ??= load());
  return {
    left: mayHold(path.join(stateFolder, 'restarts')) ? await (await loaded()).read() : [],
    write: async (entries) => (await loaded()).write(entries),
  };
}

/** Whether anything lies in one of the folders, one for each service. */
function mayHold(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      (service) => readdirSync(path.join(folder, service)).length > 0,
    );
  } catch {
    return false;
  }
}
