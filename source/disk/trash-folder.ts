import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { removeForGood, whyNot, writeAtomically } from './atomic-file.ts';
import { type ConsoleMark, ownMark } from './console-mark.ts';
import { createLockFiles } from './lock-files.ts';
import {
  readHead,
  readRegularFile,
  headFields,
  longestHead,
  hashedName,
  namesIn,
  removeUnfinished,
} from './state-folder.ts';
import { type WriteResult, nameIn } from '../store/drafts/places.ts';
import type { BatchQuery, Trash, Trashed, TrashedFile, TrashEntry } from '../store/drafts/trash.ts';

export interface TrashBounds {
  /** Bytes of all files together, including those of other services. */
  readonly totalBytes: number;
  /** Milliseconds after which a file is removed. */
  readonly age: number;
}

const defaultBounds: TrashBounds = { totalBytes: 2 ** 30, age: 30 * 24 * 3600_000 };

/** `TIME-COUNT-RANDOM.HASH OF THE SERVICE.MARK.file`: names sort from oldest to newest. */
const namePattern = /^\d{15}-\d{6}-[0-9a-f]{8}\.([0-9a-f]{32})\.([0-9a-z-]+)\.file$/;

/** Heads that are read at the same time. */
const headsAtOnce = 32;

/** Files after which the folder is scanned again, because other consoles fill it too. */
const putsBetweenScans = 100;

/**
 * Stores each change in its own file below `trash` of the state folder, behind a head
 * that names its place. `service` is the base URL or data folder; the bounds hold for all services together.
 */
export function createTrashFolder(
  stateFolder: string,
  service: string,
  { totalBytes, age }: TrashBounds = defaultBounds,
  mark: Promise<ConsoleMark> = ownMark(),
): Trash {
  const root = path.join(stateFolder, 'trash');
  const folder = path.join(root, hashedName(service));
  let count = 0;
  /** Bytes at the last scan, and bytes added since. */
  let known = Infinity;
  let puts = 0;
  let cleaned: Promise<void> | undefined;
  /** The entries that were read, by id. */
  const entries = new Map<string, TrashEntry>();
  const locks = createLockFiles(mark);
  const lockOf = (id: string) => lockBeside(path.join(folder, id));

  async function release(ids: readonly string[]): Promise<void> {
    for (const id of ids) await locks.unlock(lockOf(id));
  }

  async function makeRoom(now: number, newest: string): Promise<void> {
    const all = await everyFile(root);
    let left = all.reduce((sum, { size }) => sum + size, 0);
    for (const { name, file, size, at } of all) {
      // After the clock was set back, the newest file has an old name.
      if (name === newest) continue;
      if (left <= totalBytes && now - at <= age) break;
      await removeForGood(file);
      await rm(lockBeside(file), { force: true });
      entries.delete(name);
      left -= size;
    }
    known = left;
    puts = 0;
  }

  /** Reads an entry and the key of its batch; undefined for another place, and where it is damaged. */
  async function readEntry(id: string, place: string | undefined) {
    const [, ofPlace, mark] = namePattern.exec(id) ?? [];
    if (mark === undefined || (place !== undefined && ofPlace !== place)) return undefined;
    // The files of the trash never change.
    const entry = entries.get(id) ?? headIn(id, await readHead(path.join(folder, id)));
    if (entry === undefined) return undefined;
    entries.set(id, entry);
    return { entry, key: entry.batch === undefined ? id : JSON.stringify([mark, entry.batch]) };
  }

  return {
    async put(file): Promise<Trashed> {
      const cannot = (why: string): Trashed => ({
        ok: false,
        sentence: `Can't move ${nameIn(file.path)} to the trash: ${why}.`,
      });
      const { bytes, base, ...rest } = file;
      const sizes = { size: bytes.length, baseSize: base?.length };
      const head = Buffer.from(`${JSON.stringify({ ...rest, ...sizes })}\n`);
      const size = head.length + bytes.length + (base?.length ?? 0);
      if (size > totalBytes) return cannot('the file is too large');
      if (head.length > longestHead) return cannot('its path is too long');
      const time = String(Math.max(0, Math.trunc(file.at))).padStart(15, '0');
      const order = `${time}-${String(count++ % 1e6).padStart(6, '0')}`;
      const random = randomBytes(4).toString('hex');
      const place = hashedName(file.deploymentId, file.service);
      const name = `${order}-${random}.${place}.${await mark}.file`;
      try {
        cleaned ??= removeUnfinished(folder);
        await cleaned;
        await writeAtomically(path.join(folder, name), [
          head,
          bytes,
          ...(base === undefined ? [] : [base]),
        ]);
      } catch (error) {
        return cannot(whyNot(error, folder));
      }
      known += size;
      puts += 1;
      // A failed removal is retried with a later file.
      if (known > totalBytes || puts >= putsBetweenScans) {
        await makeRoom(file.at, name).catch(() => undefined);
      }
      return { ok: true, id: name };
    },

    async batches({ most = Infinity, of } = {}) {
      const place = of && hashedName(of.deploymentId, of.service);
      const names = [...(await namesIn(folder))].sort().reverse();
      const batches = new Map<string, [TrashEntry, ...TrashEntry[]]>();
      for (let from = 0; from < names.length; from += headsAtOnce) {
        const chunk = names.slice(from, from + headsAtOnce);
        const read = await Promise.all(chunk.map((id) => readEntry(id, place)));
        let hasAdded = false;
        for (const found of read) {
          if (found === undefined || (of !== undefined && !isAt(found.entry, of))) continue;
          const batch = batches.get(found.key);
          if (batch === undefined && batches.size === most) continue;
          if (batch === undefined) batches.set(found.key, [found.entry]);
          else batch.push(found.entry);
          hasAdded = true;
        }
        // Commands that run at the same time mix their entries, but not over a whole chunk.
        if (batches.size === most && !hasAdded) break;
      }
      return [...batches.values()];
    },

    async take(id): Promise<TrashedFile | undefined> {
      if (!namePattern.test(id)) return undefined;
      const content = await readRegularFile(path.join(folder, id));
      if (content === undefined) return undefined;
      const entry = headIn(id, content);
      if (entry === undefined) return undefined;
      const { baseSize } = headFields(content);
      const hasBase = typeof baseSize === 'number';
      const texts = content.subarray(content.indexOf('\n') + 1);
      const { id: _, size, ...file } = entry;
      if (texts.length !== size + (hasBase ? baseSize : 0)) return undefined;
      const bytes = texts.subarray(0, size);
      return { ...file, bytes, ...(hasBase && { base: texts.subarray(size) }) };
    },

    async remove(id): Promise<WriteResult> {
      if (!namePattern.test(id)) return { ok: true };
      try {
        await removeForGood(path.join(folder, id));
        entries.delete(id);
        return { ok: true };
      } catch (error) {
        const sentence = `Can't remove a file from the trash: ${whyNot(error)}.`;
        return { ok: false, sentence };
      }
    },

    async claim(ids) {
      for (const [index, id] of ids.entries()) {
        if (!namePattern.test(id) || (await locks.lock(lockOf(id))).ok) continue;
        await release(ids.slice(0, index));
        return false;
      }
      return true;
    },

    release,
  };
}

/** Returns the path of the lock of a console that undoes the change of a file. */
function lockBeside(file: string): string {
  return `${file}.lock`;
}

/** Resolves with all files of the trash, oldest first. */
async function everyFile(root: string) {
  const all: { name: string; file: string; size: number; at: number }[] = [];
  for (const below of await namesIn(root)) {
    for (const name of await namesIn(path.join(root, below))) {
      if (!namePattern.test(name)) continue;
      const file = path.join(root, below, name);
      // Another console may have removed the file.
      const found = await stat(file).catch(() => undefined);
      if (found === undefined) continue;
      all.push({ name, file, size: found.size, at: Number(name.slice(0, 15)) });
    }
  }
  return all.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function headIn(id: string, content: Buffer): TrashEntry | undefined {
  const { deploymentId, service, path, reason, batch, at, size, ...rest } = headFields(content);
  const { written, movedTo, newDeployment, sentAt } = rest;
  if (typeof deploymentId !== 'string' || typeof service !== 'string') return undefined;
  if (typeof path !== 'string' || !isReason(reason)) return undefined;
  if (typeof at !== 'number' || typeof size !== 'number') return undefined;
  if (reason === 'moved' && typeof movedTo !== 'string') return undefined;
  return {
    id,
    deploymentId,
    service,
    path,
    reason,
    ...(typeof batch === 'string' && { batch }),
    ...(typeof written === 'string' && { written }),
    ...(typeof movedTo === 'string' && { movedTo }),
    ...(typeof newDeployment === 'string' && { newDeployment }),
    ...(typeof sentAt === 'number' && { sentAt }),
    at,
    size,
  };
}

function isAt(entry: TrashEntry, place: NonNullable<BatchQuery['of']>): boolean {
  return entry.deploymentId === place.deploymentId && entry.service === place.service;
}

const reasons: ReadonlySet<unknown> = new Set<TrashedFile['reason']>([
  'deleted',
  'replaced',
  'saved',
  'discarded',
  'moved',
]);

function isReason(value: unknown): value is TrashedFile['reason'] {
  return reasons.has(value);
}
