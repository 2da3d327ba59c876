import { onTestFinished } from 'vitest';
import { openLocalState } from './local-state.ts';
import type { LocalStorage } from '../../source/store/deck/handles.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Returns the local state of a console, in a folder that is removed after the test. The removal waits
 * for running writes, since they would create the folder again; later writes never end.
 */
export function temporaryKept(): LocalStorage {
  const { drafts, locks, trash, local } = openLocalState(temporaryFolder(), 'http://127.0.0.1');
  const begun: Promise<unknown>[] = [];
  let isOver = false;
  const inTime =
    <Kept, Written>(write: (kept: Kept) => Promise<Written>) =>
    (kept: Kept): Promise<Written> => {
      if (isOver) return new Promise(() => {});
      const written = write(kept);
      begun.push(written);
      return written;
    };
  onTestFinished(async () => {
    isOver = true;
    await Promise.allSettled(begun);
  });
  return {
    drafts: {
      ...drafts,
      write: inTime((draft) => drafts.write(draft)),
    },
    locks: {
      ...locks,
      lock: (place, takeOver) => inTime(() => locks.lock(place, takeOver))(place),
    },
    trash: { ...trash, put: inTime((file) => trash.put(file)) },
    local: async () => local,
  };
}
