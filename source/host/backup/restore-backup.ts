import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../files/disk.ts';
import { hasErrorCode } from '../files/missing.ts';
import { LogStore } from '../logs/store.ts';
import { dataFolderMarker } from '../records/data-folder.ts';
import { identifyRecords } from '../records/recognised-records.ts';
import { Storage } from '../records/storage.ts';
import { StartFailure } from '../start-failure.ts';
import { type BackupManifest, markRestored } from './backup-format.ts';
import { listDeployments } from './copied-records.ts';
import { extractArchive, RestoreFailure } from './extract-archive.ts';
import { makeFolderSync } from '../../system/make-folder.ts';

/** Name of the folder that `mkfs` creates in the root of a new file system. */
const systemFolder = 'lost+found';

/**
 * Restores a backup as a data folder, which must be missing or empty. Everything is extracted and
 * checked in a folder of its own first; a failure leaves nothing. Throws a {@link RestoreFailure}.
 */
export async function restoreBackup(file: string, dataDir: string): Promise<BackupManifest> {
  const target = targetOf(dataDir);
  const isNew = !existsSync(target);
  const parent = path.dirname(target);
  if (isNew) makeFolderSync(parent, 0o700);
  // Inside an existing folder, which may be a mount point, and no host accepts it meanwhile.
  const place = isNew
    ? path.join(parent, `.${path.basename(target)}`)
    : path.join(target, '.hostdeck');
  const folder = await mkdtemp(`${place}-restoring-`);
  try {
    const manifest = await extractArchive(file, folder);
    checkParts(folder);
    adopt(folder, manifest);
    // The data folder itself may be accessible to other users.
    const deployments = path.join(folder, 'deployments');
    if (existsSync(deployments)) chmodSync(deployments, 0o700);
    await syncFolder(folder);
    if (isNew) await nameFolder(folder, target, dataDir);
    else await moveEntries(folder, target, dataDir);
    await syncFolder(isNew ? parent : target);
    return manifest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the path of a data folder without links. Throws when the folder is not empty. */
function targetOf(dataDir: string): string {
  const full = path.resolve(dataDir);
  if (lstatSync(full, { throwIfNoEntry: false }) === undefined) return full;
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new RestoreFailure(`${dataDir} is not a folder. Name another one with --data.`);
  }
  const target = realpathSync(full);
  if (entriesOf(target).length > 0) throw notEmpty(dataDir);
  return target;
}

function entriesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name !== systemFolder);
}

function notEmpty(dataDir: string): RestoreFailure {
  return new RestoreFailure(
    `${dataDir} is not empty. A backup is restored to an empty or a new folder: name one with --data.`,
  );
}

/** Checks that both databases are whole and those of a host, and that no deployment lacks files. */
function checkParts(folder: string): void {
  for (const name of ['host.db', 'logs.db']) {
    if (!existsSync(path.join(folder, name))) {
      throw new RestoreFailure(`The backup is incomplete: it has no ${name}.`);
    }
    if (!isIntact(path.join(folder, name))) {
      throw new RestoreFailure(`The backup is damaged: ${name} is not an intact database.`);
    }
  }
  if (identifyRecords(folder) !== 'ours') {
    throw new RestoreFailure("The file isn't a backup of a host.");
  }
  const database = new DatabaseSync(path.join(folder, 'host.db'), { readOnly: true });
  try {
    for (const { id, generation } of listDeployments(database)) {
      const files = path.join(folder, 'deployments', id);
      const parts = [
        path.join(files, 'staged'),
        ...(generation === undefined ? [] : [path.join(files, 'runs', String(generation))]),
      ];
      if (!parts.every((part) => existsSync(part))) {
        throw new RestoreFailure(`The backup is incomplete: files of ${id} are missing.`);
      }
    }
  } finally {
    database.close();
  }
}

function isIntact(file: string): boolean {
  try {
    const database = new DatabaseSync(file);
    try {
      const [row] = database.prepare('pragma quick_check(1)').all();
      return row?.['quick_check'] === 'ok';
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) return false;
    throw error;
  }
}

/** Makes the folder that of another host than the one that was backed up. */
function adopt(folder: string, manifest: BackupManifest): void {
  try {
    const storage = Storage.open(folder);
    let deployments: readonly number[];
    try {
      const rows = storage.prepare('select number from deployments').all();
      deployments = rows.map(({ number }) => Number(number));
      storage.transaction(() => {
        // Both hosts may run on one machine: each has its own containers, user ids and run trees.
        storage.writeMeta('identity', randomUUID());
        storage.prepare('delete from runs').run();
        markRestored(storage, manifest.createdAt);
      });
    } finally {
      storage.close();
    }
    const logs = new LogStore(path.join(folder, 'logs.db'));
    logs.beginEpoch(deployments, firstIdAt(Date.now()));
    logs.close();
  } catch (error) {
    if (error instanceof StartFailure && error.code === 'newer-data') {
      throw new RestoreFailure('A newer version wrote the backup. Update this program.');
    }
    throw error;
  }
}

async function nameFolder(folder: string, target: string, dataDir: string): Promise<void> {
  try {
    await rename(folder, target);
  } catch (error) {
    if (hasErrorCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw notEmpty(dataDir);
    throw error;
  }
}

/**
 * Moves the entries of a restored folder to an existing one, the records last: a host accepts a
 * folder with other entries only if it has records. Moves them back when one can't be moved.
 */
async function moveEntries(folder: string, target: string, dataDir: string): Promise<void> {
  if (entriesOf(target).some((name) => name !== path.basename(folder))) throw notEmpty(dataDir);
  const late = ['host.db', dataFolderMarker];
  const names = readdirSync(folder).sort((a, b) => late.indexOf(a) - late.indexOf(b));
  const moved: string[] = [];
  try {
    for (const name of names) {
      await rename(path.join(folder, name), path.join(target, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved.reverse()) {
      await rename(path.join(target, name), path.join(folder, name));
    }
    throw error;
  }
}

/** The start of the ids' own time, 2026-01-01 UTC, in seconds since the epoch of the clock. */
const firstSecond = 1_767_225_600;

/** More lines than a log takes in a second, so that ids never overtake the clock. */
const idsPerSecond = 2 ** 21;

/**
 * Returns the first id of the log epoch that begins at a time in ms since the epoch: higher than
 * all ids that any host has given to lines of the same log before, which clients may know although
 * a backup lacks them. Ids stay exact numbers (below 2^53) for more than a century.
 */
export function firstIdAt(time: number): number {
  const second = Math.floor(time / 1000) - firstSecond;
  return Math.max(second, 0) * idsPerSecond + 1;
}
