import path from 'node:path';
import type { DraftLocks } from '../store/drafts/locks.ts';
import type { DraftPlace } from '../store/drafts/places.ts';
import { type ConsoleMark, ownMark } from './console-mark.ts';
import { draftStem, draftsFolder } from './draft-names.ts';
import { createLockFiles } from './lock-files.ts';

/** The locks of one service, and the removal of all locks of this console. */
export interface DraftLocksFolder extends DraftLocks {
  unlockAll(): Promise<void>;
}

/**
 * Stores each lock in the file `HASH OF THE PLACE.lock` beside the drafts. A lock of an exited console
 * is ignored, and so is one that can't be written.
 */
export function createDraftLocks(
  stateFolder: string,
  service: string,
  mark: Promise<ConsoleMark> = ownMark(),
): DraftLocksFolder {
  const folder = draftsFolder(stateFolder, service);
  const fileOf = (place: DraftPlace) => path.join(folder, `${draftStem(place)}.lock`);
  const locks = createLockFiles(mark);
  return {
    lock: (place, takeOver) => locks.lock(fileOf(place), takeOver),
    unlock: (place) => locks.unlock(fileOf(place)),
    unlockAll: () => locks.unlockAll(),
    otherHolder: (place) => locks.otherHolder(fileOf(place)),
  };
}
