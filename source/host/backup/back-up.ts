import { realpathSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { administer } from '../administration.ts';
import {
  type BackupFindings,
  type BackupOutcome,
  backupRequest,
  backupWithVolumesRequest,
  receiveBackup,
  type StreamedBackup,
} from '../control/backup-frames.ts';
import { controlSocketPath } from '../control/control-path.ts';
import { Files } from '../files/files.ts';
import { LogStore } from '../logs/store.ts';
import { loadHostIdentity } from '../records/identity.ts';
import type { Storage } from '../records/storage.ts';
import { VolumeFolders } from '../volumes/volume-folders.ts';
import { listDeployments } from './copied-records.ts';
import type { EngineVolumeSource } from './engine-volumes.ts';
import { writeBackup } from './write-backup.ts';
import { syncFolder } from '../files/disk.ts';
import { hasErrorCode, undefinedIfMissing } from '../files/missing.ts';

export interface BackUpOptions {
  readonly dataDir: string;
  /** File to create. */
  readonly file: string;
  /** Version of the program. */
  readonly version: string;
  /** Folder in which hosts that run as root keep what services of theirs must access. */
  readonly machineFolder: string;
  /** True for a backup with volumes, which are as after a crash. */
  readonly hasVolumes?: boolean | undefined;
  /** Returns the engine's volumes of the host of this identity, for a backup without a host. */
  readonly engineVolumesOf: (identity: string) => EngineVolumeSource;
  /** Interrupts the backup. */
  readonly signal?: AbortSignal | undefined;
}

/** A finished backup. */
export interface BackupSummary extends BackupFindings {
  /** Bytes of the file. */
  readonly size: number;
}

/**
 * Backs up a data folder to a file, whether or not a host runs on the folder. Throws, and leaves no
 * file, when that fails or the file exists.
 */
export async function backUp(options: BackUpOptions): Promise<BackupSummary> {
  const { dataDir, file } = options;
  await assertUnused(file);
  return await administer(
    dataDir,
    () => saveFromHost(options),
    (storage) => saveFromFolder(options, storage),
  );
}

const nothingMissing: BackupFindings = { skipped: 0, withoutVolumes: 0, withoutEngineVolumes: 0 };

/** Resolves with undefined when the host has ended meanwhile. */
async function saveFromHost({
  dataDir,
  file,
  hasVolumes = false,
  signal,
}: BackUpOptions): Promise<BackupSummary | undefined> {
  const request = hasVolumes ? backupWithVolumesRequest : backupRequest;
  const received = receiveBackup(controlSocketPath(dataDir), request, signal);
  let outcome: BackupOutcome | undefined;
  async function* bytes() {
    outcome = yield* received;
  }
  const hostEnded = new Error('the host ended');
  try {
    const findings: BackupFindings[] = [];
    const size = await savePrivateFile(file, bytes(), () => {
      if (outcome === undefined) throw hostEnded;
      if (!outcome.ok) throw new Error(outcome.message);
      const { ok: _ok, ...found } = outcome;
      findings.push(found);
    });
    return { size, ...(findings[0] ?? nothingMissing) };
  } catch (error) {
    if (error === hostEnded) return undefined;
    throw error;
  }
}

async function saveFromFolder(options: BackUpOptions, storage: Storage): Promise<BackupSummary> {
  const { dataDir, file, version, machineFolder, hasVolumes = false, signal } = options;
  const folder = realpathSync(dataDir);
  const logs = new LogStore(path.join(folder, 'logs.db'));
  try {
    const identity = loadHostIdentity(storage, folder);
    const runs = path.join(machineFolder, 'runs', identity);
    const outside = path.join(machineFolder, 'volumes', identity);
    const volumes = new VolumeFolders(folder, { folder: outside, isUsed: false });
    const files = new Files(folder, undefined, { folder: runs, isUsed: false });
    // A killed host may have placed a part of an upload.
    for (const { id } of listDeployments(storage)) await files.completeUploads(id);
    const backup: StreamedBackup = writeBackup({
      dataDir: folder,
      version,
      snapshots: files.snapshots,
      copyRecords: (copy) => storage.copyTo(copy),
      copyLogs: (copy) => logs.copyTo(copy),
      volumes: hasVolumes
        ? { folderOf: (id) => volumes.existing(id), engine: options.engineVolumesOf(identity) }
        : undefined,
    });
    const size = await savePrivateFile(file, backup.bytes, () => signal?.throwIfAborted());
    return { size, ...backup.findings() };
  } finally {
    logs.close();
  }
}

/**
 * Creates a file that only this user can read from bytes, and calls `finish` before the file gets
 * its name. Resolves with the file's size once it is on the disk. Throws, and leaves no file, when
 * the bytes or `finish` throw, or when there is a file of this name.
 */
async function savePrivateFile(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  finish: () => void,
): Promise<number> {
  const temporary = `${file}.${randomUUID().slice(0, 8)}.partial`;
  let size = 0;
  try {
    const handle = await open(temporary, 'wx', 0o600).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Can't create ${file}: ${reason}. Name another file.`);
    });
    try {
      for await (const chunk of bytes) {
        await handle.writeFile(chunk);
        size += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    finish();
    await nameFile(temporary, file);
    await syncFolder(path.dirname(path.resolve(file)));
    return size;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Throws when there is an entry of this name. */
async function assertUnused(file: string): Promise<void> {
  if ((await undefinedIfMissing(lstat(file))) !== undefined) {
    throw new Error(`${file} exists already. Name another file.`);
  }
}

async function nameFile(temporary: string, file: string): Promise<void> {
  try {
    // Unlike a rename, a link never replaces a file.
    await link(temporary, file);
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) await assertUnused(file);
    if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS')) throw error;
    await assertUnused(file);
    await rename(temporary, file);
  }
}
