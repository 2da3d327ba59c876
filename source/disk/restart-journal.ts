import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { removeForGood, whyNot, writeAtomically } from './atomic-file.ts';
import { type ConsoleMark, isGone, ownMark } from './console-mark.ts';
import { recordFields, jsonOf, hashedName, namesIn, removeUnfinished } from './state-folder.ts';
import type { WriteResult } from '../store/drafts/places.ts';
import type { ChangedFile, PendingRestart } from '../store/restarts/journal.ts';

/** The store's journal on disk, which also tells what it holds and whether it could be written. */
export interface RestartJournalFile {
  /**
   * Takes over what consoles left that run no more; what running ones owe is theirs. It is kept as
   * this console's until the next `write`, which has to have it in it.
   */
  read(): Promise<readonly PendingRestart[]>;
  /** Resolves when these, or newer ones, are on disk. */
  write(entries: readonly PendingRestart[]): Promise<WriteResult>;
}

/** `MARK.json` is what a console wrote, `MARK.CHANCE.json` what it took over of another. */
const namePattern = /^([0-9a-z-]+)(?:\.[0-9a-f]{12})?\.json$/;

/** Keeps what is owed in one file for each console below `restarts` of the state folder. */
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
    const entries = owedIn(await jsonOf(file));
    if (entries === undefined) return undefined;
    const chance = randomBytes(6).toString('hex');
    const mine = path.join(folder, `${await mark}.${chance}.json`);
    try {
      // Of two consoles that start at once only one can rename it.
      await rename(file, mine);
    } catch {
      return undefined;
    }
    return { file: mine, entries };
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
      const sentence = `What restarts are owed could not be kept: ${whyNot(error)}.`;
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
        // What this process itself left is of a connection to the service that it had before.
        const isLeft = writer === (await mark) ? !written : await isGone(writer);
        const left = isLeft ? await take(name) : undefined;
        if (left !== undefined) found.push(left);
      }
      taken = [...taken, ...found.map(({ file }) => file)];
      return found.flatMap(({ entries }) => entries);
    },

    write(entries) {
      // Only what was read before this call can be in it.
      waiting = { entries, instead: taken };
      written = true;
      // Changes come faster than a disk: what waits is replaced, what is written is not overtaken.
      next ??= last.then(writeNow);
      last = next;
      return next;
    },
  };
}

/** The entries of a journal; undefined where it is none, or one of them is none. */
function owedIn(json: unknown): readonly PendingRestart[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const entries = json.map(owedOf);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

const states = ['counting', 'failed', 'not applied'] as const;

function owedOf(json: unknown): PendingRestart | undefined {
  const { deploymentId, name, files: listed, state: said, since, deadline } = recordFields(json);
  const state = states.find((known) => known === said);
  if (typeof deploymentId !== 'string' || typeof name !== 'string') return undefined;
  if (!Array.isArray(listed) || state === undefined || !isTime(since)) return undefined;
  const files = listed.map(fileOf).filter((file) => file !== undefined);
  if (files.length < listed.length) return undefined;
  const owed = { deploymentId, name, files, state, since };
  if (deadline === undefined) return owed;
  return isTime(deadline) ? { ...owed, deadline } : undefined;
}

function fileOf(json: unknown): ChangedFile | undefined {
  const { service, path } = recordFields(json);
  return typeof service === 'string' && typeof path === 'string' ? { service, path } : undefined;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
