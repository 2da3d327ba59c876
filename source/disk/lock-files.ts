import { randomBytes } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locked } from '../store/drafts/locks.ts';
import { unfinished, writeAtomically } from './atomic-file.ts';
import { type ConsoleMark, isGone, markPattern } from './console-mark.ts';
import { readRegularFile } from './state-folder.ts';
import { makeFolder } from '../system/make-folder.ts';

/** Attempts to create a lock that other consoles create, replace and remove meanwhile. */
const attempts = 10;

/** Locks of one console, each of which is a file. */
export interface LockFiles {
  /**
   * Creates a lock, or takes it over from any console. Resolves with the process id of another running
   * console that has it.
   */
  lock(file: string, takeOver?: boolean): Promise<Locked>;
  unlock(file: string): Promise<void>;
  unlockAll(): Promise<void>;
  /** Resolves with the process id of another running console that has a lock. */
  otherHolder(file: string): Promise<number | undefined>;
}

/**
 * Creates files whose content is the mark of the console that has the lock. A lock of an exited console
 * is ignored, and so is one that can't be written.
 */
export function createLockFiles(mark: Promise<ConsoleMark>): LockFiles {
  const held = new Set<string>();
  /** The last operation; an unlock must not remove a later lock. */
  let last: Promise<unknown> = Promise.resolve();

  function enqueue<T>(action: () => Promise<T>): Promise<T> {
    const result = last.then(action);
    last = result.catch(() => undefined);
    return result;
  }

  /** Resolves with the mark of another running console that holds a lock. */
  async function holderOf(file: string): Promise<ConsoleMark | undefined> {
    return runningHolder((await readText(file)) ?? '');
  }

  async function runningHolder(content: string): Promise<ConsoleMark | undefined> {
    if (!markPattern.test(content) || content === (await mark)) return undefined;
    return (await isGone(content)) ? undefined : content;
  }

  async function lock(file: string): Promise<Locked> {
    const self = await mark;
    await makeFolder(path.dirname(file), 0o700);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (await createFile(file, self)) break;
      const content = await readText(file);
      if (content === self) break;
      if (content === undefined) continue;
      const holder = (await runningHolder(content)) ?? (await replaceStale(file, content));
      if (holder === self) break;
      if (holder !== undefined) return { ok: false, pid: pidOf(holder) };
    }
    held.add(file);
    return { ok: true };
  }

  /**
   * Replaces a lock that an exited console left. The right to do so has the console that creates the
   * file of the exited one's successor: an exited console never locks again, so there is one successor.
   * Resolves with the mark of the console that has the lock then; undefined when it changed meanwhile.
   */
  async function replaceStale(file: string, stale: string): Promise<ConsoleMark | undefined> {
    const self = await mark;
    const successors: string[] = [];
    for (let exited = markPattern.test(stale) ? stale : 'damaged'; ; ) {
      const successor = `${file}.${exited}`;
      successors.push(successor);
      if (await createFile(successor, self)) break;
      const next = await readText(successor);
      if (next === undefined || !markPattern.test(next)) return undefined;
      const holder = await runningHolder(next);
      if (holder !== undefined) return holder;
      // A successor that exited before it replaced the lock has a successor of its own.
      exited = next;
    }
    const isUnchanged = (await readText(file)) === stale;
    if (isUnchanged) await writeAtomically(file, self);
    const own = isUnchanged ? successors : successors.slice(-1);
    for (const successor of own) await rm(successor, { force: true });
    return isUnchanged ? self : undefined;
  }

  async function unlock(file: string): Promise<void> {
    const self = await mark;
    held.delete(file);
    if ((await readText(file)) !== self) return;
    const removed = `${file}.${self}.${randomBytes(6).toString('hex')}${unfinished}`;
    try {
      await rename(file, removed);
      // Another console may have taken the lock over since it was read.
      if ((await readText(removed)) !== self) await link(removed, file);
    } catch {
      // A lock that can't be removed is ignored once this console has exited.
    }
    await rm(removed, { force: true }).catch(() => undefined);
  }

  return {
    lock: (file, takeOver = false) =>
      enqueue(async (): Promise<Locked> => {
        try {
          if (!takeOver) return await lock(file);
          await writeAtomically(file, await mark);
          held.add(file);
        } catch {
          // A read-only or full disk: the work goes on without a lock.
        }
        return { ok: true };
      }),
    unlock: (file) => enqueue(() => unlock(file)),
    unlockAll: () =>
      enqueue(async () => {
        await Promise.all(Array.from(held, unlock));
      }),
    otherHolder: (file) =>
      enqueue(async () => {
        const holder = await holderOf(file);
        return holder === undefined ? undefined : pidOf(holder);
      }),
  };
}

/** Creates a file that has its content from the start; resolves with false where it exists. */
async function createFile(file: string, content: string): Promise<boolean> {
  const temporary = `${file}.${content}.${randomBytes(6).toString('hex')}${unfinished}`;
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: 0o600 });
    await link(temporary, file);
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    // A file system without hard links: the content comes a moment later.
    try {
      await writeFile(file, content, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (failure) {
      if (isExisting(failure)) return false;
      throw failure;
    }
  } finally {
    await rm(temporary, { force: true });
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

async function readText(file: string): Promise<string | undefined> {
  return (await readRegularFile(file))?.toString('utf8');
}

function pidOf(mark: ConsoleMark): number {
  return Number(markPattern.exec(mark)?.[1]);
}
