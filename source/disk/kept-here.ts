import { createDraftsFolder } from './drafts-folder.ts';
import { createLocalFiles } from './local-files.ts';
import type { DraftKeeper } from '../store/drafts/drafts.ts';
import type { LocalFiles } from '../store/transfers/local-files.ts';
import type { Trash } from '../store/drafts/trash.ts';
import { createTrashFolder } from './trash-folder.ts';

/** What this machine keeps of a service's files, and the files it has itself. */
export interface LocalState {
  readonly drafts: DraftKeeper;
  readonly trash: Trash;
  readonly local: LocalFiles;
}

export function openLocalState(stateFolder: string, service: string): LocalState {
  return {
    drafts: createDraftsFolder(stateFolder, service),
    trash: createTrashFolder(stateFolder, service),
    local: createLocalFiles(),
  };
}
