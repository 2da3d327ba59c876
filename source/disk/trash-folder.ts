import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { removeForGood, whyNot, writeAtomically } from './atomic-file.ts';
import { ownMark } from './console-mark.ts';
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
import type { Trash, Trashed, TrashedFile, TrashEntry } from '../store/drafts/trash.ts';

export interface TrashBounds {
  /** Bytes of all files together, including those of other services. */
  readonly totalBytes: number;
  /** Milliseconds after which a file is removed. */
  readonly age: number;
}

const defaultBounds: TrashBounds = { totalBytes: 2 ** 30, age: 30 * 24 * 3600_000 };

/** `TIME-COUNT-RANDOM.HASH OF THE SERVICE.MARK.file`: names sort from oldest to newest. */
const namePattern = /^\d{15}-\d{6}-[0-9a-f]{8}\.([0-9a-f]{32})\.([0-9a-z-]+)\.file$/;

/** Files after which the folder is scanned again, because other consoles fill it too. */
const putsBetweenScans = 100;

/**
 * Stores each removed or replaced file in its own file below `trash` of the state folder, behind a head
 * that names its place. `service` is the base URL or data folder; the bounds hold for all services together.
 */
export function createTrashFolder(
  stateFolder: string,
  service: string,
  { totalBytes, age }: TrashBounds = defaultBounds,
): Trash {
  const root = path.join(stateFolder, 'trash');
  const folder = path.join(root, hashedName(service));
  let count = 0;
  /** Bytes at the last scan, and bytes added since. */
  let known = Infinity;
  let puts = 0;
  let cleaned: Promise<void> | undefined;

  async function makeRoom(now: number, newest: string): Promise<void> {
    const all = await everyFile(root);
    let left = all.reduce((sum, { size }) => sum + size, 0);
    for (const { name, file, size, at } of all) {
      // After the clock was set back, the newest file has an old name.
      if (name === newest) continue;
      if (left <= totalBytes && now - at <= age) break;
      await removeForGood(file);
      left -= size;
    }
    known = left;
    puts = 0;
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
      const name = `${order}-${random}.${place}.${await ownMark()}.file`;
      try {
        cleaned ??= removeUnfinished(folder);
        await cleaned;
        await writeAtomically(path.join(folder, name), [
          head,
          bytes,
          ...(base === undefined ? [] : [base]),
        ]);
      } catch (error) {
        return cannot(whyNot(error));
      }
      known += size;
      puts += 1;
      // A failed removal is retried with a later file.
      if (known > totalBytes || puts >= putsBetweenScans) {
        await makeRoom(file.at, name).catch(() => undefined);
      }
      return { ok: true, id: name };
    },

    async lastBatch(deploymentId, service) {
      const place = hashedName(deploymentId, service);
      const names = [...(await namesIn(folder))].sort().reverse();
      const batch: TrashEntry[] = [];
      let newestMark: string | undefined;
      for (const id of names) {
        const [, ofPlace, mark] = namePattern.exec(id) ?? [];
        // Another console may have removed files meanwhile.
        if (ofPlace !== place || (newestMark !== undefined && mark !== newestMark)) continue;
        const entry = headIn(id, await readHead(path.join(folder, id)));
        if (entry?.deploymentId !== deploymentId || entry.service !== service) continue;
        const [newest] = batch;
        if (newest !== undefined && entry.batch !== newest.batch) return batch;
        batch.push(entry);
        if (entry.batch === undefined) return batch;
        newestMark = mark;
      }
      return batch;
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
        return { ok: true };
      } catch (error) {
        const sentence = `Can't remove a file from the trash: ${whyNot(error)}.`;
        return { ok: false, sentence };
      }
    },
  };
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
  const { deploymentId, service, path, reason, batch, at, size } = headFields(content);
  if (typeof deploymentId !== 'string' || typeof service !== 'string') return undefined;
  if (typeof path !== 'string' || !isReason(reason)) return undefined;
  if (typeof at !== 'number' || typeof size !== 'number') return undefined;
  const inBatch = typeof batch === 'string' && { batch };
  return { id, deploymentId, service, path, reason, ...inBatch, at, size };
}

function isReason(value: unknown): value is TrashedFile['reason'] {
  return value === 'deleted' || value === 'replaced' || value === 'discarded';
}
