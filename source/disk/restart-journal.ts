import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { removeForGood, whyNot, writeAtomically } from './atomic-file.ts';
import { type ConsoleMark, isGone, ownMark } from './console-mark.ts';
import { recordFields, jsonOf, hashedName, namesIn, removeUnfinished } from './state-folder.ts';
import type { WriteResult } from '../store/drafts/places.ts';
import type { ChangedFile, PendingRestart } from '../store/restarts/journal.ts';

/** The journal of pending restarts on disk. */
export interface RestartJournalFile {
  /**
   * Takes over the pending restarts of consoles that have exited, and resolves with them. They stay on
   * disk under this console's mark until the next `write`, which must contain them.
   */
  read(): Promise<readonly PendingRestart[]>;
  /** Resolves when these entries, or newer ones, are on disk. */
  write(entries: readonly PendingRestart[]): Promise<WriteResult>;
  /** Resolves with the entries of one deployment that consoles left which have exited; takes none. */
  find(deploymentId: string): Promise<readonly PendingRestart[]>;
  /** Removes these entries after a restart of the deployment; those of others stay. */
  drop(deploymentId: string): Promise<void>;
}

/** `MARK.json` holds a console's own entries, `MARK.RANDOM.json` those taken over from another. */
const namePattern = /^([0-9a-z-]+)(?:\.[0-9a-f]{12})?\.json$/;

/** Stores pending restarts in one file a console, below `restarts` of the state folder. */
export function createRestartJournal(
  stateFolder: string,
  service: string,
  mark: Promise<ConsoleMark> = ownMark(),
): RestartJournalFile {
  const folder = path.join(stateFolder, 'restarts', hashedName(service));
  let taken: readonly string[] = [];
  let waiting: { readonly entries: readonly PendingRestart[]; readonly instead: readonly string[] };
  let written = false;
  let next: Promise<WriteResult> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function take(
    name: string,
  ): Promise<{ readonly file: string; readonly entries: readonly PendingRestart[] } | undefined> {
    const file = path.join(folder, name);
    const entries = parseJournal(await jsonOf(file));
    if (entries === undefined) return undefined;
    const random = randomBytes(6).toString('hex');
    const mine = path.join(folder, `${await mark}.${random}.json`);
    try {
      // Only one of two consoles that start at the same time can rename the file.
      await rename(file, mine);
    } catch {
      return undefined;
    }
    return { file: mine, entries };
  }

  /** Resolves with the journals that have entries of a deployment and whose consoles have exited. */
  async function abandonedWith(
    deploymentId: string,
  ): Promise<readonly { readonly name: string; readonly entries: readonly PendingRestart[] }[]> {
    const found = [];
    for (const name of await namesIn(folder)) {
      const [, writer] = namePattern.exec(name) ?? [];
      if (writer === undefined || !(await isGone(writer))) continue;
      const all = parseJournal(await jsonOf(path.join(folder, name))) ?? [];
      const entries = all.filter((entry) => entry.deploymentId === deploymentId);
      if (entries.length > 0) found.push({ name, entries });
    }
    return found;
  }

  async function writeNow(): Promise<WriteResult> {
    next = undefined;
    const file = path.join(folder, `${await mark}.json`);
    const { entries, instead } = waiting;
    try {
      if (entries.length > 0) await writeAtomically(file, JSON.stringify(entries));
      else await removeForGood(file);
      for (const each of instead) await removeForGood(each);
      taken = taken.filter((each) => !instead.includes(each));
      return { ok: true };
    } catch (error) {
      const sentence = `Can't save the pending restarts: ${whyNot(error, folder)}.`;
      return { ok: false, sentence };
    }
  }

  return {
    async read() {
      await removeUnfinished(folder);
      const found = [];
      for (const name of await namesIn(folder)) {
        const [, writer] = namePattern.exec(name) ?? [];
        if (writer === undefined || taken.includes(path.join(folder, name))) continue;
        // A file of this process is from an earlier connection to the same service.
        const isAbandoned = writer === (await mark) ? !written : await isGone(writer);
        const journal = isAbandoned ? await take(name) : undefined;
        if (journal !== undefined) found.push(journal);
      }
      taken = [...taken, ...found.map(({ file }) => file)];
      return found.flatMap(({ entries }) => entries);
    },

    write(entries) {
      // The entries can contain only journals that were read before this call.
      waiting = { entries, instead: taken };
      written = true;
      // A newer write replaces one that waits, and follows one that runs.
      next ??= last.then(writeNow);
      last = next;
      return next;
    },

    async find(deploymentId) {
      const found = (await abandonedWith(deploymentId)).flatMap(({ entries }) => entries);
      return found.filter(({ state }) => state !== 'intended');
    },

    async drop(deploymentId) {
      for (const { name } of await abandonedWith(deploymentId)) {
        const journal = await take(name);
        if (journal === undefined) continue;
        const others = journal.entries.filter((entry) => entry.deploymentId !== deploymentId);
        try {
          // Under its old name it is left to the next console, while this process goes on.
          if (others.length > 0) {
            await writeAtomically(path.join(folder, name), JSON.stringify(others));
          }
          await removeForGood(journal.file);
        } catch {
          // The journal that was taken stays, and is read when this process has exited.
        }
      }
    },
  };
}

/** Returns the entries of a journal; undefined where the file, or one entry, is malformed. */
function parseJournal(json: unknown): readonly PendingRestart[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const entries = json.map(parseEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

const states = ['counting', 'failed', 'unapplied', 'intended'] as const;

/** The word of older journals for `unapplied`. */
const olderUnapplied = 'not applied';

function parseEntry(json: unknown): PendingRestart | undefined {
  const { deploymentId, name, files: listed, state: given, since, deadline } = recordFields(json);
  const state = given === olderUnapplied ? 'unapplied' : states.find((known) => known === given);
  if (typeof deploymentId !== 'string' || typeof name !== 'string') return undefined;
  if (!Array.isArray(listed) || state === undefined || !isTime(since)) return undefined;
  const files = listed.map(fileOf).filter((file) => file !== undefined);
  if (files.length < listed.length) return undefined;
  const pending = { deploymentId, name, files, state, since };
  if (deadline === undefined) return pending;
  return isTime(deadline) ? { ...pending, deadline } : undefined;
}

function fileOf(json: unknown): ChangedFile | undefined {
  const { service, path, digest, isDeleted, movedFrom, size } = recordFields(json);
  if (typeof service !== 'string' || typeof path !== 'string') return undefined;
  return {
    service,
    path,
    ...(typeof digest === 'string' ? { digest } : {}),
    ...(isDeleted === true ? { isDeleted } : {}),
    ...(typeof movedFrom === 'string' ? { movedFrom } : {}),
    ...(typeof size === 'number' ? { size } : {}),
  };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
