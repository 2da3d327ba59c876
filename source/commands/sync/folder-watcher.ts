/** Tells when something changes in the folders of a tree. */
import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../store/time/clock.ts';

/** The reason why a wait ended. */
export type WatchEvent = 'changed' | 'timeout' | 'aborted';

export interface FolderWatcher {
  /**
   * Watches these folders in place of the ones before: paths below the root, with inode numbers, by
   * which a folder that was made anew is known.
   */
  follow(folders: ReadonlyMap<string, string>): void;
  /** Resolves after a burst of changes is over, or after `timeout` milliseconds without any. */
  next(timeout: number): Promise<WatchEvent>;
  /** True where the system refuses to watch further folders, so that changes there aren't seen. */
  readonly isIncomplete: boolean;
  close(): void;
}

/** Milliseconds of quiet after which a burst of changes is over. */
const quiet = 300;

/** Milliseconds after which changes without a pause count as a burst. */
const longestBurst = 2000;

export interface FolderWatcherOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface Watched {
  readonly inode: string;
  readonly watcher: FSWatcher;
}

export function createFolderWatcher(options: FolderWatcherOptions): FolderWatcher {
  const { root, clock, signal } = options;
  const watched = new Map<string, Watched>();
  let isPending = false;
  let isIncomplete = false;
  let onEvent: (() => void) | undefined;

  const notice = (): void => {
    isPending = true;
    onEvent?.();
  };

  /** Waits for an event or the end of the time. */
  const wait = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        onEvent = undefined;
        resolve();
      };
      const cancel = clock.after(milliseconds, end);
      signal.addEventListener('abort', end);
      onEvent = end;
      if (signal.aborted || isPending) end();
    });

  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };

  const add = (folder: string, inode: string): void => {
    try {
      const watcher = watch(path.join(root, folder), notice);
      watcher.on('error', () => {
        drop(folder);
        notice();
      });
      watched.set(folder, { inode, watcher });
      // Changes between the reading of the folder and this moment would go unseen.
      notice();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') notice();
      else isIncomplete = true;
    }
  };

  return {
    get isIncomplete() {
      return isIncomplete;
    },
    follow(folders) {
      isIncomplete = false;
      for (const [folder, { inode }] of watched) {
        if (folders.get(folder) !== inode) drop(folder);
      }
      for (const [folder, inode] of folders) {
        if (!watched.has(folder)) add(folder, inode);
      }
    },
    async next(timeout) {
      await wait(timeout);
      if (signal.aborted) return 'aborted';
      if (!isPending) return 'timeout';
      const until = clock.now() + longestBurst;
      while (isPending && clock.now() < until && !signal.aborted) {
        isPending = false;
        await wait(quiet);
      }
      isPending = false;
      return signal.aborted ? 'aborted' : 'changed';
    },
    close() {
      for (const folder of Array.from(watched.keys())) drop(folder);
    },
  };
}
