import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DraftLocks, Locked } from '../store/drafts/locks.ts';
import type { DraftPlace } from '../store/drafts/places.ts';
import { writeAtomically } from './atomic-file.ts';
import { type ConsoleMark, isGone, markPattern, ownMark } from './console-mark.ts';
import { draftStem, draftsFolder } from './draft-names.ts';
import { readRegularFile } from './state-folder.ts';

/** Attempts to create a lock whose stale predecessor another console may remove at the same time. */
const attempts = 3;

/** The locks of one service, and the removal of all locks of this console. */
export interface DraftLocksFolder extends DraftLocks {
  unlockAll(): Promise<void>;
}

/**
 * Stores each lock in the file `HASH OF THE PLACE.lock` beside the drafts; its content is the mark of
 * the console. A lock of an exited console is ignored, and so is one that can't be written.
 */
export function createDraftLocks(
  stateFolder: string,
  service: string,
  mark: Promise<ConsoleMark> = ownMark(),
): DraftLocksFolder {
  const folder = draftsFolder(stateFolder, service);
  const fileOf = (place: DraftPlace) => path.join(folder, `${draftStem(place)}.lock`);
  const held = new Set<string>();
  /** The last operation; an unlock must not remove the lock of a later open. */
  let last: Promise<unknown> = Promise.resolve();

  function enqueue<T>(action: () => Promise<T>): Promise<T> {
    const result = last.then(action);
    last = result.catch(() => undefined);
    return result;
  }

  /** Resolves with the mark of another running console that holds a lock. */
  async function holderOf(file: string): Promise<ConsoleMark | undefined> {
    const holder = await contentOf(file);
    if (!markPattern.test(holder) || holder === (await mark)) return undefined;
    return (await isGone(holder)) ? undefined : holder;
  }

  async function lock(file: string): Promise<Locked> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      try {
        await writeFile(file, await mark, { flag: 'wx', mode: 0o600 });
        break;
      } catch {
        const holder = await holderOf(file);
        if (holder !== undefined) return { ok: false, pid: pidOf(holder) };
        await rm(file, { force: true });
      }
    }
    held.add(file);
    return { ok: true };
  }

  async function unlock(file: string): Promise<void> {
    held.delete(file);
    const holder = await contentOf(file);
    if (holder === (await mark)) await rm(file, { force: true }).catch(() => undefined);
  }

  return {
    lock: (place, takeOver = false) =>
      enqueue(async (): Promise<Locked> => {
        const file = fileOf(place);
        try {
          if (!takeOver) return await lock(file);
          await writeAtomically(file, await mark);
          held.add(file);
        } catch {
          // A read-only or full disk: the document opens without a lock.
        }
        return { ok: true };
      }),
    unlock: (place) => enqueue(() => unlock(fileOf(place))),
    otherHolder: (place) =>
      enqueue(async () => {
        const holder = await holderOf(fileOf(place));
        return holder === undefined ? undefined : pidOf(holder);
      }),
    unlockAll: () =>
      enqueue(async () => {
        await Promise.all(Array.from(held, unlock));
      }),
  };
}

async function contentOf(file: string): Promise<string> {
  return (await readRegularFile(file))?.toString('utf8') ?? '';
}

function pidOf(mark: ConsoleMark): number {
  return Number(markPattern.exec(mark)?.[1]);
}
