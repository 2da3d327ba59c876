import { createDraftLocks, createDraftsFolder } from '../../source/disk/drafts-folder.ts';
import { createLocalFiles } from '../../source/disk/local-files.ts';
import type { LocalState } from '../../source/disk/state-store.ts';
import { createTrashFolder } from '../../source/disk/trash-folder.ts';

/** Returns the local state of a service, loaded at once. */
export function openLocalState(stateFolder: string, service: string): LocalState {
  return {
    drafts: createDraftsFolder(stateFolder, service),
    locks: createDraftLocks(stateFolder, service),
    trash: createTrashFolder(stateFolder, service),
    local: createLocalFiles(),
  };
}
